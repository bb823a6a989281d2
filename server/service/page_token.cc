#include "server/service/page_token.h"

#include <charconv>
#include <optional>

#include "server/convert/quote.h"
#include "server/hosting/world_registry.h"

namespace meander::service {
namespace {

using core::Error;
using core::ErrorCode;

Error NotAToken(std::string_view token) {
  return {ErrorCode::kMalformed, "page_token",
          "is not the next_page_token of an answer before; it is " +
              convert::Quoted(token)};
}

// A number as IdPageToken writes it.
std::optional<std::int64_t> ParseNumber(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || value < 1 || text != std::to_string(value)) return {};
  return value;
}

}  // namespace

std::string IdPageToken(std::int64_t epoch, std::int64_t last_id) {
  return std::to_string(epoch) + '.' + std::to_string(last_id);
}

core::Result<std::int64_t> ParseIdPageToken(std::string_view token,
                                            std::int64_t epoch) {
  if (token.empty()) return std::int64_t{0};
  const std::size_t dot = token.find('.');
  if (dot == std::string_view::npos) return NotAToken(token);
  const auto token_epoch = ParseNumber(token.substr(0, dot));
  const auto last_id = ParseNumber(token.substr(dot + 1));
  if (!last_id || token_epoch != epoch) return NotAToken(token);
  return *last_id;
}

core::Result<std::string> ParseWorldPageToken(std::string_view token) {
  if (!token.empty() && !hosting::IsWorldId(token)) return NotAToken(token);
  return std::string(token);
}

core::Result<std::size_t> ParsePageSize(std::int32_t page_size,
                                        const hosting::Limits& limits) {
  if (page_size == 0) return limits.default_page_size;
  if (page_size < 0 ||
      static_cast<std::size_t>(page_size) > limits.max_page_size) {
    return Error{ErrorCode::kOutOfBounds, "page_size",
                 "must be 0 to " + std::to_string(limits.max_page_size) +
                     "; it is " + std::to_string(page_size)};
  }
  return static_cast<std::size_t>(page_size);
}

}  // namespace meander::service
