#include "server/convert/error_docs.h"

#include <absl/status/status.h>

#include <string_view>

#include "server/convert/error_table.h"

namespace meander::convert {
namespace {

constexpr std::string_view kHead =
    "# Errors\n"
    "\n"
    "A call that fails tells why in the trailer `grpc-status-details-bin`, in\n"
    "google.rpc's standard messages: always an `ErrorInfo` with one of these\n"
    "reasons and the domain `meander.dev`; a `BadRequest` where fields are at\n"
    "fault; a `RetryInfo` where the same request may succeed later. A command\n"
    "that is refused by itself carries the same code and reason in its\n"
    "`CommandRejection`.\n"
    "\n"
    "Printed by `meanderd --print_errors`.\n"
    "\n"
    "| reason | code | retry after | meaning |\n"
    "| --- | --- | --- | --- |\n";

std::string Retry(std::chrono::milliseconds delay) {
  return delay.count() == 0 ? "" : std::to_string(delay.count()) + " ms";
}

}  // namespace

std::string ErrorDocs() {
  std::string out(kHead);
  for (const ErrorEntry& entry : ErrorTable()) {
    // gRPC's codes are Abseil's.
    const auto code = static_cast<absl::StatusCode>(entry.status);
    out.append("| ").append(entry.name);
    out += " | " + absl::StatusCodeToString(code) + " | " +
           Retry(entry.retry_delay) + " | ";
    out.append(entry.meaning).append(" |\n");
  }
  return out;
}

}  // namespace meander::convert
