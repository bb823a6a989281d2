// What the worlds of a server share.
//
// Everything outlives every open host. Construct in this order and destroy in
// the opposite one, after all hosts are closed: then no thread meets an object
// that is gone. Plain data.
#ifndef MEANDER_SERVER_HOSTING_HOST_CONTEXT_H_
#define MEANDER_SERVER_HOSTING_HOST_CONTEXT_H_

#include <cstddef>

#include "core/simd/simd_target.h"
#include "server/hosting/agent_budget.h"
#include "server/hosting/clock.h"
#include "server/hosting/limits.h"
#include "server/hosting/worker_pool.h"
#include "server/log/world_log.h"
#include "server/stream/broadcaster.h"
#include "server/stream/frame_cache.h"

namespace meander::hosting {

struct HostContext {
  const Limits& limits;
  Clock& clock;
  log::WorldLog& log;
  AgentBudget& agents;
  stream::Broadcaster& broadcaster;
  WorkerPool& workers;
  stream::FrameEncoder encode_frame;
  std::size_t max_frame_events;  // that one frame has room for
  core::SimdTarget simd = core::BestSimdTarget();  // steps every world
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_HOST_CONTEXT_H_
