// What meanderctl teaches: every example of its help works, and bash completes
// what the help lists.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "tests/integration/ctl_shell.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

constexpr char kExample[] = "  $ ";
// Ctrl-C after a while.
// In the foreground it sends one signal; else its group gets a second one.
constexpr char kUntilCtrlC[] =
    "timeout --foreground --preserve-status -s INT 3 ";

class MeanderctlHelpTest : public testing::Test {
 protected:
  // What is typed in the examples of a help text, line by line.
  static std::vector<std::string> Examples(const std::string& help) {
    std::vector<std::string> examples;
    for (const std::string& line : Lines(help)) {
      if (line.starts_with(kExample)) {
        examples.push_back(line.substr(std::string(kExample).size()));
      }
    }
    return examples;
  }

  // The candidates for the last of the words, as bash split them.
  std::vector<std::string> Complete(
      const std::vector<std::string>& words) const {
    std::string quoted;
    for (const std::string& word : words) quoted += " '" + word + "'";
    return Lines(shell.Must(
        "source <(meanderctl completion bash);"
        "[ \"$(complete -p meanderctl)\" = "
        "'complete -F _meanderctl meanderctl' ] || exit 9;"
        "COMP_WORDS=(" +
        quoted +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
        "_meanderctl meanderctl \"${COMP_WORDS[-1]}\";"
        "[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' \"${COMPREPLY[@]}\""));
  }

  const ServerProcess server;
  const CtlShell shell{server.address()};
};

TEST_F(MeanderctlHelpTest, TheFirstExamplesWorkInTheirOrder) {
  const std::vector<std::string> examples =
      Examples(shell.Must("meanderctl --help"));
  EXPECT_GE(examples.size(), 5u);
  for (const std::string& example : examples) shell.Must(example);
}

TEST_F(MeanderctlHelpTest, EveryExampleOfEveryCommandWorks) {
  // What the first examples make is there, but for the last of them.
  std::vector<std::string> first = Examples(shell.Must("meanderctl --help"));
  ASSERT_THAT(first.back(), HasSubstr(" delete "));
  first.pop_back();
  const std::vector<std::string> commands = Complete({"meanderctl", ""});
  ASSERT_THAT(commands, IsSupersetOf({"create", "watch", "completion"}));
  for (const std::string& command : commands) {
    SCOPED_TRACE(command);
    if (command != "create") {
      for (const std::string& example : first) shell.Must(example);
    }
    const std::vector<std::string> examples =
        Examples(shell.Must("meanderctl " + command + " --help"));
    EXPECT_THAT(examples, Not(IsEmpty()));
    for (const std::string& example : examples) {
      const bool endless = example.ends_with("# until Ctrl-C");
      shell.Must((endless ? kUntilCtrlC : "") + example);
    }
    for (const std::string& world :
         Lines(shell.Must("meanderctl list --json | jq -r .name"))) {
      shell.Must("meanderctl delete " + world);
    }
  }
}

TEST_F(MeanderctlHelpTest, TheReadmeShowsWhatHappens) {
  std::ifstream file("README.md");
  ASSERT_TRUE(file) << "run from the root of the repository";
  int hashes = 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("meanderctl ")) continue;
    // What stands in quotes may go on over several lines.
    for (std::string more;
         std::count(line.begin(), line.end(), '\'') % 2 != 0 &&
         std::getline(file, more);) {
      line += '\n' + more;
    }
    const std::size_t comment = line.find('#');
    const bool endless = line.ends_with("until Ctrl-C");
    const std::string out = shell.Must((endless ? kUntilCtrlC : "") + line);
    if (comment == std::string::npos) continue;
    const std::string said = line.substr(comment + 2);
    if (!said.starts_with("tick ")) continue;
    EXPECT_EQ(out, said + "\n");
    ++hashes;
  }
  EXPECT_EQ(hashes, 1);
}

TEST_F(MeanderctlHelpTest, HelpFitsIntoEightyColumnsAndEndsWell) {
  std::vector<std::string> lines = Complete({"meanderctl", ""});
  lines.emplace_back();
  for (const std::string& command : lines) {
    const std::string help = shell.Must("meanderctl " + command + " --help");
    EXPECT_THAT(help, StartsWith("usage: meanderctl "));
    EXPECT_THAT(help, EndsWith("\n"));
    for (const std::string& line : Lines(help)) {
      if (!line.starts_with(kExample)) {
        EXPECT_LE(line.size(), 80u) << line;
      }
    }
  }
}

TEST_F(MeanderctlHelpTest, BashCompletesCommandsAndOptions) {
  EXPECT_THAT(Complete({"meanderctl", "st"}), ElementsAre("step"));
  EXPECT_THAT(Complete({"meanderctl", "step", "--t"}),
              ElementsAre("--ticks", "--timeout"));
  EXPECT_THAT(Complete({"meanderctl", "--json", "step", "meadow", "--"}),
              IsSupersetOf({"--until", "--server", "--help"}));
  EXPECT_THAT(Complete({"meanderctl", "--"}),
              testing::AllOf(IsSupersetOf({"--server", "--version"}),
                             Not(Contains("--ticks"))));
}

TEST_F(MeanderctlHelpTest, BashCompletesTheWordsThatAValueMayBe) {
  EXPECT_THAT(Complete({"meanderctl", "create", "a", "--plane", "x"}),
              ElementsAre("xy", "xz"));
  // bash takes "--plane=x" apart.
  EXPECT_THAT(Complete({"meanderctl", "create", "a", "--plane", "=", "x"}),
              ElementsAre("xy", "xz"));
  EXPECT_THAT(Complete({"meanderctl", "create", "a", "--clock", "="}),
              ElementsAre("realtime", "manual", "unthrottled"));
  EXPECT_THAT(Complete({"meanderctl", "spawn", "a", "--late", "r"}),
              ElementsAre("reject"));
  EXPECT_THAT(Complete({"meanderctl", "completion", ""}), ElementsAre("bash"));
}

TEST_F(MeanderctlHelpTest, BashCompletesNamesOfWorldsAndFiles) {
  shell.Must("meanderctl create meadow --clock manual");
  shell.Must("meanderctl create moor --clock manual");
  EXPECT_THAT(Complete({"meanderctl", "get", "m"}),
              ElementsAre("meadow", "moor"));
  EXPECT_THAT(Complete({"meanderctl", "step", "--ticks", "5", "me"}),
              ElementsAre("meadow"));
  EXPECT_THAT(Complete({"meanderctl", "get", "meadow", "worlds/m"}),
              ElementsAre("worlds/meadow", "worlds/moor"));
  // One that is being made has no name to offer; a value is no world.
  EXPECT_THAT(Complete({"meanderctl", "create", "m"}), IsEmpty());
  EXPECT_THAT(Complete({"meanderctl", "step", "--ticks", "m"}), IsEmpty());
  shell.Must("touch commands.json");
  EXPECT_THAT(Complete({"meanderctl", "command", "meadow", "--file", "com"}),
              ElementsAre("commands.json"));
}

TEST_F(MeanderctlHelpTest, CompletionAsksTheServerOfTheLineAndDoesNotHang) {
  shell.Must("meanderctl create meadow --clock manual");
  const std::size_t colon = server.address().find(':');
  const std::string host = server.address().substr(0, colon);
  const std::string port = server.address().substr(colon + 1);
  const CtlShell elsewhere("127.0.0.1:1");
  const std::string ask = "meanderctl __complete 6 meanderctl --server " +
                          host + " : " + port + " get m";
  EXPECT_EQ(elsewhere.Must(ask), "words\nmeadow\n");
  EXPECT_EQ(elsewhere.Must("meanderctl __complete 2 meanderctl get m"),
            "words\n");
}

}  // namespace
}  // namespace meander
