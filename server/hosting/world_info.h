// What a host tells about its world.
//
// Plain data.
#ifndef MEANDER_SERVER_HOSTING_WORLD_INFO_H_
#define MEANDER_SERVER_HOSTING_WORLD_INFO_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/agent_state.h"
#include "core/command.h"
#include "core/simd/simd_target.h"
#include "core/simulation_config.h"
#include "server/hosting/admission.h"
#include "server/hosting/hosting_config.h"
#include "server/hosting/outcome_history.h"
#include "server/hosting/world_clock.h"

namespace meander::hosting {

// What never changes about a world.
struct WorldIdentity {
  std::string id;                 // the {world} of "worlds/{world}"
  std::string uid;                // 32 hexadecimal digits
  core::SimulationConfig config;  // cell_size as it was at tick 0
  std::uint64_t seed = 0;
};

// A world at its newest tick.
struct WorldStatus {
  std::int64_t tick = 0;
  std::int64_t epoch = 1;
  std::optional<std::uint64_t> state_hash;  // none where it was not computed
  ClockState clock = ClockState::kRunning;
  std::shared_ptr<const WorldSettings> settings;  // never null
  std::int64_t agent_count = 0;
  std::int32_t archetype_count = 0;
  float cell_size = 0.0f;        // units; commands change it
  float neighbor_radius = 0.0f;  // units, the largest; 0: nobody looks
  std::int64_t bound_stops = 0;
  std::int64_t pending_commands = 0;
  std::array<std::int64_t, core::kCommandOutcomes> outcomes{};
  std::int64_t slipped_ticks = 0;
  std::int64_t published_states = 0;  // since the beginning
  std::int64_t withheld_states = 0;   // wanted, but no buffer was free
  core::SimdTarget simd = core::SimdTarget::kScalar;  // of its kernels
};

// A tick of a world.
struct TickInfo {
  std::int64_t tick = 0;
  std::int64_t epoch = 1;
  std::uint64_t state_hash = 0;

  bool operator==(const TickInfo&) const = default;
};

struct Submission {
  AdmissionResults results;
  std::int64_t tick = 0;  // the world's newest at admission
  std::int64_t epoch = 1;
};

struct OutcomeReports {
  std::vector<CommandReport> reports;
  std::int64_t tick = 0;  // the world's newest
  std::int64_t epoch = 1;
};

// How a call of WorldHost::Step ended.
struct StepAnswer {
  TickInfo info;
  // The state at that tick, where it was asked for; null when it is too large
  // or the world has moved on.
  std::shared_ptr<const core::MotionColumns> motion;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORLD_INFO_H_
