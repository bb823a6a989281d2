#include "tests/scenarios/any_world.h"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/archetype.h"
#include "core/behavior.h"
#include "core/random/philox.h"

namespace meander::scenarios {
namespace {

using core::Archetype;
using core::Behavior;
using core::Neighborhood;
using core::NewAgent;
using core::Plane;
using core::Target;
using core::Vec3;

class Picker {
 public:
  explicit Picker(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t Byte() {
    if (at_ == bytes_.size()) return 0;
    return bytes_[at_++];
  }
  bool Flag() { return (Byte() & 1) != 0; }
  std::int32_t Below(std::int32_t end) { return Byte() % end; }
  template <typename Enum>
  Enum Any(Enum last) {
    return static_cast<Enum>(Byte() % (static_cast<int>(last) + 1));
  }

  // 0 to `most`: its ends, what is tiny, and what is usual.
  float UpTo(float most) {
    const std::uint8_t kind = Byte();
    const float share = static_cast<float>(Byte()) / 255.0f;
    switch (kind % 8) {
      case 0:
        return 0.0f;
      case 1:
        return most;
      case 2:
        return share * most;
      case 3:
        return share * 1.0e-30f;
      default:
        return share * (most < 10.0f ? most : 10.0f);
    }
  }
  float Around(float most) { return Flag() ? UpTo(most) : -UpTo(most); }
  std::optional<float> Maybe(float most) {
    if (Flag()) return std::nullopt;
    return UpTo(most);
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

core::SimulationConfig AnyConfig(Picker& pick) {
  core::SimulationConfig config;
  constexpr std::array<std::int32_t, 4> kRates{60, 1, 15, core::kMaxTickRateHz};
  config.tick_rate_hz = kRates[static_cast<std::size_t>(pick.Below(4))];
  config.plane = pick.Any(Plane::kYZ);
  config.bounds_mode = pick.Any(core::BoundsMode::kWrap);
  constexpr std::array<float, 3> kBounds{20.0f, 0.5f, core::kMaxBound};
  const float bound = kBounds[static_cast<std::size_t>(pick.Below(3))];
  config.bounds_min = {-bound, -bound, -bound};
  config.bounds_max = {bound, bound, bound};
  config.max_agents = 100;
  constexpr std::array<float, 3> kCells{8.0f, core::kMinCellSize,
                                        core::kMaxCellSize};
  config.cell_size = kCells[static_cast<std::size_t>(pick.Below(3))];
  return core::Normalized(config);
}

void PickNeighborhood(Picker& pick, float most, Neighborhood& around) {
  around.radius = pick.UpTo(most);
  around.field_of_view = pick.Maybe(core::kMaxFieldOfView);
  around.neighbor_groups = pick.Flag() ? ~std::uint32_t{0} : pick.Byte();
  around.max_neighbors = pick.Below(4);
}

template <typename Form>
Form AnyWalk(Picker& pick) {
  Form wander;
  wander.radius = pick.UpTo(core::kMaxBound);
  wander.distance = pick.UpTo(core::kMaxBound);
  wander.jitter = pick.UpTo(core::kMaxJitter);
  return wander;
}

Behavior AnyWander(Picker& pick, Plane plane) {
  switch (pick.Below(3)) {
    case 0:
      return AnyWalk<core::WanderWorldAngle>(pick);
    case 1:
      if (plane != Plane::kNone) break;
      return AnyWalk<core::WanderSpherical>(pick);
    default:
      break;
  }
  auto wander = AnyWalk<core::WanderHeadingOffset>(pick);
  wander.plane = plane == Plane::kNone ? pick.Any(Plane::kYZ) : plane;
  return wander;
}

Behavior AnyTargeted(Picker& pick) {
  const std::int32_t slot = pick.Below(core::kTargetSlots);
  switch (pick.Below(6)) {
    case 0:
      return core::Seek{slot};
    case 1:
      return core::Flee{slot, pick.Maybe(core::kMaxBound), pick.Flag(),
                        pick.Any(core::AtCenter::kZero)};
    case 2: {
      const bool stop = pick.Flag();
      return core::Arrive{slot, stop ? 0.0f : pick.UpTo(core::kMaxBound), stop};
    }
    case 3:
      return core::KeepAway{slot, pick.UpTo(core::kMaxBound)};
    case 4: {
      const auto lead = pick.Any(core::Lead::kDistance);
      const auto most = pick.Maybe(core::kMaxTime);
      return core::Pursue{slot, lead, most, pick.UpTo(core::kMaxBound)};
    }
    default: {
      const auto lead = pick.Any(core::Lead::kDistance);
      return core::Evade{slot, lead, pick.Maybe(core::kMaxTime)};
    }
  }
}

void PickFlocking(Picker& pick, float most, Behavior& behavior) {
  switch (pick.Below(3)) {
    case 0: {
      auto& separation = behavior.emplace<core::Separation>();
      PickNeighborhood(pick, most, separation.neighborhood);
      separation.falloff = pick.Any(core::Falloff::kLinear);
      separation.coincident = pick.Any(core::Coincident::kSkip);
      return;
    }
    case 1: {
      auto& alignment = behavior.emplace<core::Alignment>();
      return PickNeighborhood(pick, most, alignment.neighborhood);
    }
    default: {
      auto& cohesion = behavior.emplace<core::Cohesion>();
      PickNeighborhood(pick, most, cohesion.neighborhood);
      cohesion.mode = pick.Any(core::CohesionMode::kPull);
    }
  }
}

// The lowest legal speed or any up to the highest.
float AnySpeed(Picker& pick, const core::SimulationConfig& config) {
  const float speed = pick.UpTo(core::kMaxSpeedOrForce);
  Archetype slow{.max_speed = speed};
  if (core::Validate(slow, config, "").empty()) return speed;
  return 100.0f * static_cast<float>(config.tick_rate_hz);
}

Archetype AnyArchetype(Picker& pick, core::ArchetypeId id,
                       const core::SimulationConfig& config) {
  Archetype archetype{.id = id, .max_speed = AnySpeed(pick, config)};
  archetype.max_force = pick.UpTo(core::kMaxSpeedOrForce);
  archetype.mass = core::kMinMass + pick.UpTo(core::kMaxMass - 1.0f);
  archetype.external = pick.Byte() == 255;
  if (archetype.external) return archetype;
  archetype.overspeed_time_constant = pick.UpTo(core::kMaxTime);
  archetype.combine = pick.Any(core::Combine::kFirstNonzero);
  archetype.limit_each_term = pick.Flag();
  if (config.plane == Plane::kNone) {
    archetype.force_plane = pick.Any(Plane::kYZ);
  }
  if (pick.Flag()) {
    const float rate = pick.UpTo(core::kMaxTurnRate);
    archetype.facing = {rate, pick.UpTo(core::kMaxSpeedOrForce)};
  }
  const bool wraps = config.bounds_mode == core::BoundsMode::kWrap;
  const float half_period = PlaneMask(config.plane).x != 0.0f
                                ? config.bounds_max.x
                                : config.bounds_max.y;
  const float most = wraps ? half_period : core::kMaxBound;
  const std::int32_t terms = 1 + pick.Below(4);
  for (std::int32_t i = 0; i < terms; ++i) {
    core::Term term;
    const std::int32_t family = pick.Below(8);
    if (family < 4) {
      term.behavior = AnyTargeted(pick);
    } else if (family < 6) {
      PickFlocking(pick, most, term.behavior);
    } else if (family == 6 &&
               WanderFormOf(archetype) == core::WanderForm::kNone) {
      term.behavior = AnyWander(pick, config.plane);
    } else {
      term.behavior = core::Brake{};
    }
    term.weight = pick.Around(core::kMaxWeight);
    term.gain = pick.Around(core::kMaxWeight);
    term.level = pick.Below(3);
    archetype.terms.push_back(term);
  }
  return archetype;
}

Vec3 AnyPlace(Picker& pick, const core::SimulationConfig& config) {
  const float most =
      config.bounds_max.x != 0.0f ? config.bounds_max.x : config.bounds_max.y;
  const float x = pick.Around(most);
  const float y = pick.Around(most);
  const float z = pick.Around(most);
  return Flatten({x, y, z}, config.plane);
}

NewAgent AnyAgent(Picker& pick, std::int32_t archetypes,
                  const core::SimulationConfig& config) {
  NewAgent agent{.archetype_id = 1 + pick.Below(archetypes)};
  if (pick.Flag()) agent.position = AnyPlace(pick, config);
  const float speed = pick.Around(core::kMaxCommandedSpeed);
  const core::PlaneAxes axes = AxesOf(config.plane);
  agent.velocity = (pick.Flag() ? axes.first : axes.second) * speed;
  agent.groups = pick.Byte();
  for (Target& target : agent.targets) {
    if (pick.Flag()) continue;
    target = {.kind = Target::Kind::kPoint, .point = AnyPlace(pick, config)};
  }
  return agent;
}

}  // namespace

std::vector<std::uint8_t> BytesOfNumber(std::uint32_t number) {
  constexpr std::size_t kBytes = 512;
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t block = 0; bytes.size() < kBytes; ++block) {
    for (const std::uint32_t word :
         core::Philox4x32({block, 0, 0, 0}, {number, 17})) {
      bytes.push_back(static_cast<std::uint8_t>(word >> 24));
    }
  }
  return bytes;
}

Scenario AnyWorld(std::span<const std::uint8_t> bytes) {
  Picker pick(bytes);
  Scenario scenario{.name = "any", .seed = pick.Byte()};
  scenario.config = AnyConfig(pick);
  const std::int32_t archetypes = 1 + pick.Below(3);
  for (core::ArchetypeId id = 1; id <= archetypes; ++id) {
    scenario.commands.push_back(
        {1, core::DefineArchetype{AnyArchetype(pick, id, scenario.config)}});
  }
  std::vector<NewAgent> agents;
  const std::int32_t count = 2 + pick.Below(11);
  for (std::int32_t i = 0; i < count; ++i) {
    agents.push_back(AnyAgent(pick, archetypes, scenario.config));
  }
  scenario.commands.push_back({1, core::SpawnAgents{std::move(agents)}});
  // Some follow others, and perhaps themselves.
  for (core::AgentId id = 1; id <= count; ++id) {
    const std::int32_t slot = pick.Below(2 * core::kTargetSlots);
    if (slot >= core::kTargetSlots) continue;
    const core::AgentId other = 1 + pick.Below(count);
    scenario.commands.push_back(
        {1, core::SetTarget{
                {id}, slot, {.kind = Target::Kind::kAgent, .agent = other}}});
  }
  return scenario;
}

}  // namespace meander::scenarios
