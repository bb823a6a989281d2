// meanderctl watch: on a terminal, in a pipe, as JSON.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/integration/ctl_shell.h"
#include "tests/integration/server_process.h"
#include "tests/integration/terminal.h"

namespace meander {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

class MeanderctlWatchTest : public testing::Test {
 protected:
  // A world of wanderers that runs.
  MeanderctlWatchTest() {
    shell.Must("meanderctl create brook --plane xy --seed 42");
    shell.Must("meanderctl spawn brook --wander 2,3,8 --count 20 --disc 10");
  }

  // Runs it on a pseudo-terminal of that size; what it wrote there.
  std::string OnTerminal(int columns, int rows, const std::string& line) const {
    return shell.Must("script -qefc 'stty cols " + std::to_string(columns) +
                      " rows " + std::to_string(rows) + "; " + line +
                      "' /dev/null");
  }

  const ServerProcess server;
  const CtlShell shell{server.address()};
};

std::size_t CountOf(const std::vector<std::string>& lines,
                    const std::string& start) {
  return static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(),
      [&](const std::string& line) { return line.starts_with(start); }));
}

constexpr char kSummary[] =
    "watched worlds/brook for [0-9.]+ s: [0-9]+ frames, ticks [0-9]+ to "
    "[0-9]+, [0-9.]+ k?M?B, [0-9]+ skipped, hash [0-9a-f]{16}";

TEST_F(MeanderctlWatchTest, RedrawsOneTableInPlaceOnATerminal) {
  const std::string output =
      OnTerminal(120, 30, "meanderctl watch brook --seconds 2 --rows 3");
  Terminal terminal(120, 30);
  terminal.Write(output);
  EXPECT_GE(terminal.redraws(), 3);
  EXPECT_TRUE(terminal.cursor_shown());
  EXPECT_THAT(output, HasSubstr("\x1b[?25l"));
  const std::vector<std::string> lines = terminal.Everything();
  ASSERT_EQ(lines.size(), 11u) << output;
  EXPECT_EQ(lines[0], "worlds/brook");
  EXPECT_THAT(lines[1], MatchesRegex("tick +[0-9]+ +ticks/s +[0-9.]+"));
  EXPECT_THAT(lines[2], MatchesRegex("agents +20 +bytes/s +[0-9.]+ k?M?B"));
  EXPECT_THAT(lines[3], MatchesRegex("frames +[0-9]+ +skipped +[0-9]+"));
  EXPECT_THAT(lines[4], MatchesRegex("hash +[0-9a-f]{16}"));
  EXPECT_EQ(lines[5], "");
  EXPECT_THAT(lines[6], MatchesRegex("AGENT +X +Y +Z .* SPEED"));
  EXPECT_THAT(lines[7], MatchesRegex(" +1 .* [0-9]+\\.[0-9][0-9]"));
  EXPECT_THAT(lines[9], MatchesRegex(" +3 .*"));
  EXPECT_THAT(lines[10], MatchesRegex(kSummary));
}

TEST_F(MeanderctlWatchTest, LeavesOutWhatTheTerminalHasNoRoomFor) {
  const std::string output =
      OnTerminal(24, 6, "meanderctl watch brook --seconds 1 --rows 9 -q");
  Terminal terminal(24, 6);
  terminal.Write(output);
  EXPECT_FALSE(terminal.wrapped());
  const std::vector<std::string> lines = terminal.Everything();
  ASSERT_EQ(lines.size(), 5u) << output;
  EXPECT_EQ(lines[0], "worlds/brook");
  EXPECT_THAT(lines[4], MatchesRegex("hash      [0-9a-f]{14}"));
}

TEST_F(MeanderctlWatchTest, CtrlCEndsTheTableWithASummary) {
  const std::string output = shell.Must(
      "mkfifo keys; script -qefc 'stty cols 120 rows 30;"
      " meanderctl watch brook' /dev/null <keys >seen & exec 3>keys;"
      "until grep -q SPEED seen; do sleep 0.05; done;"
      "printf '\\003' >&3; wait $! || exit; cat seen");
  Terminal terminal(120, 30);
  terminal.Write(output);
  EXPECT_TRUE(terminal.cursor_shown());
  const std::vector<std::string> lines = terminal.Everything();
  EXPECT_EQ(CountOf(lines, "tick "), 1u) << output;
  EXPECT_THAT(lines.back(), MatchesRegex(kSummary));
}

TEST_F(MeanderctlWatchTest, PrintsALineASecondIntoAPipe) {
  const std::vector<std::string> lines =
      Lines(shell.Must("meanderctl watch brook --seconds 3.5 | cat"));
  ASSERT_GE(lines.size(), 2u);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    EXPECT_THAT(lines[i],
                MatchesRegex("tick [0-9]+  [0-9.]+ ticks/s  [0-9.]+ k?M?B/s  "
                             "20 agents  skipped [0-9]+  hash [0-9a-f]{16}"));
  }
  EXPECT_LE(lines.size(), 4u);
  EXPECT_THAT(lines.back(), MatchesRegex(kSummary));
}

TEST_F(MeanderctlWatchTest, SigtermEndsItWellToo) {
  const ShellResult result = shell.Run(
      "meanderctl watch brook >seen & "
      "until [ -s seen ]; do sleep 0.05; done;"
      "kill -TERM $!; wait $!; code=$?; tail -n 1 seen; exit $code");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(Lines(result.out), ElementsAre(MatchesRegex(kSummary)));
}

TEST_F(MeanderctlWatchTest, CountsFramesOfTheIntervalAsJson) {
  const std::vector<std::string> lines = Lines(
      shell.Must("meanderctl watch brook --interval 10 --count 3 --json | "
                 "jq -r '[(.tick | tonumber) % 10, .parts, (.columns | "
                 "length)] | @text'"));
  ASSERT_EQ(lines.size(), 3u);
  // The first is the tick of now. 28 bytes an agent are so many in base64.
  EXPECT_EQ(lines[2], "[0,1,748]");
}

// A world that is stepped while it is watched: agents 1 and 2 are after each
// other, 3 is after 1, which goes in tick 2, and 4 after nobody from tick 3 on.
class MeanderctlEventsTest : public testing::Test {
 protected:
  MeanderctlEventsTest() {
    shell.Must("meanderctl create den --clock manual");
    shell.Must(
        "meanderctl command den '{\"define_archetype\": {\"archetype\": "
        "{\"id\": 1, \"max_speed\": 2, \"max_force\": 4, \"terms\": "
        "[{\"seek\": {}}]}}}' '{\"spawn_agents\": {\"area\": {\"count\": 4, "
        "\"prototype\": {\"archetype_id\": 1}, \"disc\": {\"radius\": 9}}}}' " +
        Target("1", "{\"agent_id\": 2}", 1) +
        Target("2, 3, 4", "{\"agent_id\": 1}", 1) + Target("4", "{}", 3) +
        "'{\"apply_tick\": 2, \"despawn_agents\": {\"agent_ids\": [1]}}'");
    shell.Must("meanderctl step den");
  }

  static std::string Target(const std::string& ids, const std::string& target,
                            int tick) {
    return "'{\"apply_tick\": " + std::to_string(tick) +
           ", \"set_target\": {\"agent_ids\": [" + ids +
           "], \"target\": " + target + "}}' ";
  }

  const ServerProcess server;
  const CtlShell shell{server.address()};
};

// Steps once the first frame is there.
constexpr char kThenStep[] =
    " >seen & until [ -s seen ] || ! kill -0 $!; do sleep 0.05; done;"
    "meanderctl -q step den --ticks 4; wait $! || exit; cat seen";

TEST_F(MeanderctlEventsTest, AreInTheFramesOfJson) {
  const std::string watch =
      "meanderctl watch den --interval 5 --count 2 --json ";
  const std::vector<std::string> lines =
      Lines(shell.Must(watch + "--events" + kThenStep +
                       " | jq -c '[.tick, [.events[] | .tick, .agent_id, "
                       ".target_lost.slot], .dropped_events]'"));
  EXPECT_THAT(lines, ElementsAre("[\"1\",[],\"0\"]",
                                 "[\"5\",[\"2\",\"2\",0,\"2\",\"3\",0,\"2\","
                                 "\"4\",0,\"3\",\"4\",0],\"0\"]"));
}

TEST_F(MeanderctlEventsTest, AreNotToldWithoutBeingAskedFor) {
  const std::vector<std::string> lines =
      Lines(shell.Must("meanderctl watch den --interval 5 --count 2 --json" +
                       std::string(kThenStep) + " | jq -c .events"));
  EXPECT_THAT(lines, ElementsAre("[]", "[]"));
}

TEST_F(MeanderctlEventsTest, AreLinesInAPipe) {
  const std::vector<std::string> lines =
      Lines(shell.Must("meanderctl watch den --events --count 2 --interval 5" +
                       std::string(kThenStep)));
  EXPECT_THAT(lines, IsSupersetOf({"tick 2  agent 2 has lost the target in "
                                   "slot 0",
                                   "tick 2  agent 3 has lost the target in "
                                   "slot 0",
                                   "tick 3  agent 4 has lost the target in "
                                   "slot 0"}));
  EXPECT_THAT(lines.back(), HasSubstr(" 4 events, hash "));
}

TEST_F(MeanderctlEventsTest, AreBelowTheTableOnATerminal) {
  const std::string output = shell.Must(
      "script -qefc 'stty cols 120 rows 30; meanderctl watch den "
      "--events --rows 1 --count 2 --interval 5' /dev/null" +
      std::string(kThenStep));
  Terminal terminal(120, 30);
  terminal.Write(output);
  const std::vector<std::string> lines = terminal.Everything();
  ASSERT_EQ(lines.size(), 15u) << output;
  EXPECT_EQ(lines[9], "4 events");
  EXPECT_EQ(lines[10], "tick 2  agent 2 has lost the target in slot 0");
  EXPECT_EQ(lines[13], "tick 3  agent 4 has lost the target in slot 0");
  EXPECT_THAT(lines[14], HasSubstr(" 4 events, hash "));
}

TEST_F(MeanderctlWatchTest, AFrameInPartsIsOneFrame) {
  shell.Must("meanderctl create big --clock manual");
  shell.Must("meanderctl spawn big --wander 2,3,8 --count 50000 --disc 500");
  shell.Must("meanderctl step big");
  EXPECT_THAT(Lines(shell.Must("meanderctl watch big --count 1 --json | "
                               "jq -c '[.part, .parts]'")),
              ElementsAre("[0,2]", "[1,2]"));
  EXPECT_THAT(shell.Must("meanderctl watch big --count 1"),
              StartsWith("watched worlds/big for "));
}

TEST_F(MeanderctlWatchTest, AWorldThatIsDeletedEndsItWithTheReason) {
  const ShellResult result = shell.Run(
      "meanderctl watch brook >seen & "
      "until [ -s seen ]; do sleep 0.05; done;"
      "meanderctl -q delete brook; wait $!; code=$?;"
      "tail -n 1 seen; exit $code");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, StartsWith("meanderctl: WORLD_NOT_FOUND: "));
  EXPECT_THAT(Lines(result.out), ElementsAre(MatchesRegex(kSummary)));
}

TEST_F(MeanderctlWatchTest, ColorsAreForTerminalsAndCanBeSwitchedOff) {
  const std::string bold = "\x1b[1m";
  EXPECT_THAT(OnTerminal(80, 24, "meanderctl list"), HasSubstr(bold));
  EXPECT_THAT(OnTerminal(80, 24, "meanderctl list --no-color"),
              Not(HasSubstr(bold)));
  EXPECT_THAT(OnTerminal(80, 24, "NO_COLOR=1 meanderctl list"),
              Not(HasSubstr(bold)));
  EXPECT_THAT(shell.Must("meanderctl list"), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace meander
