// A terminal as far as meanderctl uses one: what a person sees in the end.
//
// Rows scroll up when the cursor leaves the last one. Knows the sequences below
// and fails the test at any other. Single-threaded.
#ifndef MEANDER_TESTS_INTEGRATION_TERMINAL_H_
#define MEANDER_TESTS_INTEGRATION_TERMINAL_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace meander {

class Terminal {
 public:
  Terminal(std::size_t columns, std::size_t rows)
      : columns_(columns), rows_(rows), screen_(rows) {}

  void Write(std::string_view output);

  // All that scrolled away, and the screen; without spaces at the ends.
  std::vector<std::string> Everything() const;
  bool cursor_shown() const { return cursor_shown_; }
  // How often the cursor went up: drawings over others.
  int redraws() const { return redraws_; }
  // Whether a line was longer than the terminal is wide.
  bool wrapped() const { return wrapped_; }

 private:
  void Put(char letter);
  void NextLine();
  // The sequence that follows ESC [.
  void Control(std::string_view arguments, char final);

  const std::size_t columns_;
  const std::size_t rows_;
  std::vector<std::string> gone_;
  std::vector<std::string> screen_;
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  bool cursor_shown_ = true;
  int redraws_ = 0;
  bool wrapped_ = false;
};

}  // namespace meander

#endif  // MEANDER_TESTS_INTEGRATION_TERMINAL_H_
