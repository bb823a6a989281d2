// The one table of what can go wrong: reason, canonical code and meaning.
//
// Names are part of the protocol (ErrorInfo.reason, CommandRejection.reason)
// and never change; each is unique, and every core::ErrorCode has one.
// Constant data; safe from any thread.
#ifndef MEANDER_SERVER_CONVERT_ERROR_TABLE_H_
#define MEANDER_SERVER_CONVERT_ERROR_TABLE_H_

#include <grpcpp/support/status.h>

#include <chrono>
#include <span>
#include <string_view>

#include "core/error.h"

namespace meander::convert {

// ErrorInfo.domain: whose names these are.
inline constexpr std::string_view kErrorDomain = "meander.dev";

struct ErrorEntry {
  core::ErrorCode code;
  std::string_view name;
  grpc::StatusCode status;
  // When a retry of the same request can help: the least wait before it. Else
  // 0.
  std::chrono::milliseconds retry_delay;
  std::string_view meaning;  // One sentence, for the documentation.
};

// In the order of core::ErrorCode.
std::span<const ErrorEntry> ErrorTable();

const ErrorEntry& Describe(core::ErrorCode code);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_ERROR_TABLE_H_
