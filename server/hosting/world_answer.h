// What a world keeps of the requests that came with a request id.
#ifndef MEANDER_SERVER_HOSTING_WORLD_ANSWER_H_
#define MEANDER_SERVER_HOSTING_WORLD_ANSWER_H_

#include <cstdint>
#include <optional>
#include <variant>

#include "server/hosting/kept_admission.h"
#include "server/hosting/request_book.h"
#include "server/hosting/world_info.h"

namespace meander::hosting {

// Where a call of Step goes to, and once it is there how it was answered.
struct KeptStep {
  std::int64_t target = 0;
  std::optional<TickInfo> answer;
};

// By the method of its key: SubmitCommands, StepWorld.
using WorldAnswer = std::variant<KeptAdmission, KeptStep>;
using WorldRequestBook = RequestBook<WorldAnswer>;

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORLD_ANSWER_H_
