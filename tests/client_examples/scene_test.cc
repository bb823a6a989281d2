#include "client_examples/scenes/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace meander::scenes {
namespace {

TEST(SceneTest, NamesAreThoseOfTheWorldsTheyMake) {
  std::set<std::string> names;
  for (const Scene& scene : Scenes()) {
    EXPECT_TRUE(names.insert(scene.name).second) << scene.name;
    // A world is called demo-NAME- and eight digits: at most 63 letters.
    EXPECT_LE(scene.name.size(), 40u);
    EXPECT_EQ(scene.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"),
              std::string::npos);
    EXPECT_FALSE(scene.summary.empty());
    EXPECT_EQ(scene.summary.find_first_of("\"\\\n"), std::string::npos);
    EXPECT_LE(scene.name.size() + scene.summary.size(), 76u);
    ASSERT_TRUE(FindScene(scene.name).has_value());
  }
  EXPECT_GE(names.size(), 10u);
  EXPECT_FALSE(FindScene("nothing").has_value());
}

TEST(SceneTest, CommandsComeWithinReachOfTheFirstTick) {
  for (const Scene& scene : Scenes()) {
    SCOPED_TRACE(scene.name);
    EXPECT_LE(scene.commands.size(), 4096u);  // of one batch
    EXPECT_LE(scene.trail_ticks, scene.ticks);
    for (const v1::Command& command : scene.commands) {
      EXPECT_GE(command.apply_tick(), 1);
      EXPECT_LE(command.apply_tick(), 3600);
    }
  }
}

TEST(SceneTest, EveryAgentIsOfANamedKind) {
  for (const Scene& scene : Scenes()) {
    SCOPED_TRACE(scene.name);
    const std::vector<std::size_t> kinds = KindsOfAgents(scene);
    EXPECT_FALSE(kinds.empty());
    for (const std::size_t kind : kinds) EXPECT_LT(kind, scene.kinds.size());
  }
  EXPECT_EQ(KindsOfAgents(*FindScene("school"))[1], 1u);
  EXPECT_EQ(KindsOfAgents(*FindScene("school"))[2], 0u);
}

TEST(SceneTest, TheSeedIsTheOnlyThingThatIsChosen) {
  Scene one = *FindScene("flock", 1);
  const Scene two = *FindScene("flock", 2);
  EXPECT_EQ(two.simulation.seed(), 2u);
  one.simulation.set_seed(2);
  EXPECT_EQ(one.simulation.SerializeAsString(),
            two.simulation.SerializeAsString());
}

}  // namespace
}  // namespace meander::scenes
