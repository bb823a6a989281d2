// Messages that a user writes as protobuf JSON: as an argument, in a file, or
// on standard input.
//
// Field names as in the .proto files or in lowerCamelCase; an unknown one is
// refused. At most 64 MiB of text are read.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_JSON_INPUT_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_JSON_INPUT_H_

#include <google/protobuf/message.h>

#include <string>
#include <string_view>
#include <vector>

#include "client_examples/meanderctl/values.h"

namespace meander::ctl {

// The text itself when it begins with { or [; "-" is standard input, and
// anything else the name of a file.
Wrong ReadSource(const std::string& source, std::string& text);

// The values that stand in the text one after the other; those of an array one
// by one. Views into the text. Only as much is looked at as it takes to tell
// where each ends.
Wrong SplitJson(std::string_view text, std::vector<std::string_view>& values);

Wrong ParseJson(std::string_view json, google::protobuf::Message& message);

// All values of a source, as messages of one type, after those that are there.
template <typename Messages>
Wrong ReadMessages(const std::string& source, Messages& messages) {
  std::string text;
  if (Wrong wrong = ReadSource(source, text)) return wrong;
  std::vector<std::string_view> values;
  if (Wrong wrong = SplitJson(text, values)) return wrong;
  for (const std::string_view value : values) {
    if (Wrong wrong = ParseJson(value, *messages.Add())) {
      return "value " + std::to_string(messages.size()) + ": " + *wrong;
    }
  }
  return std::nullopt;
}

// The one value of a source.
Wrong ReadMessage(const std::string& source,
                  google::protobuf::Message& message);

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_JSON_INPUT_H_
