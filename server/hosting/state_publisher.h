// Copies what readers need of a world into a pooled buffer.
//
// Cold columns are copied only when they have changed since the last copy, and
// shared by all states until then. Allocates nothing once warm while they do
// not change. Of the thread that ticks; `on_free` comes from any.
#ifndef MEANDER_SERVER_HOSTING_STATE_PUBLISHER_H_
#define MEANDER_SERVER_HOSTING_STATE_PUBLISHER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/agent_state.h"
#include "core/parallel_for.h"
#include "core/world.h"
#include "server/stream/published_state.h"

namespace meander::hosting {

// What a reader needs.
enum class Detail : std::uint8_t {
  kMotion,  // what frames show: MotionDetail::kShown
  kFull,    // all motion columns, and cold ones
};

class StatePublisher {
 public:
  // See PublishedStatePool.
  StatePublisher(std::size_t buffers, std::function<void()> on_free);

  // The state of the world as it is; empty when all buffers are held. May
  // bring cold columns that were not asked for, when they are at hand.
  stream::PublishedStateRef Make(const core::World& world,
                                 std::optional<std::uint64_t> state_hash,
                                 std::int64_t epoch, Detail detail,
                                 core::ParallelFor& parallel);

 private:
  std::shared_ptr<const core::ColdColumns> Cold(const core::World& world,
                                                Detail detail);

  stream::PublishedStatePool pool_;
  std::shared_ptr<const core::ColdColumns> cold_;  // null before the first
  std::uint64_t cold_version_ = 0;                 // of cold_
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_STATE_PUBLISHER_H_
