#include "client_examples/meanderctl/failure.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <utility>

#include "meander/rpc/v1/error_details.pb.h"

namespace meander::ctl {
namespace {

// By number, as gRPC fixes them.
constexpr std::array<std::string_view, 17> kCodeNames{
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
};

// Whether `any` holds google.rpc's message of that name; then it is read.
template <typename Detail>
bool Unpack(const google::protobuf::Any& any, std::string_view name,
            Detail& detail) {
  return std::string_view(any.type_url()).ends_with(name) &&
         detail.ParseFromString(any.value());
}

void AddDetail(const google::protobuf::Any& any, Failure& failure) {
  rpc::v1::ErrorInfo info;
  rpc::v1::BadRequest bad;
  rpc::v1::RetryInfo retry;
  if (Unpack(any, "/google.rpc.ErrorInfo", info)) {
    failure.reason = info.reason();
  } else if (Unpack(any, "/google.rpc.BadRequest", bad)) {
    for (const auto& violation : bad.field_violations()) {
      failure.violations.push_back(
          {violation.field(), violation.description()});
    }
  } else if (Unpack(any, "/google.rpc.RetryInfo", retry)) {
    failure.retry_delay = std::chrono::seconds(retry.retry_delay().seconds()) +
                          Microseconds(retry.retry_delay().nanos() / 1000);
  }
}

std::string Seconds(Microseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%g",
                std::chrono::duration<double>(time).count());
  return text;
}

// What to do about it, where it does not go without saying.
std::string Advice(const Failure& failure) {
  switch (failure.code) {
    case grpc::StatusCode::UNIMPLEMENTED:
      return "  the server does not know this call; is it older than "
             "meanderctl?\n";
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return "  --timeout sets how long to wait\n";
    case grpc::StatusCode::UNAVAILABLE:
      if (failure.reason == "UNAVAILABLE") {
        return "  is meanderd running there? --server or MEANDER_SERVER says "
               "where\n";
      }
      break;
    default:
      break;
  }
  if (!failure.retry_delay) return "";
  return "  may be tried again after " + Seconds(*failure.retry_delay) + " s\n";
}

// Quoted.
std::string JsonText(const std::string& text) {
  google::protobuf::Value value;
  value.set_string_value(text);
  std::string json;
  // Fails for what is not UTF-8, which gRPC's messages are not either.
  if (!google::protobuf::util::MessageToJsonString(value, &json).ok()) {
    return "\"?\"";
  }
  return json;
}

}  // namespace

ExitCode ExitCodeOf(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::OK:
      return kOk;
    case grpc::StatusCode::UNAVAILABLE:
      return kUnreachable;
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return kTimeout;
    default:
      return kFailed;
  }
}

std::string CodeName(int code) {
  const auto index = static_cast<std::size_t>(code);
  return index < kCodeNames.size() ? std::string(kCodeNames[index])
                                   : std::to_string(code);
}

Failure Explain(const grpc::Status& status) {
  Failure failure;
  failure.code = status.error_code();
  failure.reason = CodeName(status.error_code());
  failure.message = status.error_message();
  rpc::v1::Status details;
  if (details.ParseFromString(status.error_details())) {
    for (const google::protobuf::Any& any : details.details()) {
      AddDetail(any, failure);
    }
  }
  return failure;
}

std::string ToText(const Failure& failure, const OptionList& options) {
  std::string text = "meanderctl: " + failure.reason;
  if (!failure.message.empty()) text += ": " + failure.message;
  text += '\n';
  // The message tells of the first one already.
  const bool only = failure.violations.size() == 1;
  for (const Violation& violation : failure.violations) {
    const Option* const filler = options.FillerOf(violation.field);
    if (!only) {
      text += "  " + violation.field + ": " + violation.description;
      if (filler != nullptr) text += " (" + filler->Name() + ')';
      text += '\n';
    } else if (filler != nullptr) {
      text += "  " + filler->Name() + " sets it\n";
    }
  }
  return text + Advice(failure);
}

std::string ToJson(const Failure& failure) {
  std::string json = "{\"code\":" + JsonText(CodeName(failure.code)) +
                     ",\"reason\":" + JsonText(failure.reason) +
                     ",\"message\":" + JsonText(failure.message) +
                     ",\"field_violations\":[";
  bool first = true;
  for (const Violation& violation : failure.violations) {
    json += first ? "" : ",";
    first = false;
    json += "{\"field\":" + JsonText(violation.field) +
            ",\"description\":" + JsonText(violation.description) + '}';
  }
  json += ']';
  if (failure.retry_delay) {
    json += ",\"retry_delay\":\"" + Seconds(*failure.retry_delay) + "s\"";
  }
  return json + "}\n";
}

}  // namespace meander::ctl
