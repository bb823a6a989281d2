// How Protobuf's wire format tells where a field's value ends: the low three
// bits of its tag. The numbers are those of the format.
#ifndef MEANDER_SERVER_CONVERT_WIRE_TYPE_H_
#define MEANDER_SERVER_CONVERT_WIRE_TYPE_H_

#include <cstdint>

namespace meander::convert {

enum WireType : std::uint32_t {
  kVarint = 0,
  kFixed64 = 1,
  kLengthDelimited = 2,
  kStartGroup = 3,
  kEndGroup = 4,
  kFixed32 = 5,
};

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_WIRE_TYPE_H_
