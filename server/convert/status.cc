#include "server/convert/status.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "meander/rpc/v1/error_details.pb.h"
#include "server/convert/error_table.h"
#include "server/convert/quote.h"

namespace meander::convert {
namespace {

constexpr std::string_view kTypeUrlPrefix = "type.googleapis.com/google.rpc.";

template <typename Detail>
void AddDetail(std::string_view name, const Detail& detail,
               rpc::v1::Status& status) {
  google::protobuf::Any& any = *status.add_details();
  any.set_type_url(std::string(kTypeUrlPrefix).append(name));
  detail.SerializeToString(any.mutable_value());
}

std::string Message(std::span<const core::Error> errors) {
  const core::Error& first = errors.front();
  std::string message =
      first.field.empty() ? "" : Printable(first.field, kMaxFieldBytes) + ": ";
  message += Printable(first.reason, kMaxDescriptionBytes);
  if (errors.size() > 1) {
    message += " (and " + std::to_string(errors.size() - 1) + " more)";
  }
  return message;
}

rpc::v1::BadRequest ToBadRequest(std::span<const core::Error> errors) {
  rpc::v1::BadRequest bad;
  for (const core::Error& error : errors) {
    if (error.field.empty()) continue;
    auto& violation = *bad.add_field_violations();
    violation.set_field(Printable(error.field, kMaxFieldBytes));
    violation.set_description(Printable(error.reason, kMaxDescriptionBytes));
    if (static_cast<std::size_t>(bad.field_violations_size()) ==
        kMaxFieldViolations) {
      break;
    }
  }
  return bad;
}

grpc::Status Build(std::span<const core::Error> errors) {
  const ErrorEntry& entry = Describe(errors.front().code);
  rpc::v1::Status status;
  status.set_code(entry.status);
  status.set_message(Message(errors));

  rpc::v1::ErrorInfo info;
  info.set_reason(std::string(entry.name));
  info.set_domain(std::string(kErrorDomain));
  AddDetail("ErrorInfo", info, status);

  const rpc::v1::BadRequest bad = ToBadRequest(errors);
  if (bad.field_violations_size() > 0) AddDetail("BadRequest", bad, status);

  if (entry.retry_delay.count() > 0) {
    using std::chrono::duration_cast;
    const auto seconds =
        std::chrono::floor<std::chrono::seconds>(entry.retry_delay);
    rpc::v1::RetryInfo retry;
    retry.mutable_retry_delay()->set_seconds(seconds.count());
    retry.mutable_retry_delay()->set_nanos(static_cast<int>(
        duration_cast<std::chrono::nanoseconds>(entry.retry_delay - seconds)
            .count()));
    AddDetail("RetryInfo", retry, status);
  }
  return {entry.status, status.message(), status.SerializeAsString()};
}

}  // namespace

grpc::Status ToStatus(const core::Error& error) { return Build({&error, 1}); }

grpc::Status ToStatus(const core::Violations& violations) {
  MEANDER_CHECK(!violations.empty());
  return Build(violations);
}

}  // namespace meander::convert
