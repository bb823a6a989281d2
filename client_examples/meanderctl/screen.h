// Lines on a terminal that are drawn over and over in the same place.
//
// The first drawing begins where the cursor is, and the terminal scrolls for
// it; each next one replaces the one before. The cursor is hidden meanwhile.
// What a drawing has too much for the terminal is left out, not wrapped. Lines
// may hold UTF-8, one column for each code point, and colors (ESC [ ... m).
// Single-threaded.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_SCREEN_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_SCREEN_H_

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace meander::ctl {

// Ends all colors.
inline constexpr char kPlain[] = "\x1b[m";

struct ScreenSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

class Screen {
 public:
  // `terminal` outlives it.
  explicit Screen(std::FILE* terminal) : terminal_(terminal) {}
  ~Screen() { Finish(); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // As it is now; the default where the terminal does not tell.
  ScreenSize Size() const;
  void Draw(const std::vector<std::string>& lines);
  // Leaves the last drawing above the cursor, and shows the cursor again.
  void Finish();

 private:
  std::FILE* terminal_;
  std::size_t drawn_ = 0;  // lines above the cursor
  ScreenSize size_;
  bool hidden_ = false;
};

// As much of a line as fits into so many columns.
std::string Cut(std::string_view line, std::size_t columns);

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_SCREEN_H_
