// Values as people write them on the command line.
//
// Each ParseValue takes the whole text or refuses it, and then says what the
// form is, for a person. It checks the form only: ranges are the server's, so
// that each limit is said in one place. Pure functions.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_VALUES_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_VALUES_H_

#include <google/protobuf/generated_enum_reflection.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meander/v1/command.pb.h"
#include "meander/v1/vector.pb.h"

namespace meander::ctl {

using Microseconds = std::chrono::microseconds;

// What is wrong, or nothing.
using Wrong = std::optional<std::string>;

// Decimal, or hexadecimal after 0x.
Wrong ParseValue(std::string_view text, std::int64_t& value);
Wrong ParseValue(std::string_view text, std::uint64_t& value);
Wrong ParseValue(std::string_view text, std::int32_t& value);
Wrong ParseValue(std::string_view text, std::uint32_t& value);
Wrong ParseValue(std::string_view text, double& value);
Wrong ParseValue(std::string_view text, float& value);
// Seconds, or with a unit: 500ms, 5s, 10m, 2h, 1d.
Wrong ParseValue(std::string_view text, Microseconds& value);
// X,Y,Z or X,Y, where z is 0.
Wrong ParseValue(std::string_view text, v1::Vec3& value);
// LOW:HIGH, each a point, or one number for all three axes.
Wrong ParseValue(std::string_view text, v1::Box& value);
// RADIUS about the origin, or X,Y,Z:RADIUS.
Wrong ParseValue(std::string_view text, v1::Disc& value);
Wrong ParseValue(std::string_view text, v1::Ball& value);
// RADIUS,DISTANCE,JITTER.
Wrong ParseValue(std::string_view text, v1::WanderWorldAngle& value);
// A point X,Y,Z, or "agent:ID".
Wrong ParseValue(std::string_view text, v1::Target& value);

// The values of an enum in the words of the command line: PLANE_XY is "xy",
// LATE_POLICY_NEXT_TICK "next-tick". What is unspecified is none of them.
std::vector<std::string> Choices(const google::protobuf::EnumDescriptor& type);
std::optional<int> ChoiceNumber(const google::protobuf::EnumDescriptor& type,
                                std::string_view word);
// Of a number that the enum does not have, its digits.
std::string ChoiceWord(const google::protobuf::EnumDescriptor& type,
                       int number);

template <typename Enum>
std::string Word(Enum value) {
  return ChoiceWord(*google::protobuf::GetEnumDescriptor<Enum>(), value);
}

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_VALUES_H_
