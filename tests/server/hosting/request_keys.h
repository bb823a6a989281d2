// Keys of requests as tests of hosting write them.
#ifndef MEANDER_TESTS_SERVER_HOSTING_REQUEST_KEYS_H_
#define MEANDER_TESTS_SERVER_HOSTING_REQUEST_KEYS_H_

#include <cstdint>

#include "server/hosting/request_book.h"

namespace meander::hosting {

inline RequestKey Key(std::uint8_t id, std::uint64_t fingerprint = 1,
                      KeyedMethod method = KeyedMethod::kSubmitCommands) {
  RequestKey key{.id = {.method = method}, .fingerprint = fingerprint};
  key.id.uuid[7] = id;
  return key;
}

}  // namespace meander::hosting

#endif  // MEANDER_TESTS_SERVER_HOSTING_REQUEST_KEYS_H_
