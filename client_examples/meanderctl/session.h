// What a command works with: the settings for all commands, the server, and
// the way to speak to the user.
//
// Results go to standard output, everything else to standard error. Connects
// when a command first asks for the connection. Single-threaded.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_SESSION_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_SESSION_H_

#include <google/protobuf/message.h>
#include <grpcpp/support/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client_examples/meanderctl/command_line.h"
#include "client_examples/meanderctl/connection.h"
#include "client_examples/meanderctl/failure.h"
#include "client_examples/meanderctl/table.h"

namespace meander::ctl {

struct Settings {
  std::string server = kDefaultServer;
  std::optional<Microseconds> timeout;
  std::optional<std::int64_t> retries;
  bool json = false;
  bool quiet = false;
  bool no_color = false;
};

class Session {
 public:
  explicit Session(const Settings& settings) : settings_(settings) {}

  const Settings& settings() const { return settings_; }
  bool json() const { return settings_.json; }
  // Whose options the failures name.
  void set_command(const Command& command) { command_ = &command; }

  Connection& connection();
  // --timeout, or 30 seconds.
  CallSettings Calls() const;
  // --timeout, or however long it takes.
  CallSettings LongCalls() const;

  template <typename Stub, typename Request, typename Response>
  grpc::Status Call(Repeat repeat, const std::unique_ptr<Stub>& stub,
                    grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                 const Request&, Response*),
                    const Request& request, Response& response) {
    return ctl::Call(Calls(), repeat, stub, method, request, response);
  }

  // A result, whatever --quiet says.
  void Print(std::string_view line) const;
  void Print(const Table& table) const;
  // The message as JSON on one line, all fields by their names in the .proto
  // files, also those that are 0.
  void Print(const google::protobuf::Message& message) const;
  // What was done: not with --quiet.
  void Say(std::string_view line) const;
  // The message with --json, else the line; neither with --quiet.
  void Say(const google::protobuf::Message& message,
           std::string_view line) const;

  // Say what went wrong, and return the exit code.
  int Fail(const grpc::Status& status) const;
  int Fail(std::string_view message, ExitCode code = kFailed) const;

  // Whether what is written there may have colors.
  bool Colors(int descriptor) const;

 private:
  const Settings& settings_;
  const Command* command_ = nullptr;
  std::unique_ptr<Connection> connection_;
};

// As Session::Print has it.
std::string ToJson(const google::protobuf::Message& message);

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_SESSION_H_
