#include "core/steering/steer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/random/agent_random.h"
#include "core/steering/arrive.h"
#include "core/steering/block_targets.h"
#include "core/steering/brake.h"
#include "core/steering/combine.h"
#include "core/steering/flee.h"
#include "core/steering/flocking.h"
#include "core/steering/pursue.h"
#include "core/steering/seek.h"
#include "core/steering/steering_block.h"
#include "core/steering/wander.h"
#include "core/steering/wander_heading_offset.h"
#include "core/steering/wander_spherical.h"

namespace meander::core {
namespace {

SteeringBlock MakeSteeringBlock(WorldState& state, const AgentBlock& block,
                                const ForceColumns& force) {
  Population& population = state.populations[block.population];
  const Archetype& archetype = population.archetype;
  AgentColumns& agents = population.agents;
  const std::size_t first = block.first_row;
  return {
      .rows = block.rows,
      .position_x = &agents.position_x[first],
      .position_y = &agents.position_y[first],
      .position_z = &agents.position_z[first],
      .velocity_x = &agents.velocity_x[first],
      .velocity_y = &agents.velocity_y[first],
      .velocity_z = &agents.velocity_z[first],
      .force_x = force.x,
      .force_y = force.y,
      .force_z = force.z,
      .max_speed = archetype.max_speed,
      .max_force = archetype.max_force,
      .mass = archetype.mass,
      .dt = StepSeconds(state.config),
      .plane = state.config.plane,
      .wrap = WrapOf(state.config),
      .term = {.weight = 1.0f,
               .gain = 1.0f,
               .limit = archetype.limit_each_term
                            ? std::optional(archetype.max_force)
                            : std::nullopt,
               .axes = PlaneMask(archetype.force_plane)},
  };
}

// What the wander term of a block draws in a step, lane by lane.
class StepUniforms {
 public:
  StepUniforms(const SteeringKernels& kernels, const AgentColumns& agents,
               const AgentBlock& block, std::int64_t tick,
               const LaneRange& lanes)
      : rows_(block.rows) {
    kernels.draw_uniforms({.rows = rows_,
                           .seeds = &agents.seed[block.first_row],
                           .spawn_ticks = &agents.spawn_tick[block.first_row],
                           .tick = tick,
                           .lanes = lanes,
                           .out = {uniforms_[0].data(), uniforms_[1].data(),
                                   uniforms_[2].data()}});
  }

  std::span<const float> Lane(std::size_t lane) const {
    return std::span(uniforms_[lane]).first(rows_);
  }

 private:
  std::size_t rows_;
  alignas(64) std::array<std::array<float, kBlockRows>, 3> uniforms_;
};

// Adds one term to a block, whatever its behavior.
struct TermAdder {
  const SteeringKernels& kernels;
  WorldState& state;
  const AgentBlock& block;
  const SteeringBlock& steering;
  BlockTargets& targets;
  std::int64_t tick;
  std::size_t term;

  void operator()(const Seek& seek) const {
    kernels.add_seek(steering, targets.Slot(seek.slot));
  }
  void operator()(const Flee& flee) const {
    kernels.add_flee(steering, flee, targets.Slot(flee.slot));
  }
  void operator()(const Arrive& arrive) const {
    kernels.add_arrive(steering, arrive, targets.Slot(arrive.slot));
  }
  void operator()(const KeepAway& keep_away) const {
    kernels.add_keep_away(steering, keep_away, targets.Slot(keep_away.slot));
  }
  void operator()(const Brake&) const { kernels.add_brake(steering); }
  void operator()(const Pursue& pursue) const {
    kernels.add_pursue(steering, pursue, targets.Slot(pursue.slot));
  }
  void operator()(const Evade& evade) const {
    kernels.add_evade(steering, evade, targets.Slot(evade.slot));
  }

  void operator()(const WanderWorldAngle& wander) const {
    AgentColumns& agents = Agents();
    const StepUniforms drawn(kernels, agents, block, tick,
                             kWorldAngleStepLanes);
    const Plane world = state.config.plane;
    const Plane steered =
        state.populations[block.population].archetype.force_plane;
    kernels.add_wander_world_angle(
        steering, wander, AxesOf(world == Plane::kNone ? steered : world),
        drawn.Lane(0), Own(agents.wander_turn));
  }
  void operator()(const WanderSpherical& wander) const {
    AgentColumns& agents = Agents();
    const StepUniforms drawn(kernels, agents, block, tick, kSphericalStepLanes);
    kernels.add_wander_spherical(
        steering, wander,
        {.azimuth = drawn.Lane(0), .elevation = drawn.Lane(1)},
        {.turns = Own(agents.wander_turn),
         .elevations = Own(agents.wander_elevation)});
  }
  void operator()(const WanderHeadingOffset& wander) const {
    AgentColumns& agents = Agents();
    const StepUniforms drawn(kernels, agents, block, tick,
                             kHeadingOffsetStepLanes);
    kernels.add_wander_heading_offset(
        steering, wander, WanderPlane(wander, state.config.plane),
        {.x = drawn.Lane(0), .y = drawn.Lane(1), .z = drawn.Lane(2)},
        {.offset_x = Own(agents.wander_offset_x),
         .offset_y = Own(agents.wander_offset_y),
         .offset_z = Own(agents.wander_offset_z),
         .heading_x = Own(agents.wander_heading_x),
         .heading_y = Own(agents.wander_heading_y),
         .heading_z = Own(agents.wander_heading_z)});
  }

  void operator()(const Separation& separation) const {
    kernels.add_separation(steering, separation, Sums());
  }
  void operator()(const Alignment&) const {
    kernels.add_alignment(steering, Sums());
  }
  void operator()(const Cohesion& cohesion) const {
    kernels.add_cohesion(steering, cohesion, Sums());
  }

  // What the neighbor pass found for the term.
  NeighborSums Sums() const {
    return state.neighbors.Sums(block.population, term, block.first_row);
  }
  AgentColumns& Agents() const {
    return state.populations[block.population].agents;
  }
  // The block's part of a column.
  template <typename T>
  std::span<T> Own(Column<T>& column) const {
    return std::span(column).subspan(block.first_row, block.rows);
  }
};

// The terms of an archetype in the order in which they act: by level, then as
// they are listed.
class TermOrder {
 public:
  explicit TermOrder(const std::vector<Term>& terms) : count_(terms.size()) {
    for (std::size_t i = 0; i < count_; ++i) {
      std::size_t at = i;
      while (at > 0 && terms[places_[at - 1]].level > terms[i].level) {
        places_[at] = places_[at - 1];
        --at;
      }
      places_[at] = i;
    }
  }

  std::span<const std::size_t> places() const {
    return std::span(places_).first(count_);
  }

 private:
  std::size_t count_;
  std::array<std::size_t, kMaxTerms> places_;
};

void Clear(const ForceColumns& force, std::size_t rows) {
  std::fill_n(force.x, rows, 0.0f);
  std::fill_n(force.y, rows, 0.0f);
  std::fill_n(force.z, rows, 0.0f);
}

}  // namespace

std::uint32_t SteerBlock(WorldState& state, const AgentBlock& block,
                         std::int64_t tick, const ForceColumns& total) {
  const Archetype& archetype = state.populations[block.population].archetype;
  const std::vector<Term>& terms = archetype.terms;
  const SteeringKernels& kernels = SteeringKernelsFor(state, block);
  SteeringBlock steering = MakeSteeringBlock(state, block, total);
  Clear(total, block.rows);
  BlockTargets targets(state, block);

  // A sum over all levels needs no sum for each.
  const bool by_level = archetype.combine != Combine::kWeightedSum;
  alignas(64) std::array<std::array<float, kBlockRows>, 3> sums;
  const ForceColumns level{sums[0].data(), sums[1].data(), sums[2].data()};
  if (by_level) {
    Clear(level, block.rows);
    steering.force_x = level.x;
    steering.force_y = level.y;
    steering.force_z = level.z;
  }
  const TermOrder order(terms);
  const std::span<const std::size_t> places = order.places();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Term& term = terms[places[i]];
    steering.term.weight = term.weight;
    steering.term.gain = term.gain;
    std::visit(
        TermAdder{kernels, state, block, steering, targets, tick, places[i]},
        term.behavior);
    const bool level_ends =
        i + 1 == places.size() || terms[places[i + 1]].level != term.level;
    if (!by_level || !level_ends) continue;
    kernels.combine_level(archetype.combine, archetype.max_force, level, total,
                          block.rows);
    Clear(level, block.rows);
  }
  return targets.losses();
}

std::uint32_t SteerBlock(WorldState& state, const AgentBlock& block,
                         std::int64_t tick) {
  AgentColumns& agents = state.populations[block.population].agents;
  return SteerBlock(
      state, block, tick,
      {&agents.force_x[block.first_row], &agents.force_y[block.first_row],
       &agents.force_z[block.first_row]});
}

}  // namespace meander::core
