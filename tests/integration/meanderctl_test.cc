// Each command of meanderctl, against a real server.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "tests/integration/client.h"
#include "tests/integration/ctl_shell.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class MeanderctlTest : public testing::Test {
 protected:
  // A world with three wanderers, at tick 60.
  void MakeMeadow() const {
    shell.Must("meanderctl create meadow --clock manual --plane xy --seed 42");
    shell.Must("meanderctl spawn meadow --wander 2,3,8 --count 3 --disc 10");
    shell.Must("meanderctl step meadow --ticks 60");
  }

  const ServerProcess server;
  const Client client{server.address()};
  const CtlShell shell{server.address()};
};

std::string Hexadecimal(std::uint64_t hash) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(hash));
  return text;
}

TEST_F(MeanderctlTest, CreateSetsWhatItsOptionsSay) {
  EXPECT_EQ(shell.Must("meanderctl create worlds/pond --clock manual "
                       "--plane xz --seed 0xfe --tick-rate 30 --max-agents 7 "
                       "--bounds -10,-20,-30:40 --bounds-mode clamp "
                       "--durability none"),
            "worlds/pond\n");
  const v1::World world = client.MustGet("worlds/pond");
  EXPECT_EQ(world.simulation().seed(), 0xfeu);
  EXPECT_EQ(world.simulation().tick_rate_hz(), 30);
  EXPECT_EQ(world.simulation().plane(), v1::PLANE_XZ);
  EXPECT_EQ(world.simulation().max_agents(), 7);
  EXPECT_EQ(world.simulation().bounds().min().x(), -10.0f);
  EXPECT_EQ(world.simulation().bounds().min().z(), -30.0f);
  EXPECT_EQ(world.simulation().bounds().max().x(), 40.0f);
  EXPECT_EQ(world.simulation().bounds().mode(), v1::BOUNDS_MODE_CLAMP);
  EXPECT_EQ(world.hosting().clock_mode(), v1::CLOCK_MODE_MANUAL);
  EXPECT_EQ(world.hosting().durability(), v1::DURABILITY_NONE);
}

TEST_F(MeanderctlTest, CreateTakesWhatIsNotGivenFromAnotherWorld) {
  shell.Must("meanderctl create pond --clock manual --plane xy --seed 7");
  shell.Must(
      "meanderctl get pond --json | "
      "meanderctl create twin --seed 8 --like -");
  const v1::World world = client.MustGet("worlds/twin");
  EXPECT_EQ(world.simulation().seed(), 8u);
  EXPECT_EQ(world.simulation().plane(), v1::PLANE_XY);
  EXPECT_EQ(world.hosting().clock_mode(), v1::CLOCK_MODE_MANUAL);
}

TEST_F(MeanderctlTest, AWorldMayBeNamedAsACommandIs) {
  shell.Must("meanderctl create list --clock manual");
  EXPECT_THAT(shell.Must("meanderctl get list"), StartsWith("worlds/list\n"));
  shell.Must("meanderctl delete list");
}

TEST_F(MeanderctlTest, StepPrintsTickAndHashOfTheServer) {
  MakeMeadow();
  const v1::World world = client.MustGet("worlds/meadow");
  EXPECT_EQ(world.tick(), 60);
  const std::string hash = Hexadecimal(world.state_hash());
  EXPECT_EQ(shell.Must("meanderctl hash meadow"), "60 " + hash + "\n");
  EXPECT_EQ(shell.Must("meanderctl hash meadow --json"),
            "{\"tick\":\"60\",\"epoch\":\"1\",\"state_hash\":\"" +
                std::to_string(world.state_hash()) + "\"}\n");
  EXPECT_THAT(shell.Must("meanderctl step meadow"),
              StartsWith("tick 61  hash "));
}

TEST_F(MeanderctlTest, HashWaitsForTheTickOfARunningWorld) {
  shell.Must("meanderctl create again --seed 3 --clock manual");
  shell.Must("meanderctl step again --ticks 240");
  // Four seconds, so that also a slow machine asks before they are over.
  shell.Must("meanderctl create brook --seed 3");
  EXPECT_EQ(shell.Must("meanderctl hash brook --tick 240"),
            shell.Must("meanderctl hash again"));
  const ShellResult late = shell.Run("meanderctl hash brook --tick 2");
  EXPECT_EQ(late.code, 1);
  EXPECT_THAT(late.err, HasSubstr("past tick 2 already"));
}

TEST_F(MeanderctlTest, SpawnPutsAgentsWhereItIsTold) {
  shell.Must("meanderctl create meadow --clock manual");
  EXPECT_EQ(shell.Must("meanderctl spawn meadow --seek 30,0 --at 1,2,3 "
                       "--velocity 1,0,0 --tag 9 --max-speed 4 --mass 2"),
            "agent 1 at tick 1\n");
  EXPECT_EQ(shell.Must("meanderctl spawn meadow --archetype 2 --count 10 "
                       "--ball 5,0,0:1"),
            "agents 2 to 11 at tick 1\n");
  EXPECT_EQ(shell.Must("meanderctl spawn meadow --at 0,0 --target agent:1 "
                       "--archetype '{\"id\": 7, \"max_speed\": 3, "
                       "\"max_force\": 6, \"terms\": [{\"seek\": {}}]}'"),
            "agent 12 at tick 1\n");
  shell.Must("meanderctl step meadow");
  v1::GetAgentResponse answer;
  ASSERT_TRUE(client.GetAgent("worlds/meadow", 1, &answer).ok());
  EXPECT_NEAR(answer.agent().position().y(), 2.0, 0.1);
  EXPECT_EQ(answer.agent().archetype_id(), 2);
  EXPECT_EQ(answer.agent().tag(), 9u);
  EXPECT_EQ(answer.agent().targets(0).point().x(), 30.0f);
  ASSERT_TRUE(client.GetAgent("worlds/meadow", 11, &answer).ok());
  EXPECT_NEAR(answer.agent().position().x(), 5.0, 1.1);
  ASSERT_TRUE(client.GetAgent("worlds/meadow", 12, &answer).ok());
  EXPECT_EQ(answer.agent().archetype_id(), 7);
  EXPECT_EQ(answer.agent().targets(0).agent_id(), 1);
}

TEST_F(MeanderctlTest, CommandsComeFromArgumentsFilesAndInput) {
  MakeMeadow();
  const std::string out = shell.Must(
      "echo '{\"setTarget\": {\"agentIds\": [3]}}' >commands;"
      "echo '[{\"set_target\": {\"agent_ids\": [1]}}]' | "
      "meanderctl command meadow "
      "'[{\"set_target\": {\"agent_ids\": [1]}}, "
      "{\"set_target\": {\"agent_ids\": [2]}}]' "
      "'{\"set_target\": {\"agent_ids\": [1, 3]}}' --file commands -f -");
  const std::vector<std::string> lines = Lines(out);
  ASSERT_EQ(lines.size(), 6u) << out;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_THAT(lines[i],
                MatchesRegex(" +" + std::to_string(i - 1) + "  admitted +" +
                             std::to_string(i + 2) + " +61"));
  }
}

TEST_F(MeanderctlTest, CommandFailsWhenOneIsRefusedAndShowsWhich) {
  MakeMeadow();
  const std::string line =
      "meanderctl command meadow "
      "'{\"set_target\": {\"agent_ids\": [1]}}' "
      "'{\"despawn_agents\": {\"agent_ids\": [1, 1]}}'";
  for (const char* quiet : {"", " --quiet"}) {
    const ShellResult result = shell.Run(line + quiet);
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.out, HasSubstr("0  admitted"));
    EXPECT_THAT(result.out,
                HasSubstr("commands[1].despawn_agents.agent_ids: "));
  }
}

TEST_F(MeanderctlTest, AgentsShowsPositionsInTheOrderOfIds) {
  MakeMeadow();
  const std::vector<std::string> lines =
      Lines(shell.Must("meanderctl agents meadow --limit 2"));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], MatchesRegex("AGENT  ARCHETYPE +X +Y .*"));
  v1::GetAgentResponse answer;
  ASSERT_TRUE(client.GetAgent("worlds/meadow", 2, &answer).ok());
  char x[32];
  std::snprintf(x, sizeof x, " %.2f ",
                static_cast<double>(answer.agent().position().x()));
  EXPECT_THAT(lines[2], MatchesRegex(" +2 +1 .*"));
  EXPECT_THAT(lines[2], HasSubstr(x));
  EXPECT_EQ(
      Lines(shell.Must("meanderctl agents meadow --limit 0 --json")).size(),
      3u);
}

TEST_F(MeanderctlTest, ListShowsWorldsInTheOrderOfTheirNames) {
  shell.Must("meanderctl create b --clock manual");
  shell.Must("meanderctl create a --clock manual");
  const std::vector<std::string> lines = Lines(shell.Must("meanderctl list"));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[1], StartsWith("worlds/a "));
  EXPECT_THAT(lines[2], StartsWith("worlds/b "));
  EXPECT_EQ(Lines(shell.Must("meanderctl list --limit 1")).size(), 2u);
}

TEST_F(MeanderctlTest, JsonHasEveryFieldUnderItsName) {
  MakeMeadow();
  EXPECT_THAT(
      Lines(shell.Must("meanderctl list --json | "
                       "jq -r .name,.tick,.simulation.tick_rate_hz,"
                       ".slipped_ticks,.hosting.clock_mode")),
      ElementsAre("worlds/meadow", "60", "60", "0", "CLOCK_MODE_MANUAL"));
  EXPECT_THAT(
      Lines(shell.Must("meanderctl spawn meadow --archetype 1 --at 0,0 --json "
                       "| jq -r '.results[].admission.first_agent_id'")),
      ElementsAre("4"));
}

TEST_F(MeanderctlTest, QuietSaysOnlyWhatWasAskedFor) {
  EXPECT_EQ(shell.Must("meanderctl -q create meadow --clock manual"), "");
  EXPECT_EQ(shell.Must("meanderctl create other --json --quiet"), "");
  EXPECT_EQ(shell.Must("meanderctl step meadow --quiet"), "");
  EXPECT_THAT(shell.Must("meanderctl hash meadow --quiet"), StartsWith("1 "));
  EXPECT_EQ(shell.Must("meanderctl delete meadow other --quiet"), "");
}

TEST_F(MeanderctlTest, UpdateChangesWhatIsGivenAndNothingElse) {
  MakeMeadow();
  shell.Must(
      "meanderctl update meadow --label team=blue --label stage=test "
      "--hash-interval 60 --idle-ttl 1.5h");
  shell.Must("meanderctl update meadow --unlabel stage --time-scale 2");
  v1::World world = client.MustGet("worlds/meadow");
  ASSERT_EQ(world.labels().size(), 1u);
  EXPECT_EQ(world.labels().at("team"), "blue");
  EXPECT_EQ(world.hosting().hash_interval_ticks(), 60);
  EXPECT_EQ(world.hosting().idle_ttl().seconds(), 5400);
  EXPECT_EQ(world.hosting().time_scale(), 2.0);
  EXPECT_EQ(world.hosting().clock_mode(), v1::CLOCK_MODE_MANUAL);
  shell.Must("meanderctl update meadow --clock unthrottled --until 90");
  EXPECT_THAT(shell.Must("meanderctl hash meadow --tick 90"),
              MatchesRegex("90 [0-9a-f-]+\n"));
}

TEST_F(MeanderctlTest, PauseStopsAClockAndResumeStartsItAgain) {
  shell.Must("meanderctl create brook");
  const std::string paused = shell.Must("meanderctl pause brook");
  EXPECT_THAT(paused, MatchesRegex("worlds/brook paused at tick [0-9]+\n"));
  const std::string tick =
      std::to_string(client.MustGet("worlds/brook").tick());
  EXPECT_THAT(paused, HasSubstr(" " + tick + "\n"));
  EXPECT_THAT(shell.Must("meanderctl list --filter 'state = PAUSED'"),
              HasSubstr("worlds/brook  paused"));
  shell.Must("meanderctl step brook --expected " + tick);
  EXPECT_THAT(shell.Must("meanderctl resume brook"),
              StartsWith("worlds/brook resumed at tick "));
  EXPECT_EQ(
      Lines(shell.Must("meanderctl list --filter 'state = PAUSED'")).size(),
      1u);
}

TEST_F(MeanderctlTest, StepGoesToATickAndShowsTheAgentsThere) {
  MakeMeadow();
  const std::vector<std::string> lines =
      Lines(shell.Must("meanderctl step meadow --until 75 --frame"));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_THAT(lines[0], StartsWith("tick 75  hash "));
  v1::GetAgentResponse answer;
  ASSERT_TRUE(client.GetAgent("worlds/meadow", 3, &answer).ok());
  char x[32];
  std::snprintf(x, sizeof x, " %.2f ",
                static_cast<double>(answer.agent().position().x()));
  EXPECT_THAT(lines[4], MatchesRegex(" +3 .*"));
  EXPECT_THAT(lines[4], HasSubstr(x));
  const ShellResult other = shell.Run("meanderctl step meadow --expected 60");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("TICK_MISMATCH"));
  EXPECT_EQ(client.MustGet("worlds/meadow").tick(), 75);
}

TEST_F(MeanderctlTest, ARequestIdStepsOnce) {
  MakeMeadow();
  const std::string step =
      "meanderctl step meadow --ticks 5 "
      "--request-id 6b8f2a9c-3d1e-4f7a-9b0c-5d2e8f4a7c61";
  EXPECT_EQ(shell.Must(step), shell.Must(step));
  EXPECT_EQ(client.MustGet("worlds/meadow").tick(), 65);
}

TEST_F(MeanderctlTest, OutcomesTellHowCommandsEnded) {
  MakeMeadow();
  shell.Must(
      "meanderctl command meadow "
      "'{\"despawn_agents\": {\"agent_ids\": [1]}}' "
      "'{\"set_target\": {\"agent_ids\": [1]}}' "
      "'{\"apply_tick\": 90, \"set_target\": {\"agent_ids\": [2]}}'");
  shell.Must("meanderctl step meadow");
  EXPECT_THAT(
      Lines(shell.Must("meanderctl outcomes meadow 3-5 1")),
      ElementsAre("SEQUENCE  OUTCOME     TICK", "       3  applied       61",
                  "       4  agent-gone    61", "       5  pending        0",
                  "       1  applied        1"));
}

TEST_F(MeanderctlTest, LateCommandsAreRefusedWhenAskedFor) {
  MakeMeadow();
  const ShellResult result = shell.Run(
      "meanderctl command meadow --late reject "
      "'{\"apply_tick\": 5, \"set_target\": {\"agent_ids\": [1]}}'");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("refused"));
  EXPECT_THAT(result.out, HasSubstr("TICK_LATE"));
}

TEST_F(MeanderctlTest, AllOrNothingIsTheErrorOfTheCall) {
  MakeMeadow();
  const ShellResult result = shell.Run(
      "meanderctl command meadow --all-or-nothing "
      "'{\"set_target\": {\"agent_ids\": [1]}}' "
      "'{\"despawn_agents\": {\"agent_ids\": [1, 1]}}'");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("commands[1].despawn_agents.agent_ids"));
  EXPECT_EQ(client.MustGet("worlds/meadow").pending_command_count(), 0);
}

TEST_F(MeanderctlTest, NamedAgentsThatAreGoneAreToldApart) {
  MakeMeadow();
  const ShellResult result = shell.Run("meanderctl agents meadow 3 99 1");
  EXPECT_EQ(result.code, 1);
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[1], MatchesRegex(" +3 .*"));
  EXPECT_THAT(lines[2], MatchesRegex(" +1 .*"));
  EXPECT_EQ(result.err,
            "meanderctl: AGENT_NOT_FOUND: not alive at tick 60: 99\n");
}

TEST_F(MeanderctlTest, ArchetypesShowsLimitsAndTerms) {
  MakeMeadow();
  shell.Must(
      "meanderctl spawn meadow --seek 1,2 --wander 1,2,3 --mass 2 "
      "--archetype-id 9 --max-speed 2.5 --at 0,0");
  shell.Must("meanderctl step meadow");
  EXPECT_THAT(
      Lines(shell.Must("meanderctl archetypes meadow")),
      ElementsAre(
          "ARCHETYPE  MAX SPEED  MAX FORCE  MASS  TERMS",
          "        1          6         12     1  wander-world-angle",
          "        9        2.5         12     2  wander-world-angle + seek "
          "slot 0"));
}

TEST_F(MeanderctlTest, ArchetypesShowsHowTermsAreCombined) {
  shell.Must("meanderctl create meadow --clock manual");
  shell.Must(
      "meanderctl spawn meadow --at 0,0 --archetype '{\"id\": 3, "
      "\"combine\": \"COMBINE_FIRST_NONZERO\", \"terms\": ["
      "{\"pursue\": {\"slot\": 2}, \"weight\": 2, \"gain\": 3, \"level\": 1}, "
      "{\"keep_away\": {}, \"weight\": -1}, {\"brake\": {}, \"gain\": 4}]}'");
  shell.Must("meanderctl step meadow");
  EXPECT_THAT(Lines(shell.Must("meanderctl archetypes meadow")).back(),
              testing::EndsWith("  first-nonzero: [0] -1 * keep-away slot 0 + "
                                "(4 * brake) [1] 2 * (3 * pursue slot 2)"));
}

TEST_F(MeanderctlTest, SpawnSetsAllThatAnAgentStartsWith) {
  shell.Must("meanderctl create meadow --clock manual");
  const std::string start =
      " --velocity 3,4 --tag 5 --seed 6 --groups 0x10 --facing 0,2 "
      "--wander-angle 0.5 --wander-elevation 0.25 --wander-offset 0,3,4 "
      "--wander-heading 0,0,-2 --archetype ";
  const auto archetype = [](const std::string& id, const std::string& wander) {
    return "'{\"id\": " + id + ", \"max_speed\": 9, \"terms\": [{\"" + wander +
           "\": {\"radius\": 1}}]}'";
  };
  shell.Must("meanderctl spawn meadow --at 0,0" + start +
             archetype("1", "wander_spherical"));
  shell.Must("meanderctl spawn meadow --ball 1 --target 1,2,3" + start +
             archetype("2", "wander_heading_offset"));
  shell.Must("meanderctl step meadow");
  v1::GetAgentResponse answer;
  for (const std::int64_t id : {1, 2}) {
    ASSERT_TRUE(client.GetAgent("worlds/meadow", id, &answer).ok());
    const v1::Agent& agent = answer.agent();
    EXPECT_EQ(agent.velocity().x(), 3.0f);
    EXPECT_EQ(agent.velocity().y(), 4.0f);
    EXPECT_EQ(agent.tag(), 5u);
    EXPECT_EQ(agent.seed(), 6u);
    EXPECT_EQ(agent.groups(), 16u);
    EXPECT_EQ(agent.facing().y(), 1.0f);
  }
  const std::vector<std::string> lines =
      Lines(shell.Must("meanderctl agents meadow --long"));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0],
              MatchesRegex(".*SEED +GROUPS +FACING +WANDER +TARGETS"));
  EXPECT_THAT(lines[1], HasSubstr("  6      16  0.00,1.00,0.00  angle 0.50 "
                                  "elevation 0.25"));
  // With no jitter the offset turns with the heading alone.
  EXPECT_THAT(lines[2], MatchesRegex(".*  0.00,1.00,0.00  offset .*,.*,.* "
                                     "heading 0.60,0.80,0.00  +1,2,3"));
}

TEST_F(MeanderctlTest, InfoShowsTheServerAndItsLimits) {
  shell.Must("meanderctl create meadow --clock manual");
  const std::string info = shell.Must("meanderctl info");
  EXPECT_THAT(info, HasSubstr("\nworlds                      1\n"));
  EXPECT_THAT(info, HasSubstr("\n  max_worlds                1000\n"));
  EXPECT_EQ(shell.Must("meanderctl info --json | jq -r .limits.max_worlds"),
            "1000\n");
}

TEST_F(MeanderctlTest, HealthAndVersionAreForScripts) {
  EXPECT_EQ(shell.Must("meanderctl health"), "SERVING\n");
  EXPECT_EQ(shell.Must("meanderctl health --service meander.v1.WorldService "
                       "--json"),
            "{\"status\":\"SERVING\"}\n");
  EXPECT_THAT(shell.Must("meanderctl version"),
              MatchesRegex("meanderctl [0-9.]+ \\(simulation version [0-9]+"
                           "\\)\n"));
  EXPECT_EQ(shell.Must("meanderctl version"),
            shell.Must("meanderctl --version"));
}

}  // namespace
}  // namespace meander
