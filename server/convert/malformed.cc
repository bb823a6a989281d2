#include "server/convert/malformed.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/validation.h"
#include "server/convert/wire_type.h"

namespace meander::convert {
namespace {

using core::Error;
using core::ErrorCode;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

constexpr int kMaxDepth = 100;  // Where Protobuf stops, too.
constexpr int kLongestVarint = 10;

// Takes pieces off the front of some bytes; nothing when they do not suffice.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}

  bool AtEnd() const { return rest_.empty(); }

  std::optional<std::uint64_t> TakeVarint() {
    std::uint64_t value = 0;
    for (int i = 0; i < kLongestVarint && !rest_.empty(); ++i) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  std::optional<std::string_view> Take(std::uint64_t size) {
    if (size > rest_.size()) return std::nullopt;
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::optional<std::string_view> TakeDelimited() {
    const auto size = TakeVarint();
    return size ? Take(*size) : std::nullopt;
  }

 private:
  std::string_view rest_;
};

// Where a walk stands; spelled out only when something is wrong there.
struct Place {
  const Place* above = nullptr;
  const FieldDescriptor* field = nullptr;
  std::size_t index = 0;  // In a repeated field.
  int depth = 0;

  std::string Path() const {
    if (field == nullptr) return "";
    std::string path = core::JoinPath(above->Path(), field->name());
    return field->is_repeated() ? core::IndexPath(path, index) : path;
  }
};

Error NotTheMessage(const Place& place, const Descriptor& type) {
  return {ErrorCode::kMalformed, place.Path(),
          "the bytes are not a " + std::string(type.full_name())};
}

// The wire type that a single value of the field has.
WireType OwnWireType(const FieldDescriptor& field) {
  switch (field.type()) {
    case FieldDescriptor::TYPE_DOUBLE:
    case FieldDescriptor::TYPE_FIXED64:
    case FieldDescriptor::TYPE_SFIXED64:
      return kFixed64;
    case FieldDescriptor::TYPE_FLOAT:
    case FieldDescriptor::TYPE_FIXED32:
    case FieldDescriptor::TYPE_SFIXED32:
      return kFixed32;
    case FieldDescriptor::TYPE_STRING:
    case FieldDescriptor::TYPE_BYTES:
    case FieldDescriptor::TYPE_MESSAGE:
      return kLengthDelimited;
    case FieldDescriptor::TYPE_GROUP:
      return kStartGroup;
    default:
      return kVarint;
  }
}

// A value that is not looked into; false when it is none. Adds it and those in
// it to `values`.
bool Skip(Cursor& in, std::uint64_t tag, int depth, std::size_t& values) {
  ++values;
  switch (tag & 7) {
    case kVarint:
      return in.TakeVarint().has_value();
    case kFixed64:
      return in.Take(8).has_value();
    case kFixed32:
      return in.Take(4).has_value();
    case kLengthDelimited:
      return in.TakeDelimited().has_value();
    case kStartGroup:
      if (depth >= kMaxDepth) return false;
      while (const auto inner = in.TakeVarint()) {
        if (*inner >> 3 == 0) return false;
        if ((*inner & 7) == kEndGroup) return *inner >> 3 == tag >> 3;
        if (!Skip(in, *inner, depth + 1, values)) return false;
      }
      return false;
    default:
      return false;
  }
}

bool IsPacked(std::string_view bytes, WireType type) {
  Cursor in(bytes);
  std::size_t values = 0;
  while (!in.AtEnd()) {
    if (!Skip(in, type, 0, values)) return false;
  }
  return true;
}

std::optional<Error> Walk(std::string_view bytes, const Descriptor& type,
                          const Place& place, std::size_t& messages);

// What is wrong with a length-delimited value of a field that may be one.
std::optional<Error> WalkValue(std::string_view value, const Place& place,
                               std::size_t& messages) {
  const FieldDescriptor& field = *place.field;
  if (field.type() == FieldDescriptor::TYPE_MESSAGE) {
    return Walk(value, *field.message_type(), place, messages);
  }
  if (field.type() == FieldDescriptor::TYPE_STRING && !IsUtf8(value)) {
    return Error{ErrorCode::kMalformed, place.Path(), "is not valid UTF-8"};
  }
  if (field.is_packable() && !IsPacked(value, OwnWireType(field))) {
    return NotTheMessage(place, *field.containing_type());
  }
  return std::nullopt;
}

// Adds the message and those in it to `messages`, and each value that is not
// of the type.
std::optional<Error> Walk(std::string_view bytes, const Descriptor& type,
                          const Place& place, std::size_t& messages) {
  ++messages;
  if (place.depth > kMaxDepth) return NotTheMessage(place, type);
  Cursor in(bytes);
  std::map<int, std::size_t> seen;  // Of repeated fields, by number.
  while (!in.AtEnd()) {
    const auto tag = in.TakeVarint();
    if (!tag || *tag >> 3 == 0 || *tag > UINT32_MAX) {
      return NotTheMessage(place, type);
    }
    Place below{&place, type.FindFieldByNumber(static_cast<int>(*tag >> 3)), 0,
                place.depth + 1};
    const bool known = below.field != nullptr;
    if (known && below.field->is_repeated()) {
      below.index = seen[below.field->number()]++;
    }
    const bool look = known && (*tag & 7) == kLengthDelimited &&
                      (below.field->is_packable() ||
                       OwnWireType(*below.field) == kLengthDelimited);
    if (!look) {
      // The parser keeps what it does not know, value by value.
      const bool expected = known && (*tag & 7) == OwnWireType(*below.field);
      std::size_t plain = 0;
      if (Skip(in, *tag, place.depth, expected ? plain : messages)) continue;
      return NotTheMessage(known ? below : place, type);
    }
    const auto value = in.TakeDelimited();
    if (!value) return NotTheMessage(below, type);
    if (auto error = WalkValue(*value, below, messages)) return error;
  }
  return std::nullopt;
}

// How many bytes a sequence takes that starts with `lead`; 0 for none.
std::size_t SequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 0;
}

// Whether `second` may follow `lead`: leaves out overlong forms, surrogates
// and what lies above U+10FFFF.
bool MayFollow(unsigned char lead, unsigned char second) {
  const unsigned char least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned char most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  return second >= least && second <= most;
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  std::size_t at = 0;
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(bytes[i]);
  };
  while (at < bytes.size()) {
    const std::size_t length = SequenceLength(byte(at));
    if (length == 0 || length > bytes.size() - at) return false;
    if (length > 1 && !MayFollow(byte(at), byte(at + 1))) return false;
    for (std::size_t i = 2; i < length; ++i) {
      if ((byte(at + i) & 0xc0) != 0x80) return false;
    }
    at += length;
  }
  return true;
}

Error ExplainMalformed(std::string_view bytes, const Descriptor& type) {
  const Place root;
  std::size_t messages = 0;
  if (auto error = Walk(bytes, type, root, messages)) return *std::move(error);
  return NotTheMessage(root, type);
}

std::optional<Error> CheckDensity(std::string_view bytes,
                                  const Descriptor& type) {
  constexpr std::size_t kLeastBytes = 2;  // A tag and a length.
  const std::size_t allowed =
      kMessagesAlwaysAllowed + bytes.size() / kBytesForEachMore;
  if (bytes.size() / kLeastBytes < allowed) return std::nullopt;
  std::size_t messages = 0;
  // What is malformed is for the parser to refuse.
  (void)Walk(bytes, type, Place{}, messages);
  if (messages <= allowed) return std::nullopt;
  return Error{ErrorCode::kOutOfBounds, "",
               "a request of " + std::to_string(bytes.size()) +
                   " bytes may hold " + std::to_string(allowed) +
                   " messages at most; it holds " + std::to_string(messages)};
}

}  // namespace meander::convert
