// Events as watchers ask for them and are told them. Pure functions.
#ifndef MEANDER_SERVER_CONVERT_EVENT_CONVERT_H_
#define MEANDER_SERVER_CONVERT_EVENT_CONVERT_H_

#include <google/protobuf/repeated_field.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/event.h"
#include "meander/v1/event.pb.h"

namespace meander::convert {

// What an event takes in a message at most.
inline constexpr std::size_t kMostEventBytes = 26;

// The first value, by its place in `field`, that is no kind of event.
std::optional<core::Error> CheckEventKinds(
    const google::protobuf::RepeatedField<int>& kinds, std::string_view field);

void ToProto(const core::Event& event, v1::Event& out);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_EVENT_CONVERT_H_
