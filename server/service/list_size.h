// How long a list in a request may be. Pure functions.
#ifndef MEANDER_SERVER_SERVICE_LIST_SIZE_H_
#define MEANDER_SERVER_SERVICE_LIST_SIZE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/convert/status.h"

namespace meander::service {

// What is wrong with a list of that many entries, of which there must be 1 to
// `most`; the error names `field`.
inline std::optional<core::Error> CheckListSize(std::string_view field,
                                                int entries, std::size_t most) {
  if (entries < 1) {
    return core::Error{core::ErrorCode::kMalformed, std::string(field),
                       "must hold at least one entry"};
  }
  if (static_cast<std::size_t>(entries) <= most) return std::nullopt;
  return core::Error{core::ErrorCode::kOutOfBounds, std::string(field),
                     "may hold " + std::to_string(most) +
                         " entries at most; it holds " +
                         std::to_string(entries)};
}

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_LIST_SIZE_H_
