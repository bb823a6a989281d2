// meanderctl as its users meet it: typed into a shell.
//
// Each line runs in a bash of its own, in a folder of the test's, with
// meanderctl on the PATH and MEANDER_SERVER set. Single-threaded.
#ifndef MEANDER_TESTS_INTEGRATION_CTL_SHELL_H_
#define MEANDER_TESTS_INTEGRATION_CTL_SHELL_H_

#include <string>
#include <string_view>
#include <vector>

namespace meander {

struct ShellResult {
  int code = 0;
  std::string out;
  std::string err;
};

class CtlShell {
 public:
  explicit CtlShell(const std::string& server);
  // Removes the folder and what is in it.
  ~CtlShell();
  CtlShell(const CtlShell&) = delete;
  CtlShell& operator=(const CtlShell&) = delete;

  ShellResult Run(const std::string& line) const;
  // What it printed; fails the test when the exit code is not 0.
  std::string Must(const std::string& line) const;

 private:
  std::string folder_;
  std::string prelude_;
};

// Lines without their ends.
std::vector<std::string> Lines(std::string_view text);

}  // namespace meander

#endif  // MEANDER_TESTS_INTEGRATION_CTL_SHELL_H_
