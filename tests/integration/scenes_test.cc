// The scenes of the gallery through a running server: each has the hash that
// the golden file says, and shows what it is there to show.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "client_examples/scenes/scene.h"
#include "client_examples/scenes/trail_picture.h"
#include "core/parallel_for.h"
#include "tests/gallery/gallery_scenarios.h"
#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using scenes::Body;
using scenes::Point;
using scenes::Scene;

constexpr char kGoldenFile[] = "tests/integration/scenes_golden.txt";
constexpr double kTickRate = 60.0;

std::vector<Body> Bodies(const v1::Frame& frame) {
  const auto rows = static_cast<std::size_t>(frame.part_agent_count());
  EXPECT_EQ(frame.columns().size(), 28 * rows);
  const char* const bytes = frame.columns().data();
  const auto number = [&](std::size_t column, std::size_t row) {
    float value = 0;
    std::memcpy(&value, bytes + 4 * (column * rows + row), 4);
    return static_cast<double>(value);
  };
  std::vector<Body> bodies;
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint32_t offset = 0;
    std::memcpy(&offset, bytes + 4 * row, 4);
    bodies.push_back({frame.id_base() + offset,
                      {number(1, row), number(2, row), number(3, row)},
                      {number(4, row), number(5, row), number(6, row)}});
  }
  return bodies;
}

double Length(const Point& v) { return std::hypot(v[0], v[1], v[2]); }

// The shortest way from a to b; across the faces where they wrap.
Point Way(const Point& a, const Point& b, const Scene& scene) {
  const v1::Bounds& bounds = scene.simulation.bounds();
  const bool wraps = bounds.mode() == v1::BOUNDS_MODE_WRAP;
  const std::array<float, 3> sizes = {bounds.max().x() - bounds.min().x(),
                                      bounds.max().y() - bounds.min().y(), 0};
  Point way{};
  for (std::size_t i = 0; i < 3; ++i) {
    way[i] = b[i] - a[i];
    const auto size = static_cast<double>(sizes[i]);
    if (wraps && size > 0) way[i] -= size * std::round(way[i] / size);
  }
  return way;
}

double Distance(const Body& a, const Body& b, const Scene& scene) {
  return Length(Way(a.position, b.position, scene));
}

// As `meanderctl demo --svg` says it.
std::string EndLine(const std::string& name, std::uint64_t seed,
                    std::int64_t tick, std::int64_t agents,
                    std::uint64_t hash) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(hash));
  return name + ": seed " + std::to_string(seed) + ", tick " +
         std::to_string(tick) + ", " + std::to_string(agents) +
         " agents, hash " + digits;
}

std::vector<std::string> GoldenLines() {
  std::ifstream file(kGoldenFile);
  EXPECT_TRUE(file) << "run from the root of the repository";
  std::vector<std::string> golden;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) golden.push_back(line);
  }
  return golden;
}

using Each = std::function<void(std::int64_t tick, const std::vector<Body>&)>;

class ScenesTest : public testing::Test {
 protected:
  // Plays a scene to its end and shows every so many ticks of it. Returns the
  // hash at the end.
  std::uint64_t Play(const Scene& scene, std::int64_t every,
                     const Each& each) const {
    v1::CreateWorldRequest create;
    create.set_world_id(scene.name);
    *create.mutable_world()->mutable_simulation() = scene.simulation;
    create.mutable_world()->mutable_hosting()->set_clock_mode(
        v1::CLOCK_MODE_MANUAL);
    const grpc::Status created = client_.Create(create);
    EXPECT_TRUE(created.ok()) << Show(created);
    const std::string world = "worlds/" + scene.name;
    ExpectAdmitted(client_.MustSubmit(world, scene.commands));
    v1::StepWorldResponse response;
    for (std::int64_t tick = 0; tick < scene.ticks;) {
      tick = std::min(tick + every, scene.ticks);
      v1::StepWorldRequest step;
      step.set_name(world);
      step.set_until_tick(tick);
      step.set_include_frame(true);
      const grpc::Status status = client_.Step(step, &response);
      EXPECT_TRUE(status.ok()) << Show(status);
      if (!status.ok()) return 0;
      const std::vector<Body> bodies = Bodies(response.frame());
      for (const Body& body : bodies) {
        EXPECT_TRUE(std::isfinite(Length(body.position))) << body.id;
        EXPECT_TRUE(std::isfinite(Length(body.velocity))) << body.id;
      }
      each(tick, bodies);
    }
    agents_ = response.frame().agent_count();
    // Everything that the scene says happened.
    const v1::CommandOutcomeCounts outcomes =
        client_.MustGet(world).command_outcomes();
    EXPECT_EQ(outcomes.agent_gone() + outcomes.archetype_unknown() +
                  outcomes.world_full() + outcomes.archetype_in_use(),
              0);
    const grpc::Status deleted = client_.Delete(world);
    EXPECT_TRUE(deleted.ok()) << Show(deleted);
    return response.state_hash();
  }

  std::string Line(const Scene& scene) const {
    const std::uint64_t hash = Play(scene, scene.ticks, [](auto, auto&) {});
    return EndLine(scene.name, scene.simulation.seed(), scene.ticks, agents_,
                   hash);
  }

  static Scene Find(const char* name) { return *scenes::FindScene(name); }

  const ServerProcess server_;
  const Client client_{server_.address()};
  mutable std::int64_t agents_ = 0;  // at the end of what was played
};

TEST_F(ScenesTest, EachEndsWithItsGoldenHash) {
  std::vector<std::string> lines;
  for (const Scene& scene : scenes::Scenes()) lines.push_back(Line(scene));
  EXPECT_EQ(lines, GoldenLines())
      << "tests/integration/update_scenes.sh writes them anew";
}

TEST(GalleryTest, EachSceneHasItsGoldenHashWithoutAServerToo) {
  core::SerialFor serial;
  std::vector<std::string> lines;
  for (const scenarios::Scenario& scene : gallery::GalleryScenarios()) {
    scenarios::ScenarioRun run(scene);
    run.StepTo(scene.ticks, serial);
    lines.push_back(EndLine(scene.name, scene.seed, scene.ticks,
                            run.world().agent_count(),
                            run.world().Hash(serial).value));
  }
  EXPECT_EQ(lines, GoldenLines());
}

TEST_F(ScenesTest, AnotherSeedGivesAnotherHash) {
  const std::string one = Line(*scenes::FindScene("wander", 1));
  const std::string two = Line(*scenes::FindScene("wander", 2));
  EXPECT_NE(one.substr(one.rfind(' ')), two.substr(two.rfind(' ')));
}

TEST_F(ScenesTest, WanderersKeepGoingAndSpread) {
  const Scene scene = Find("wander");
  Play(scene, scene.ticks, [](std::int64_t, const std::vector<Body>& bodies) {
    double away = 0;
    for (const Body& body : bodies) {
      EXPECT_GT(Length(body.velocity), 3.0) << body.id;
      away += Length(body.position);
    }
    EXPECT_GT(away / static_cast<double>(bodies.size()), 15.0);
  });
}

TEST_F(ScenesTest, WhoArrivesStaysThere) {
  const Scene scene = Find("arrive");
  std::vector<Point> goals(scenes::KindsOfAgents(scene).size());
  for (const v1::Command& command : scene.commands) {
    if (!command.has_set_target()) continue;
    const v1::Vec3& point = command.set_target().target().point();
    // The later ones stand later.
    goals[static_cast<std::size_t>(command.set_target().agent_ids(0) - 1)] = {
        static_cast<double>(point.x()), static_cast<double>(point.y()), 0.0};
  }
  Play(scene, scene.ticks, [&](std::int64_t, const std::vector<Body>& bodies) {
    for (const Body& body : bodies) {
      const Point& goal = goals[static_cast<std::size_t>(body.id - 1)];
      EXPECT_LT(Length(body.velocity), 0.05) << body.id;
      EXPECT_LT(
          std::hypot(body.position[0] - goal[0], body.position[1] - goal[1]),
          0.05)
          << body.id;
    }
  });
}

TEST_F(ScenesTest, SomePreyIsCaughtAndSomeEscapes) {
  constexpr std::size_t kPairs = 8;
  const Scene scene = Find("pursuit");
  std::array<double, kPairs> nearest;
  nearest.fill(1e9);
  Play(scene, 1, [&](std::int64_t tick, const std::vector<Body>& bodies) {
    for (std::size_t i = 0; i < kPairs; ++i) {
      const auto turn = static_cast<std::size_t>(tick / 300);
      const Body& prey =
          bodies[kPairs + (i + std::min<std::size_t>(turn, 2)) % kPairs];
      nearest[i] = std::min(nearest[i], Distance(bodies[i], prey, scene));
    }
  });
  const auto caught =
      std::count_if(nearest.begin(), nearest.end(),
                    [](double distance) { return distance < 1.5; });
  EXPECT_GE(caught, 3);
}

TEST_F(ScenesTest, EachFlockIsTogetherAndGoesOneWay) {
  const Scene scene = Find("flock");
  const std::vector<std::size_t> kinds = scenes::KindsOfAgents(scene);
  const auto kind = [&](const Body& body) {
    return kinds[static_cast<std::size_t>(body.id - 1)];
  };
  Play(scene, scene.ticks, [&](std::int64_t, const std::vector<Body>& bodies) {
    std::size_t alone = 0;
    double agreement = 0;
    for (const Body& a : bodies) {
      Point sum{};
      std::size_t others = 0;
      for (const Body& b : bodies) {
        if (a.id == b.id || kind(a) != kind(b) || Distance(a, b, scene) > 8.0) {
          continue;
        }
        ++others;
        for (std::size_t i = 0; i < 3; ++i) sum[i] += b.velocity[i];
      }
      if (others == 0) {
        ++alone;
        continue;
      }
      const double along = sum[0] * a.velocity[0] + sum[1] * a.velocity[1];
      agreement += along / (Length(sum) * Length(a.velocity));
    }
    EXPECT_LE(alone, 5u);
    EXPECT_GT(agreement / static_cast<double>(bodies.size()), 0.9);
  });
}

TEST_F(ScenesTest, NobodyIsEverWithinAPost) {
  const Scene scene = Find("keep-away");
  ASSERT_EQ(scene.marks.size(), 3u);
  Play(scene, 1, [&](std::int64_t, const std::vector<Body>& bodies) {
    for (const Body& body : bodies) {
      for (const scenes::Circle& post : scene.marks) {
        EXPECT_GT(Length(Way(post.center, body.position, scene)), post.radius)
            << body.id;
      }
    }
  });
}

TEST_F(ScenesTest, TrianglesComeToTheSideThatTheirWeightGives) {
  const Scene scene = Find("triangle");
  Play(scene, scene.ticks, [&](std::int64_t, const std::vector<Body>& bodies) {
    ASSERT_EQ(bodies.size(), 9u);
    // 80 * (1 - 1 / (sqrt(3) * w)).
    const double sides[] = {56.906, 64.604, 70.762};
    for (std::size_t i = 0; i < 9; ++i) {
      const std::size_t next = i / 3 * 3 + (i + 1) % 3;
      EXPECT_NEAR(Distance(bodies[i], bodies[next], scene), sides[i / 3], 0.01)
          << i;
      EXPECT_LT(Length(bodies[i].velocity), 0.01) << i;
    }
  });
}

TEST_F(ScenesTest, SparksSlowDownByTheirTimeConstant) {
  const Scene scene = Find("overspeed");
  // The first of each kind are thrown at ticks 1, 60 and 120, 24 at a time.
  const double constants[] = {0.25, 0.5, 1.0};
  const std::int64_t from[] = {20, 70, 130};
  constexpr std::int64_t kApart = 30;
  std::array<double, 3> before{};
  int compared = 0;
  Play(scene, 10, [&](std::int64_t tick, const std::vector<Body>& bodies) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto id = static_cast<std::int64_t>(24 * i + 1);
      const auto spark =
          std::find_if(bodies.begin(), bodies.end(),
                       [id](const Body& body) { return body.id == id; });
      if (spark == bodies.end()) continue;
      const double over = Length(spark->velocity) - 5.0;
      if (tick == from[i]) before[i] = over;
      if (tick != from[i] + kApart) continue;
      ++compared;
      EXPECT_GT(before[i], 5.0);
      EXPECT_NEAR(over / before[i],
                  std::exp(-kApart / kTickRate / constants[i]), 1e-3);
    }
  });
  EXPECT_EQ(compared, 3);
}

TEST_F(ScenesTest, TheSchoolFillsSpaceAndShunsItsSharks) {
  const Scene scene = Find("school");
  double crowded = 0;
  int looks = 0;
  Play(scene, 10, [&](std::int64_t tick, const std::vector<Body>& bodies) {
    Point low = bodies[2].position;
    Point high = low;
    for (std::size_t i = 2; i < bodies.size(); ++i) {
      EXPECT_LT(Length(bodies[i].position), 60.0);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], bodies[i].position[axis]);
        high[axis] = std::max(high[axis], bodies[i].position[axis]);
      }
      if (tick > 300 && (Distance(bodies[i], bodies[0], scene) < 4.0 ||
                         Distance(bodies[i], bodies[1], scene) < 4.0)) {
        ++crowded;
      }
    }
    if (tick > 300) ++looks;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_GT(high[axis] - low[axis], 8.0) << tick;
    }
  });
  ASSERT_GT(looks, 10);
  // Of fish that do not flee fifty are.
  EXPECT_LT(crowded / looks, 5.0);
}

TEST_F(ScenesTest, CrowdsCrossWithoutTouching) {
  const Scene scene = Find("crossing");
  double nearest = 1e9;
  Play(scene, 5, [&](std::int64_t tick, const std::vector<Body>& bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        nearest = std::min(nearest, Distance(bodies[i], bodies[k], scene));
      }
      if (tick == 755) {
        // Who started on the left is on the right.
        EXPECT_EQ(bodies[i].position[0] > 0.0, i < bodies.size() / 2) << i;
      }
    }
  });
  EXPECT_GT(nearest, 1.0);
}

TEST_F(ScenesTest, NoLinkOfAProcessionBreaksOnTheTorus) {
  constexpr std::size_t kLinks = 26;
  const Scene scene = Find("procession");
  std::size_t across = 0;
  Play(scene, 20, [&](std::int64_t tick, const std::vector<Body>& bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (i % kLinks == 0) continue;
      EXPECT_LT(Distance(bodies[i], bodies[i - 1], scene), 6.0) << tick;
      if (std::fabs(bodies[i].position[0] - bodies[i - 1].position[0]) > 60) {
        ++across;
      }
    }
  });
  EXPECT_GT(across, 0u);
}

TEST_F(ScenesTest, EachHasAPictureThatIsSmallAndInTheReadme) {
  std::ifstream file("README.md");
  const std::string readme((std::istreambuf_iterator<char>(file)), {});
  for (const std::string& name : scenes::SceneNames()) {
    const std::string path = "client_examples/scenes/pictures/" + name + ".svg";
    std::ifstream picture(path);
    const std::string svg((std::istreambuf_iterator<char>(picture)), {});
    EXPECT_TRUE(svg.starts_with("<svg ")) << path;
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << path;
    EXPECT_LT(svg.size(), 60'000u) << path;
    EXPECT_NE(readme.find(path), std::string::npos) << path;
  }
}

}  // namespace
}  // namespace meander
