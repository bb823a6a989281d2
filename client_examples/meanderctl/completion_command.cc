// completion: the script that a shell reads.

#include <memory>
#include <string>

#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/complete.h"
#include "client_examples/meanderctl/session.h"

namespace meander::ctl {
namespace {

constexpr CommandText kCompletion{
    .group = "Server",
    .name = "completion",
    .summary = "print a script that completes words in a shell",
    .text =
        "Prints a script for bash, which then completes commands, options, "
        "their values, and the names of worlds when the server answers at "
        "once. Put the first line below into ~/.bashrc.\n",
    .examples =
        "$ source <(meanderctl completion bash)\n"
        "Into a file:\n"
        "$ meanderctl completion bash >meanderctl.bash\n"};

std::string Script() {
  return std::string(R"(# Completion of meanderctl for bash: it asks meanderctl.
_meanderctl() {
  local answer
  mapfile -t answer < <("$1" )") +
         kCompleteWord + R"( "$COMP_CWORD" "${COMP_WORDS[@]}" 2>/dev/null)
  if [ "${answer[0]:-}" = files ]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$2")
  else
    COMPREPLY=("${answer[@]:1}")
  fi
}
complete -F _meanderctl meanderctl)";
}

}  // namespace

void AddCompletionCommand(CommandLine& line) {
  const auto shell = std::make_shared<std::string>();
  Command& command = line.Add(kCompletion);
  command.Text("SHELL", *shell, "SHELL", "the shell: bash")
      .Required()
      .OffersWords({"bash"});
  command.Does([shell](Session& session) {
    if (*shell != "bash") {
      return session.Fail("SHELL: \"" + *shell + "\" is not bash", kUsage);
    }
    session.Print(Script());
    return static_cast<int>(kOk);
  });
}

}  // namespace meander::ctl
