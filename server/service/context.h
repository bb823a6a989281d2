// What the services share. They are stateless themselves.
//
// Everything outlives the services. Plain data.
#ifndef MEANDER_SERVER_SERVICE_CONTEXT_H_
#define MEANDER_SERVER_SERVICE_CONTEXT_H_

#include "server/hosting/limits.h"
#include "server/hosting/world_registry.h"
#include "server/service/answer_queue.h"
#include "server/service/open_calls.h"

namespace meander::service {

struct ServiceContext {
  hosting::WorldRegistry& worlds;
  const hosting::Limits& limits;
  AnswerQueue& answers;
  OpenCalls& calls;
};

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_CONTEXT_H_
