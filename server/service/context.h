// What the services share. They are stateless themselves.
//
// Everything outlives the services. Plain data.
#ifndef MEANDER_SERVER_SERVICE_CONTEXT_H_
#define MEANDER_SERVER_SERVICE_CONTEXT_H_

#include "server/hosting/agent_budget.h"
#include "server/hosting/clock.h"
#include "server/hosting/limits.h"
#include "server/hosting/world_registry.h"
#include "server/service/answer_queue.h"
#include "server/service/open_calls.h"
#include "server/service/server_facts.h"

namespace meander::service {

struct ServiceContext {
  const ServerFacts& facts;
  const hosting::Limits& limits;
  hosting::Clock& clock;
  const hosting::AgentBudget& agents;
  hosting::WorldRegistry& worlds;
  AnswerQueue& answers;
  OpenCalls& calls;
};

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_CONTEXT_H_
