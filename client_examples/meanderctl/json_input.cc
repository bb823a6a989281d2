#include "client_examples/meanderctl/json_input.h"

#include <google/protobuf/util/json_util.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>

namespace meander::ctl {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
constexpr std::string_view kSpace = " \t\r\n";

bool IsJson(std::string_view source) {
  const std::size_t at = source.find_first_not_of(kSpace);
  return at != std::string_view::npos &&
         (source[at] == '{' || source[at] == '[');
}

// Where the object that begins the text ends; npos when it does not.
std::size_t EndOfObject(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (quoted) {
      if (letter == '\\') {
        ++i;
      } else if (letter == '"') {
        quoted = false;
      }
    } else if (letter == '"') {
      quoted = true;
    } else if (letter == '{' || letter == '[') {
      ++depth;
    } else if (letter == '}' || letter == ']') {
      if (--depth == 0) return i + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace

Wrong ReadSource(const std::string& source, std::string& text) {
  if (IsJson(source)) {
    text = source;
    return std::nullopt;
  }
  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdin) std::fclose(file);
    }
  };
  const std::unique_ptr<std::FILE, Close> file(
      source == "-" ? stdin : std::fopen(source.c_str(), "rb"));
  if (file != nullptr) {
    std::array<char, 65536> buffer{};
    while (const std::size_t got =
               std::fread(buffer.data(), 1, buffer.size(), file.get())) {
      if (text.size() + got > kMaxBytes) return "is longer than 64 MiB";
      text.append(buffer.data(), got);
    }
  }
  if (file == nullptr || std::ferror(file.get()) != 0) {
    return std::string("cannot be read: ") + std::strerror(errno);
  }
  return std::nullopt;
}

Wrong SplitJson(std::string_view text, std::vector<std::string_view>& values) {
  bool array = false;
  bool comma = false;
  for (;;) {
    const std::size_t at = text.find_first_not_of(kSpace);
    if (at == std::string_view::npos) {
      return array ? Wrong("ends within its array") : std::nullopt;
    }
    text.remove_prefix(at);
    const char first = text.front();
    if (first == '{' && !(array && comma)) {
      const std::size_t end = EndOfObject(text);
      if (end == std::string_view::npos) return "ends within an object";
      values.push_back(text.substr(0, end));
      text.remove_prefix(end);
      comma = array;
      continue;
    }
    if (first == '[' && !array) {
      array = true;
    } else if (first == ']' && array) {
      array = comma = false;
    } else if (first == ',' && comma) {
      comma = false;
    } else {
      return std::string("must hold JSON objects; \"") + first +
             "\" begins none";
    }
    text.remove_prefix(1);
  }
}

Wrong ParseJson(std::string_view json, google::protobuf::Message& message) {
  const auto status =
      google::protobuf::util::JsonStringToMessage(std::string(json), &message);
  if (status.ok()) return std::nullopt;
  return "is not " + std::string(message.GetDescriptor()->name()) +
         " as JSON: " + std::string(status.message());
}

Wrong ReadMessage(const std::string& source,
                  google::protobuf::Message& message) {
  std::string text;
  if (Wrong wrong = ReadSource(source, text)) return wrong;
  std::vector<std::string_view> values;
  if (Wrong wrong = SplitJson(text, values)) return wrong;
  if (values.size() != 1) return "must hold one JSON object";
  return ParseJson(values.front(), message);
}

}  // namespace meander::ctl
