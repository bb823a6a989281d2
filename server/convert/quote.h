// Text that others chose, made safe to show in an error: printable ASCII, cut
// to a length, so that trailers and logs stay small and readable whatever a
// client sends. Pure functions.
#ifndef MEANDER_SERVER_CONVERT_QUOTE_H_
#define MEANDER_SERVER_CONVERT_QUOTE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace meander::convert {

// Every byte that is not printable ASCII as \xNN. At most `limit` (at least 3)
// bytes; what is cut ends in "...".
std::string Printable(std::string_view text, std::size_t limit);

// The same between quotation marks, at most 64 bytes of it; quotation marks
// and backslashes inside are escaped.
std::string Quoted(std::string_view text);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_QUOTE_H_
