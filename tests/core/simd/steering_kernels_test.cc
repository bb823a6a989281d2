// Every kernel of every target against the scalar one, bit for bit, on numbers
// that random worlds seldom meet: zeros of either sign, speeds whose squares
// vanish, targets in the very place of an agent, facings away from where it
// goes, in blocks of every size about a vector's.
#include "core/simd/steering_kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/column.h"
#include "core/random/agent_random.h"
#include "core/simd/kernels.h"
#include "core/steering/combine.h"
#include "core/steering/neighbor_sums.h"
#include "core/steering/steering_block.h"
#include "core/steering/wander.h"
#include "core/steering/wander_heading_offset.h"
#include "core/steering/wander_spherical.h"
#include "core/step/integrate.h"
#include "gtest/gtest.h"

namespace meander::core {
namespace {

constexpr float kBound = 100.0f;
constexpr std::array<std::size_t, 10> kSizes{1,  3,  4,  5,  8,
                                             15, 16, 17, 33, kBlockRows};

class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : random_(seed) {}

  bool Chance(int one_in) {
    return random_() % static_cast<unsigned>(one_in) == 0;
  }
  float Between(float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random_);
  }
  // Up to `most` in magnitude: ordinary, or what is at the edge of something.
  float Component(float most) {
    if (!Chance(4)) return Between(-most, most);
    const std::array edges{0.0f,  -0.0f,    most,      -most,    1.0f,
                           -1.0f, 1.0e-30f, -1.0e-20f, 0x1p-75f, 1.0e-9f};
    return edges[random_() % edges.size()];
  }
  Vec3 Vector(float most, Plane plane) {
    return Flatten({Component(most), Component(most), Component(most)}, plane);
  }
  Vec3 Unit(Plane plane) {
    return UnitVector(Vector(1.0f, plane), AxesOf(plane).first);
  }
  std::uint64_t Word() { return (std::uint64_t{random_()} << 32) | random_(); }

 private:
  std::mt19937 random_;
};

struct VectorColumn {
  Column<float> x, y, z;

  void Append(const Vec3& v) {
    x.push_back(v.x);
    y.push_back(v.y);
    z.push_back(v.z);
  }
};

// Everything that a kernel may read or write of a block.
struct Rows {
  VectorColumn position, velocity, facing, force, level, offset, heading, sum;
  Column<std::uint32_t> turn, count;
  Column<float> elevation, nearest;
  Column<std::uint64_t> seed;
  Column<std::int64_t> spawn_tick;
  std::array<Column<float>, 3> uniform;
  TargetBlock targets{};

  Rows(std::size_t size, Plane plane, std::uint32_t seed_of_all) {
    Numbers numbers(seed_of_all);
    for (std::size_t i = 0; i < size; ++i) Append(numbers, i, plane);
  }

  // What stands past the last row decides nothing: not a number here.
  void PoisonPadding() {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    for (VectorColumn* column : {&position, &velocity, &facing, &force, &level,
                                 &offset, &heading, &sum}) {
      for (Column<float>* part : {&column->x, &column->y, &column->z}) {
        std::fill_n(part->data() + size(), kVectorRows, kNan);
      }
    }
    for (Column<float>* column :
         {&elevation, &nearest, &uniform[0], &uniform[1], &uniform[2]}) {
      std::fill_n(column->data() + size(), kVectorRows, kNan);
    }
    std::fill_n(turn.data() + size(), kVectorRows, ~0u);
    std::fill_n(count.data() + size(), kVectorRows, ~0u);
    for (std::array<float, kBlockRows>* column :
         {&targets.x, &targets.y, &targets.z, &targets.velocity_x,
          &targets.velocity_y, &targets.velocity_z}) {
      std::fill(column->begin() + static_cast<std::ptrdiff_t>(size()),
                column->end(), kNan);
    }
  }

  std::size_t size() const { return turn.size(); }

  void Append(Numbers& numbers, std::size_t i, Plane plane) {
    const Vec3 here = numbers.Vector(kBound, plane);
    const float most = numbers.Chance(8) ? kMaxSpeedOrForce : 8.0f;
    const Vec3 moved = numbers.Vector(most, plane);
    position.Append(here);
    velocity.Append(moved);
    facing.Append(numbers.Chance(5)
                      ? UnitVector(Flatten(-moved, plane), AxesOf(plane).first)
                      : numbers.Unit(plane));
    force.Append(numbers.Vector(20.0f, plane));
    level.Append(numbers.Vector(20.0f, plane));
    offset.Append(numbers.Unit(plane));
    heading.Append(numbers.Unit(plane));
    sum.Append(numbers.Vector(50.0f, plane));
    turn.push_back(static_cast<std::uint32_t>(numbers.Word()));
    count.push_back(numbers.Chance(4) ? 0 : i % 7);
    elevation.push_back(numbers.Between(-1.57f, 1.57f));
    nearest.push_back(numbers.Chance(3) ? std::numeric_limits<float>::infinity()
                                        : numbers.Between(0.0f, 30.0f));
    seed.push_back(numbers.Word());
    spawn_tick.push_back(static_cast<std::int64_t>(i * 977));
    for (Column<float>& lane : uniform) {
      lane.push_back(UniformFromWord(
          static_cast<std::uint32_t>(numbers.Chance(9) ? 0 : numbers.Word())));
    }
    const Vec3 target =
        numbers.Chance(5) ? here : numbers.Vector(kBound, plane);
    const Vec3 moves = numbers.Vector(most, plane);
    targets.x[i] = target.x;
    targets.y[i] = target.y;
    targets.z[i] = target.z;
    targets.velocity_x[i] = moves.x;
    targets.velocity_y[i] = moves.y;
    targets.velocity_z[i] = moves.z;
    targets.present[i] = numbers.Chance(4) ? 0 : 1;
  }

  NeighborSums Sums() const {
    return {sum.x.data(), sum.y.data(), sum.z.data(), count.data(),
            nearest.data()};
  }
  ForceColumns Forces() {
    return {force.x.data(), force.y.data(), force.z.data()};
  }
  MotionRows Moved() {
    return {.rows = size(),
            .position_x = position.x.data(),
            .position_y = position.y.data(),
            .position_z = position.z.data(),
            .velocity_x = velocity.x.data(),
            .velocity_y = velocity.y.data(),
            .velocity_z = velocity.z.data(),
            .facing_x = facing.x.data(),
            .facing_y = facing.y.data(),
            .facing_z = facing.z.data(),
            .force = Forces()};
  }

  // All that a kernel may have written.
  std::vector<std::uint32_t> Bits() const {
    std::vector<std::uint32_t> bits(turn.begin(), turn.end());
    for (const VectorColumn* column :
         {&position, &velocity, &facing, &force, &offset, &heading}) {
      for (const Column<float>* part : {&column->x, &column->y, &column->z}) {
        for (const float value : *part) {
          bits.push_back(std::bit_cast<std::uint32_t>(value));
        }
      }
    }
    for (const Column<float>* column :
         {&elevation, &uniform[0], &uniform[1], &uniform[2]}) {
      for (const float value : *column) {
        bits.push_back(std::bit_cast<std::uint32_t>(value));
      }
    }
    return bits;
  }
};

SimulationConfig ConfigOf(Plane plane, BoundsMode mode) {
  SimulationConfig config;
  config.plane = plane;
  config.bounds_mode = mode;
  config.bounds_min = {-kBound, -kBound, -kBound};
  config.bounds_max = {kBound, kBound, kBound};
  return Normalized(config);
}

// The world and the archetype that a kernel is called for.
struct Setting {
  SimulationConfig config;
  Archetype archetype;
  TermScale term;

  SteeringBlock Block(Rows& rows) const {
    return {.rows = rows.size(),
            .position_x = rows.position.x.data(),
            .position_y = rows.position.y.data(),
            .position_z = rows.position.z.data(),
            .velocity_x = rows.velocity.x.data(),
            .velocity_y = rows.velocity.y.data(),
            .velocity_z = rows.velocity.z.data(),
            .force_x = rows.force.x.data(),
            .force_y = rows.force.y.data(),
            .force_z = rows.force.z.data(),
            .max_speed = archetype.max_speed,
            .max_force = archetype.max_force,
            .mass = archetype.mass,
            .dt = StepSeconds(config),
            .plane = config.plane,
            .wrap = WrapOf(config),
            .term = term};
  }
};

std::vector<Setting> Settings() {
  std::vector<Setting> settings;
  for (const BoundsMode mode : {BoundsMode::kClamp, BoundsMode::kWrap}) {
    for (const Plane plane :
         {Plane::kXY, Plane::kXZ, Plane::kYZ, Plane::kNone}) {
      Setting setting{.config = ConfigOf(plane, mode)};
      setting.archetype = {.max_speed = 6.0f, .max_force = 12.0f, .mass = 1.5f};
      setting.archetype.facing = Facing{.turn_rate = 9.0f};
      settings.push_back(setting);

      setting.archetype.max_speed = 0.0f;
      setting.archetype.overspeed_time_constant = 2.0f;
      setting.archetype.facing = Facing{1.0e6f, 0.0f};
      setting.term = {.weight = -0.5f, .gain = 3.0f, .limit = 5.0f};
      settings.push_back(setting);
      if (plane != Plane::kNone) continue;
      for (const Plane steered : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
        setting.archetype.max_speed = 3.0f;
        setting.archetype.force_plane = steered;
        setting.archetype.facing = Facing{20.0f, 0.0f};
        setting.term.axes = PlaneMask(steered);
        settings.push_back(setting);
      }
    }
  }
  return settings;
}

using Call =
    std::function<std::int64_t(const SteeringKernels&, const Setting&, Rows&)>;
struct Kernel {
  std::string name;
  Call call;
};

template <typename Behavior, typename Function>
Kernel OfTargets(std::string name, const Behavior& behavior, Function add) {
  return {std::move(name), [behavior, add](const SteeringKernels& kernels,
                                           const Setting& setting, Rows& rows) {
            (kernels.*add)(setting.Block(rows), behavior, rows.targets);
            return std::int64_t{0};
          }};
}

template <typename Function>
Kernel Of(std::string name, Function function) {
  return {std::move(name), [function](const SteeringKernels& kernels,
                                      const Setting& setting, Rows& rows) {
            function(kernels, setting.Block(rows), rows);
            return std::int64_t{0};
          }};
}

using Table = SteeringKernels;

std::vector<Kernel> TargetKernels() {
  const Flee near{.range = 60.0f, .at_center = AtCenter::kZero};
  const Flee edge{.range = 60.0f, .edge_inclusive = true};
  const Arrive stop{.stop = true};
  return {
      Of("seek", [](const Table& kernels, const SteeringBlock& block,
                    Rows& rows) { kernels.add_seek(block, rows.targets); }),
      OfTargets("flee", Flee{}, &Table::add_flee),
      OfTargets("flee_near", near, &Table::add_flee),
      OfTargets("flee_edge", edge, &Table::add_flee),
      OfTargets("arrive", Arrive{.slowing_radius = 50.0f}, &Table::add_arrive),
      OfTargets("arrive_seeks", Arrive{}, &Table::add_arrive),
      OfTargets("arrive_stop", stop, &Table::add_arrive),
      OfTargets("keep_away", KeepAway{.radius = 70.0f}, &Table::add_keep_away),
      OfTargets("keep_away_0", KeepAway{}, &Table::add_keep_away),
      OfTargets("pursue", Pursue{}, &Table::add_pursue),
      OfTargets("pursue_closing",
                Pursue{.lead = Lead::kClosing, .slowing_radius = 9.0f},
                &Table::add_pursue),
      OfTargets("pursue_distance",
                Pursue{.lead = Lead::kDistance, .max_prediction = 0.5f},
                &Table::add_pursue),
      OfTargets("evade", Evade{}, &Table::add_evade),
      OfTargets("evade_soon", Evade{.max_prediction = 2.0f}, &Table::add_evade),
  };
}

Kernel OfHeadingOffset(std::string name, const WanderHeadingOffset& wander) {
  return {std::move(name),
          [wander](const Table& kernels, const Setting& setting, Rows& rows) {
            kernels.add_wander_heading_offset(
                setting.Block(rows), wander,
                WanderPlane(wander, setting.config.plane),
                {rows.uniform[0], rows.uniform[1], rows.uniform[2]},
                {rows.offset.x, rows.offset.y, rows.offset.z, rows.heading.x,
                 rows.heading.y, rows.heading.z});
            return std::int64_t{0};
          }};
}

std::vector<Kernel> WanderKernels() {
  const auto world_angle = [](const WanderWorldAngle& wander) {
    return
        [wander](const Table& kernels, const SteeringBlock& block, Rows& rows) {
          kernels.add_wander_world_angle(block, wander, AxesOf(block.plane),
                                         rows.uniform[0], rows.turn);
        };
  };
  return {
      Of("wander", world_angle({2.0f, 3.0f, 8.0f})),
      Of("wander_at_0", world_angle({0.0f, 0.0f, kMaxJitter})),
      Of("wander_spherical",
         [](const Table& kernels, const SteeringBlock& block, Rows& rows) {
           if (block.plane != Plane::kNone) return;  // valid in space alone
           kernels.add_wander_spherical(block, {2.0f, 3.0f, 8.0f},
                                        {rows.uniform[0], rows.uniform[1]},
                                        {rows.turn, rows.elevation});
         }),
      OfHeadingOffset("wander_heading_offset", {2.0f, 3.0f, 8.0f}),
      OfHeadingOffset("wander_heading_offset_yz",
                      {2.0f, 3.0f, kMaxJitter, Plane::kYZ}),
      OfHeadingOffset("wander_heading_offset_at_0", {0.0f, 3.0f, 8.0f}),
      {"draw_uniforms", [](const Table& kernels, const Setting&, Rows& rows) {
         kernels.draw_uniforms(
             {.rows = rows.size(),
              .seeds = rows.seed.data(),
              .spawn_ticks = rows.spawn_tick.data(),
              .tick = std::int64_t{1} << 40,
              .lanes = kHeadingOffsetStepLanes,
              .out = {rows.uniform[0].data(), rows.uniform[1].data(),
                      rows.uniform[2].data()}});
         return std::int64_t{0};
       }}};
}

std::vector<Kernel> OtherKernels() {
  std::vector<Kernel> kernels{
      Of("brake", [](const Table& table, const SteeringBlock& block,
                     Rows&) { table.add_brake(block); }),
      Of("alignment",
         [](const Table& table, const SteeringBlock& block, Rows& rows) {
           table.add_alignment(block, rows.Sums());
         }),
      {"integrate", [](const Table& table, const Setting& setting, Rows& rows) {
         return table.integrate(
             MotionRulesOf(setting.archetype, setting.config), rows.Moved());
       }}};
  for (const auto mode : {CohesionMode::kSeek, CohesionMode::kPull}) {
    kernels.push_back(
        Of("cohesion",
           [mode](const Table& table, const SteeringBlock& block, Rows& rows) {
             table.add_cohesion(block, {{.radius = 5.0f}, mode}, rows.Sums());
           }));
  }
  for (const auto falloff :
       {Falloff::kInverse, Falloff::kNearestFade, Falloff::kLinear}) {
    kernels.push_back(Of(
        "separation",
        [falloff](const Table& table, const SteeringBlock& block, Rows& rows) {
          table.add_separation(block, {{.radius = 5.0f}, falloff}, rows.Sums());
        }));
  }
  for (const auto combine : {Combine::kWeightedSum, Combine::kPriorityBudget,
                             Combine::kFirstNonzero}) {
    kernels.push_back(
        {"combine", [combine](const Table& table, const Setting&, Rows& rows) {
           table.combine_level(
               combine, 12.0f,
               {rows.level.x.data(), rows.level.y.data(), rows.level.z.data()},
               rows.Forces(), rows.size());
           return std::int64_t{0};
         }});
  }
  return kernels;
}

std::vector<SimdTarget> Vectors() {
  std::vector<SimdTarget> targets;
  for (const SimdTarget target : kSimdTargets) {
    if (target != SimdTarget::kScalar && CanRun(target)) {
      targets.push_back(target);
    }
  }
  return targets;
}

void ExpectSameBits(const std::vector<Kernel>& kernels) {
  const SteeringKernels& scalar = KernelsOf(SimdTarget::kScalar).steering;
  const std::vector<Setting> settings = Settings();
  for (const SimdTarget target : Vectors()) {
    const SteeringKernels& vectors = KernelsOf(target).steering;
    for (const Kernel& kernel : kernels) {
      std::uint32_t seed = 0;
      for (const Setting& setting : settings) {
        for (const std::size_t size : kSizes) {
          const auto wanted =
              std::make_unique<Rows>(size, setting.config.plane, ++seed);
          const auto rows = std::make_unique<Rows>(*wanted);
          if (seed % 2 == 0) rows->PoisonPadding();
          const std::int64_t wanted_stops =
              kernel.call(scalar, setting, *wanted);
          const std::int64_t stops = kernel.call(vectors, setting, *rows);
          ASSERT_EQ(stops, wanted_stops) << kernel.name;
          ASSERT_EQ(rows->Bits(), wanted->Bits())
              << kernel.name << " of " << NameOf(target) << ", " << size
              << " rows, seed " << seed;
        }
      }
    }
  }
}

TEST(SteeringKernelsTest, ThoseOfTargetsHaveTheBitsOfTheScalarOnes) {
  ExpectSameBits(TargetKernels());
}

TEST(SteeringKernelsTest, WandersHaveTheBitsOfTheScalarOnes) {
  ExpectSameBits(WanderKernels());
}

TEST(SteeringKernelsTest,
     FlockingCombiningAndMovingHaveTheBitsOfTheScalarOnes) {
  ExpectSameBits(OtherKernels());
}

}  // namespace
}  // namespace meander::core
