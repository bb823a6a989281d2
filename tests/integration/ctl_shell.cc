#include "tests/integration/ctl_shell.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>

#include "tests/integration/server_process.h"

namespace meander {

CtlShell::CtlShell(const std::string& server)
    : folder_(TemporaryPath("shell")) {
  std::filesystem::create_directory(folder_);
  const std::string programs =
      std::filesystem::path(MEANDERCTL_PATH).parent_path();
  prelude_ = "export PATH='" + programs + "':$PATH MEANDER_SERVER='" + server +
             "'; unset NO_COLOR; cd '" + folder_ + "' && exec </dev/null; ";
}

CtlShell::~CtlShell() { std::filesystem::remove_all(folder_); }

ShellResult CtlShell::Run(const std::string& line) const {
  Process bash({"/bin/bash", "-c", prelude_ + line});
  ShellResult result;
  result.out = bash.ReadOutput();
  result.err = bash.ReadErrors();
  result.code = bash.Wait();
  return result;
}

std::string CtlShell::Must(const std::string& line) const {
  const ShellResult result = Run(line);
  EXPECT_EQ(result.code, 0) << line << '\n' << result.err;
  return result.out;
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace meander
