#include "tests/integration/terminal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace meander {

void Terminal::Write(std::string_view output) {
  for (std::size_t i = 0; i < output.size(); ++i) {
    const char letter = output[i];
    if (letter == '\r') {
      column_ = 0;
    } else if (letter == '\n') {
      NextLine();
    } else if (letter == '\x1b') {
      const std::size_t end = output.find_first_of("AHJKmhl", i);
      if (i + 1 >= output.size() || output[i + 1] != '[' ||
          end == std::string_view::npos) {
        ADD_FAILURE() << "half a sequence";
        return;
      }
      Control(output.substr(i + 2, end - i - 2), output[end]);
      i = end;
    } else {
      Put(letter);
    }
  }
}

std::vector<std::string> Terminal::Everything() const {
  std::vector<std::string> lines = gone_;
  lines.insert(lines.end(), screen_.begin(), screen_.end());
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

void Terminal::Put(char letter) {
  if (column_ == columns_) {
    wrapped_ = true;
    column_ = 0;
    NextLine();
  }
  std::string& line = screen_[row_];
  line.resize(std::max(line.size(), column_ + 1), ' ');
  line[column_++] = letter;
}

void Terminal::NextLine() {
  if (++row_ < rows_) return;
  gone_.push_back(screen_.front());
  screen_.erase(screen_.begin());
  screen_.emplace_back();
  row_ = rows_ - 1;
}

void Terminal::Control(std::string_view arguments, char final) {
  const auto count = static_cast<std::size_t>(
      std::strtoul(std::string(arguments).c_str(), nullptr, 10));
  if (final == 'A') {
    ++redraws_;
    row_ -= std::min(row_, std::max<std::size_t>(count, 1));
  } else if (final == 'K' && arguments.empty()) {
    screen_[row_].resize(std::min(screen_[row_].size(), column_));
  } else if (final == 'J' && arguments.empty()) {
    screen_[row_].resize(std::min(screen_[row_].size(), column_));
    std::fill(screen_.begin() + static_cast<std::ptrdiff_t>(row_) + 1,
              screen_.end(), "");
  } else if (final == 'J' && arguments == "2") {
    std::fill(screen_.begin(), screen_.end(), "");
  } else if (final == 'H' && arguments.empty()) {
    row_ = column_ = 0;
  } else if (arguments == "?25" && (final == 'l' || final == 'h')) {
    cursor_shown_ = final == 'h';
  } else if (final != 'm') {
    ADD_FAILURE() << "a sequence that is not known: " << arguments << final;
  }
}

}  // namespace meander
