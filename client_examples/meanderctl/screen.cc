#include "client_examples/meanderctl/screen.h"

#include <sys/ioctl.h>

#include <algorithm>

namespace meander::ctl {
namespace {

constexpr char kHideCursor[] = "\x1b[?25l";
constexpr char kShowCursor[] = "\x1b[?25h";
constexpr char kClearLine[] = "\x1b[K";
constexpr char kClearBelow[] = "\x1b[J";
constexpr char kClearAll[] = "\x1b[H\x1b[2J";

bool BeginsCodePoint(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

}  // namespace

std::string Cut(std::string_view line, std::size_t columns) {
  std::size_t used = 0;
  bool colored = false;
  std::size_t i = 0;
  while (i < line.size()) {
    if (line[i] == '\x1b') {
      const std::size_t end = line.find('m', i);
      if (end == std::string_view::npos) break;
      colored = true;
      i = end + 1;
      continue;
    }
    if (used == columns) break;
    ++used;
    ++i;
    while (i < line.size() && !BeginsCodePoint(line[i])) ++i;
  }
  std::string out(line.substr(0, i));
  // The cut may have taken the end of a color.
  if (colored && i < line.size()) out += kPlain;
  return out;
}

ScreenSize Screen::Size() const {
  winsize size{};
  ScreenSize out;
  if (ioctl(fileno(terminal_), TIOCGWINSZ, &size) == 0) {
    if (size.ws_col > 0) out.columns = size.ws_col;
    if (size.ws_row > 0) out.rows = size.ws_row;
  }
  return out;
}

void Screen::Draw(const std::vector<std::string>& lines) {
  const ScreenSize size = Size();
  std::string out;
  if (!hidden_) {
    out += kHideCursor;
    hidden_ = true;
  } else if (size.columns != size_.columns || size.rows != size_.rows) {
    // The terminal may have wrapped what is there anew: nobody knows where.
    out += kClearAll;
  } else if (drawn_ > 0) {
    out += "\r\x1b[" + std::to_string(drawn_) + 'A';
  }
  size_ = size;
  // The cursor stands on a line of its own below.
  drawn_ = std::min(lines.size(), size.rows - 1);
  for (std::size_t i = 0; i < drawn_; ++i) {
    out += Cut(lines[i], size.columns);
    out += kClearLine;
    out += "\r\n";
  }
  out += kClearBelow;
  // In one piece, so that no half of it is ever seen.
  std::fwrite(out.data(), 1, out.size(), terminal_);
  std::fflush(terminal_);
}

void Screen::Finish() {
  if (!hidden_) return;
  hidden_ = false;
  drawn_ = 0;
  // What the terminal echoed of Ctrl-C goes.
  std::fputs("\r", terminal_);
  std::fputs(kClearBelow, terminal_);
  std::fputs(kShowCursor, terminal_);
  std::fflush(terminal_);
}

}  // namespace meander::ctl
