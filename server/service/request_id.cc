#include "server/service/request_id.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "server/convert/quote.h"

namespace meander::service {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

using Uuid = std::array<std::uint8_t, 16>;

constexpr std::size_t kUuidLength = 36;

constexpr bool IsDash(std::size_t place) {
  return place == 8 || place == 13 || place == 18 || place == 23;
}

std::optional<Uuid> ParseUuid(std::string_view text) {
  if (text.size() != kUuidLength) return std::nullopt;
  Uuid uuid{};
  std::size_t byte = 0;
  for (std::size_t i = 0; i < kUuidLength; ++i) {
    if (IsDash(i)) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    const char* const pair = text.data() + i++;
    if (std::from_chars(pair, pair + 2, uuid[byte++], 16).ptr != pair + 2) {
      return std::nullopt;
    }
  }
  return uuid;
}

// The same for equal payloads, whatever the id.
std::uint64_t Fingerprint(const Message& request,
                          const FieldDescriptor& id_field) {
  const std::unique_ptr<Message> payload(request.New());
  payload->CopyFrom(request);
  payload->GetReflection()->ClearField(payload.get(), &id_field);
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream out(&stream);
    out.SetSerializationDeterministic(true);
    payload->SerializeToCodedStream(&out);
  }
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace

core::Result<std::optional<hosting::RequestKey>> ToRequestKey(
    hosting::KeyedMethod method, const Message& request) {
  const FieldDescriptor* const field =
      request.GetDescriptor()->FindFieldByName("request_id");
  MEANDER_CHECK(field != nullptr &&
                field->cpp_type() == FieldDescriptor::CPPTYPE_STRING);
  const std::string id = request.GetReflection()->GetString(request, field);
  if (id.empty()) return std::optional<hosting::RequestKey>();
  const std::optional<Uuid> uuid = ParseUuid(id);
  if (!uuid) {
    return core::Error{core::ErrorCode::kMalformed, "request_id",
                       "must be a UUID, 8-4-4-4-12 hexadecimal digits; it is " +
                           convert::Quoted(id)};
  }
  return std::optional(
      hosting::RequestKey{.id = {.method = method, .uuid = *uuid},
                          .fingerprint = Fingerprint(request, *field)});
}

}  // namespace meander::service
