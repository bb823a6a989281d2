// What is wrong with a request that does not parse, or should not be parsed.
//
// gRPC and Protobuf only say that it failed. This walks the bytes as the
// message's descriptor reads them and names the first field at fault: a string
// that is not UTF-8, or the place where the bytes stop making sense. Reads
// anything without failing itself; takes time in proportion to the bytes. Pure
// functions.
#ifndef MEANDER_SERVER_CONVERT_MALFORMED_H_
#define MEANDER_SERVER_CONVERT_MALFORMED_H_

#include <google/protobuf/descriptor.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/error.h"

namespace meander::convert {

// Of a request of that type, whose parser refused the bytes.
core::Error ExplainMalformed(std::string_view bytes,
                             const google::protobuf::Descriptor& type);

// A message, or a value that the type does not have, takes two bytes on the
// wire and about a hundred when parsed. What is wrong with a request that holds
// too many for its length; looks only at bytes that could.
std::optional<core::Error> CheckDensity(
    std::string_view bytes, const google::protobuf::Descriptor& type);

inline constexpr std::size_t kMessagesAlwaysAllowed = 131'072;
inline constexpr std::size_t kBytesForEachMore = 8;

// As Unicode defines it: no overlong forms, no surrogates, up to U+10FFFF.
bool IsUtf8(std::string_view bytes);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_MALFORMED_H_
