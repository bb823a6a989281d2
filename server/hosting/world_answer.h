// What a world keeps of the requests that came with a request id.
#ifndef MEANDER_SERVER_HOSTING_WORLD_ANSWER_H_
#define MEANDER_SERVER_HOSTING_WORLD_ANSWER_H_

#include <variant>

#include "server/hosting/kept_admission.h"
#include "server/hosting/request_book.h"

namespace meander::hosting {

// By the method of its key: SubmitCommands.
using WorldAnswer = std::variant<KeptAdmission>;
using WorldRequestBook = RequestBook<WorldAnswer>;

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORLD_ANSWER_H_
