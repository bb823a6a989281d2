// meanderctl demo: the gallery on a terminal, in a pipe, as JSON, as pictures.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "client_examples/scenes/scene.h"
#include "tests/integration/ctl_shell.h"
#include "tests/integration/server_process.h"
#include "tests/integration/terminal.h"

namespace meander {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class MeanderctlDemoTest : public testing::Test {
 protected:
  std::string OnTerminal(int columns, int rows, const std::string& line) const {
    return shell.Must("script -qefc 'stty cols " + std::to_string(columns) +
                      " rows " + std::to_string(rows) + "; " + line +
                      "' /dev/null");
  }

  // Deleted, however it ended.
  void ExpectNoWorlds() const {
    EXPECT_EQ(shell.Must("meanderctl list --json"), "");
  }

  const ServerProcess server;
  const CtlShell shell{server.address()};
};

constexpr char kEnd[] =
    "flock: seed [0-9]+, tick [0-9]+, 240 agents, hash [0-9a-f]{16}";

// A letter of Braille as one '#', for a terminal that counts bytes.
std::string WithoutBraille(const std::string& output) {
  std::string out;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (output[i] == '\xe2' && i + 2 < output.size()) {
      out += '#';
      i += 2;
    } else {
      out += output[i];
    }
  }
  return out;
}

TEST_F(MeanderctlDemoTest, ListsTheScenes) {
  const std::vector<std::string> lines = Lines(shell.Must("meanderctl demo"));
  const std::vector<std::string> names = scenes::SceneNames();
  ASSERT_THAT(lines, SizeIs(names.size() + 1));
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_THAT(lines[i + 1], StartsWith(names[i] + " "));
  }
  EXPECT_EQ(Lines(shell.Must("meanderctl demo --list")), lines);
  EXPECT_EQ(Lines(shell.Must("meanderctl demo --json | jq -r .name")), names);
}

TEST_F(MeanderctlDemoTest, DrawsAllOfTheTerminalAndLeavesItAsItWas) {
  const std::string output =
      OnTerminal(100, 30, "meanderctl demo flock --seconds 1");
  EXPECT_THAT(output, HasSubstr("\x1b[96m"));
  EXPECT_THAT(output, HasSubstr("\xe2\xa0"));
  Terminal terminal(100, 30);
  terminal.Write(WithoutBraille(output));
  EXPECT_TRUE(terminal.cursor_shown());
  EXPECT_FALSE(terminal.wrapped());
  EXPECT_GE(terminal.redraws(), 5);
  const std::vector<std::string> lines = terminal.Everything();
  ASSERT_THAT(lines, SizeIs(30)) << output;
  EXPECT_THAT(lines[0], StartsWith("flock: "));
  EXPECT_THAT(lines[1],
              MatchesRegex("tick [0-9]+  [0-9.]+ frames/s  240 agents  "
                           "mean speed [0-9.]+  hash [0-9a-f]{16}"));
  EXPECT_THAT(lines[15], HasSubstr("#"));
  EXPECT_THAT(lines[28], StartsWith("starlings  sandpipers  finches"));
  EXPECT_THAT(lines[29], MatchesRegex(kEnd));
  ExpectNoWorlds();
}

TEST_F(MeanderctlDemoTest, FitsIntoASmallTerminalWithoutColors) {
  const std::string output =
      OnTerminal(20, 6, "NO_COLOR=1 meanderctl demo flock --ticks 20 -q");
  EXPECT_THAT(output, Not(HasSubstr("\x1b[96m")));
  Terminal terminal(20, 6);
  terminal.Write(WithoutBraille(output));
  EXPECT_FALSE(terminal.wrapped());
  EXPECT_THAT(terminal.Everything(), SizeIs(5));
}

TEST_F(MeanderctlDemoTest, CtrlCEndsItAndItsWorld) {
  const std::string output = shell.Must(
      "mkfifo keys; script -qefc 'stty cols 100 rows 30;"
      " meanderctl demo flock' /dev/null <keys >seen & exec 3>keys;"
      "until grep -q Ctrl-C seen; do sleep 0.05; done;"
      "printf '\\003' >&3; wait $! || exit; cat seen");
  Terminal terminal(100, 30);
  terminal.Write(WithoutBraille(output));
  EXPECT_TRUE(terminal.cursor_shown());
  EXPECT_THAT(terminal.Everything().back(), MatchesRegex(kEnd));
  ExpectNoWorlds();
}

TEST_F(MeanderctlDemoTest, PrintsALineASecondIntoAPipe) {
  const std::vector<std::string> lines =
      Lines(shell.Must("meanderctl demo flock --seconds 2.5 | cat"));
  ASSERT_GE(lines.size(), 2u);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    EXPECT_THAT(lines[i],
                MatchesRegex("tick [0-9]+  [0-9.]+ frames/s  240 agents  mean "
                             "speed [0-9.]+  hash [0-9a-f]{16}"));
  }
  EXPECT_THAT(lines.back(), MatchesRegex(kEnd));
  ExpectNoWorlds();
}

TEST_F(MeanderctlDemoTest, BeginsAgainWithTheNextSeedUnlessOnce) {
  const std::string fast = "meanderctl demo wander --speed 20 ";
  EXPECT_THAT(shell.Must(fast + "--ticks 600 --seed 7 | tail -n 1"),
              StartsWith("wander: seed 8, tick 1"));
  EXPECT_THAT(shell.Must(fast + "--once --seed 7 | tail -n 1"),
              StartsWith("wander: seed 7, tick 4"));
  ExpectNoWorlds();
}

TEST_F(MeanderctlDemoTest, FramesAreJsonOnDemand) {
  EXPECT_EQ(shell.Must("meanderctl demo triangle --ticks 5 --json | "
                       "jq -r .agent_count | tail -n 1"),
            "9\n");
}

TEST_F(MeanderctlDemoTest, TwoAtOnceDoNotMeet) {
  const std::string svg = "meanderctl demo arrive -q --ticks 50 --svg ";
  shell.Must(svg + "a.svg & " + svg + "b.svg && wait $! && cmp a.svg b.svg");
  ExpectNoWorlds();
}

TEST_F(MeanderctlDemoTest, PicturesAreThoseThatAreKept) {
  const std::string root = std::filesystem::current_path();
  for (const std::string& name : scenes::SceneNames()) {
    shell.Must("meanderctl demo " + name + " -q --svg - | cmp - '" + root +
               "/client_examples/scenes/pictures/" + name + ".svg'");
  }
  ExpectNoWorlds();
}

TEST_F(MeanderctlDemoTest, SaysWhatIsWrong) {
  const ShellResult name = shell.Run("meanderctl demo nothing");
  EXPECT_EQ(name.code, 2);
  EXPECT_THAT(name.err, HasSubstr("there is no scene \"nothing\""));
  EXPECT_EQ(shell.Run("meanderctl demo flock --ticks 0").code, 2);
  EXPECT_EQ(shell.Run("meanderctl demo flock --ticks 5 --seconds 1").code, 2);
  const ShellResult file =
      shell.Run("meanderctl demo wander --ticks 5 --svg no/such/folder.svg");
  EXPECT_EQ(file.code, 1);
  EXPECT_THAT(file.err, HasSubstr("--svg: cannot write no/such/folder.svg"));
  const ShellResult speed = shell.Run("meanderctl demo flock --speed 1000");
  EXPECT_EQ(speed.code, 1);
  EXPECT_THAT(speed.err, HasSubstr("--speed"));
  ExpectNoWorlds();
}

TEST_F(MeanderctlDemoTest, CompletionKnowsTheScenes) {
  EXPECT_EQ(shell.Must("meanderctl __complete 2 meanderctl demo f"),
            "words\nflock\n");
}

}  // namespace
}  // namespace meander
