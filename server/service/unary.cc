#include "server/service/unary.h"

#include <google/protobuf/stubs/common.h>
#include <grpcpp/support/slice.h>

#include <string_view>

#include "server/convert/malformed.h"

namespace meander::service {
namespace {

// Older Protobuf prints a line for every string that is not UTF-8. We answer
// with the field's name instead; a client must not fill the log.
[[maybe_unused]] const bool kQuiet = [] {
#if defined(GOOGLE_PROTOBUF_VERSION) && GOOGLE_PROTOBUF_VERSION < 4022000
  google::protobuf::SetLogHandler(nullptr);
#endif
  return true;
}();

}  // namespace

std::optional<core::Error> TakeRequest(const grpc::ByteBuffer* bytes,
                                       google::protobuf::Message& request) {
  // gRPC hands out the buffer as const, but made it for this call alone.
  grpc::ByteBuffer& buffer = *const_cast<grpc::ByteBuffer*>(bytes);
  grpc::Slice slice;
  if (!buffer.Valid() || !buffer.DumpToSingleSlice(&slice).ok()) {
    return core::Error{core::ErrorCode::kMalformed, "",
                       "the call carries no message"};
  }
  buffer.Clear();
  const std::string_view text(reinterpret_cast<const char*>(slice.begin()),
                              slice.size());
  if (auto error = convert::CheckDensity(text, *request.GetDescriptor())) {
    return error;
  }
  if (request.ParseFromArray(slice.begin(), static_cast<int>(slice.size()))) {
    return std::nullopt;
  }
  return convert::ExplainMalformed(text, *request.GetDescriptor());
}

grpc::ByteBuffer Serialize(const google::protobuf::Message& message) {
  const std::size_t size = message.ByteSizeLong();
  grpc::Slice slice(size);
  auto* bytes = const_cast<std::uint8_t*>(slice.begin());
  message.SerializeWithCachedSizesToArray(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

UnaryTicket::~UnaryTicket() {
  if (answered_) return;
  call_.Finish({grpc::StatusCode::INTERNAL, "the server dropped the call"});
}

void UnaryTicket::Answer(const google::protobuf::Message& response) {
  if (!answered_.exchange(true)) call_.Answer(response);
}

void UnaryTicket::Fail(const grpc::Status& status) {
  if (!answered_.exchange(true)) call_.Finish(status);
}

void FailWith(UnaryTicket& ticket, const core::Error& error) {
  ticket.Fail(convert::ToStatus(error));
}

void FailWith(UnaryTicket& ticket, const core::Violations& violations) {
  ticket.Fail(convert::ToStatus(violations));
}

}  // namespace meander::service
