#include "client_examples/meanderctl/session.h"

#include <google/protobuf/util/json_util.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "client_examples/meanderctl/screen.h"

namespace meander::ctl {
namespace {

constexpr std::chrono::seconds kDefaultTimeout{30};
constexpr std::int64_t kDefaultRetries = 3;

constexpr char kBold[] = "\x1b[1m";
constexpr char kRed[] = "\x1b[31m";

void Write(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
}

// Under the name that the library at hand has for it.
template <typename Options>
void ShowZeros(Options& options) {
  if constexpr (requires { options.always_print_fields_with_no_presence; }) {
    options.always_print_fields_with_no_presence = true;
  } else {
    options.always_print_primitive_fields = true;
  }
}

}  // namespace

std::string ToJson(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  ShowZeros(options);
  std::string json;
  // Messages of ours hold nothing that JSON cannot say.
  (void)google::protobuf::util::MessageToJsonString(message, &json, options);
  return json;
}

Connection& Session::connection() {
  if (connection_ == nullptr) {
    connection_ = std::make_unique<Connection>(settings_.server);
  }
  return *connection_;
}

CallSettings Session::Calls() const {
  CallSettings calls = LongCalls();
  if (!calls.timeout) calls.timeout = kDefaultTimeout;
  return calls;
}

CallSettings Session::LongCalls() const {
  return {settings_.timeout, settings_.retries.value_or(kDefaultRetries),
          settings_.quiet};
}

void Session::Print(std::string_view line) const {
  Write(stdout, line);
  Write(stdout, "\n");
}

void Session::Print(const Table& table) const {
  const std::vector<std::string> lines = table.Lines();
  const bool colors = Colors(STDOUT_FILENO);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Print(i == 0 && colors ? kBold + lines[i] + kPlain : lines[i]);
  }
}

void Session::Print(const google::protobuf::Message& message) const {
  Print(ToJson(message));
}

void Session::Say(std::string_view line) const {
  if (!settings_.quiet) Print(line);
}

void Session::Say(const google::protobuf::Message& message,
                  std::string_view line) const {
  if (settings_.quiet) return;
  if (settings_.json) {
    Print(message);
  } else {
    Print(line);
  }
}

int Session::Fail(const grpc::Status& status) const {
  const Failure failure = Explain(status);
  std::fflush(stdout);
  if (settings_.json) {
    Write(stderr, ToJson(failure));
  } else {
    const bool colors = Colors(STDERR_FILENO);
    if (colors) Write(stderr, kRed);
    Write(stderr, ToText(failure, *command_));
    if (colors) Write(stderr, kPlain);
  }
  return ExitCodeOf(failure.code);
}

int Session::Fail(std::string_view message, ExitCode code) const {
  std::fflush(stdout);
  Write(stderr, "meanderctl: ");
  Write(stderr, message);
  Write(stderr, "\n");
  return code;
}

bool Session::Colors(int descriptor) const {
  const char* const no_color = std::getenv("NO_COLOR");
  return !settings_.no_color && (no_color == nullptr || *no_color == '\0') &&
         isatty(descriptor) == 1;
}

}  // namespace meander::ctl
