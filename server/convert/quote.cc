#include "server/convert/quote.h"

namespace meander::convert {
namespace {

constexpr std::size_t kQuotedLimit = 64;
constexpr std::string_view kCut = "...";

std::string Escaped(std::string_view text, std::size_t limit,
                    std::string_view also) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  std::size_t fits = 0;  // How much of `out` leaves room for the mark of a cut.
  for (const char c : text) {
    if (out.size() + kCut.size() <= limit) fits = out.size();
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7e) {
      out += "\\x";
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    } else {
      if (also.find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
    if (out.size() > limit) return out.substr(0, fits).append(kCut);
  }
  return out;
}

}  // namespace

std::string Printable(std::string_view text, std::size_t limit) {
  return Escaped(text, limit, "");
}

std::string Quoted(std::string_view text) {
  return '"' + Escaped(text, kQuotedLimit, "\"\\") + '"';
}

}  // namespace meander::convert
