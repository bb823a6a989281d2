#include "core/random/agent_random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "core/random/philox.h"
#include "gtest/gtest.h"
#include "tests/core/floats.h"

namespace meander::core {
namespace {

using enum Purpose;

using Uniforms = std::array<float, 4>;

struct Draw {
  std::uint64_t seed;
  std::uint64_t step_count;
  Purpose purpose;
  std::uint32_t block;
};

struct BlockGolden {
  Draw draw;
  std::array<std::uint32_t, 4> bits;
};

constexpr std::uint64_t kSeed = 0x0123456789abcdefu;
constexpr std::uint64_t kAll = 0xffffffffffffffffu;
constexpr std::uint64_t kHigh = 0x100000000u;

constexpr BlockGolden kBlocks[] = {
    {{0, 0, kStep, 0}, {0x3f044515u, 0x3f708d6eu, 0x3d719c00u, 0x3f03f875u}},
    {{1, 0, kStep, 0}, {0x3ce0e380u, 0x3e8504c8u, 0x3e642440u, 0x3edb457au}},
    {{1, 1, kStep, 0}, {0x3e6d4e6cu, 0x3f704a50u, 0x3f517763u, 0x3eb46de6u}},
    {{1, 0, kInit, 0}, {0x3f673404u, 0x3f0cedc5u, 0x3e7c1c5cu, 0x3d20afd0u}},
    {{1, 0, kInit, 1}, {0x3ede67a8u, 0x3f074485u, 0x3da1c520u, 0x3f379709u}},
    {{1, 0, kInit, 2}, {0x3f645d5au, 0x3f31424eu, 0x3f6eefecu, 0x3ed1304au}},
    {{1, 0, kDerive, 0}, {0x3f09e3afu, 0x3f5ce68du, 0x3f6cdcb8u, 0x3c076340u}},
    {{1, 0, kArea, 0}, {0x3f3b3154u, 0x3ee15caau, 0x3ebf7282u, 0x3f2e0508u}},
    {{1, 0, kArea, 1}, {0x3f45d6e3u, 0x3ee802fcu, 0x3eac5552u, 0x3f1b4a80u}},
    {{kSeed, 0xfedcba9876543210u, kStep, 7},
     {0x3f626873u, 0x3f4e54bbu, 0x3decb1b0u, 0x3ef4397eu}},
    {{kAll, kAll, kArea, 0xffffffffu},
     {0x3e38aa28u, 0x3f661dfcu, 0x3e53429cu, 0x3d507170u}},
    {{kHigh, kHigh, kStep, 0},
     {0x3f6a417bu, 0x3e7c44b0u, 0x3f1e006au, 0x3eb43346u}},
};

struct SeedGolden {
  std::uint64_t world_seed;
  std::uint64_t number;
  std::uint64_t agent_seed;
  std::uint64_t place_seed;
};

constexpr SeedGolden kSeedGoldens[] = {
    {0, 0, 0x115896b8f0a90abcu, 0x8f1a3087f2237f09u},
    {0, 1, 0xeaf7db94547ade6au, 0x4f10102855a072bau},
    {0, 2, 0x07ff1df3cf47e667u, 0x7b67c237aaa3be2fu},
    {0, kHigh << 8, 0xe485d509c528c0cau, 0x78fd3b8ee09c5c92u},
    {1, 0, 0xdce68da689e3af3fu, 0x70ae55c5bb315460u},
    {1, 1, 0xba17170b57dd12f7u, 0x41eefac7e7d94e07u},
    {1, 2, 0x517630e6f045e74au, 0x1961e3d9b75c0ed3u},
    {1, kHigh << 8, 0x0d7d8f1879d3537fu, 0x93dae229c94b354bu},
    {kSeed, 0, 0x416988c34f1c02a1u, 0x77b464b5023ef42au},
    {kSeed, 1, 0xb6791cd7efd94150u, 0xeb5ce4f7ab71da2du},
    {kSeed, 2, 0x7af0c6349b5e271au, 0x64adadd13ca1c830u},
    {kSeed, kHigh << 8, 0x40ed53167852e258u, 0x8020db7bfb5068dau},
};

TEST(AgentRandomTest, UniformBlocksKeepTheirGoldenBits) {
  for (const BlockGolden& golden : kBlocks) {
    const Draw& draw = golden.draw;
    const Uniforms u =
        UniformBlock(draw.seed, draw.step_count, draw.purpose, draw.block);
    for (unsigned lane = 0; lane < 4; ++lane) {
      EXPECT_EQ(Bits(u[lane]), golden.bits[lane])
          << "seed " << draw.seed << " step " << draw.step_count << " lane "
          << lane;
    }
  }
}

TEST(AgentRandomTest, SeedsKeepTheirGoldenBits) {
  for (const SeedGolden& golden : kSeedGoldens) {
    EXPECT_EQ(DeriveAgentSeed(golden.world_seed, golden.number),
              golden.agent_seed);
    EXPECT_EQ(PlaceSeed(golden.world_seed, golden.number), golden.place_seed);
  }
}

TEST(AgentRandomTest, ABlockIsOnePhiloxCallOfTheDocumentedCounter) {
  const std::array<std::uint32_t, 4> words =
      Philox4x32({0x76543210u, 0xfedcba98u, 2, 9}, {0x89abcdefu, 0x01234567u});
  const Uniforms u = UniformBlock(kSeed, 0xfedcba9876543210u, kInit, 9);
  for (unsigned lane = 0; lane < 4; ++lane) {
    EXPECT_EQ(static_cast<double>(u[lane]),
              std::floor(words[lane] / 256.0) / 16777216.0);
  }
}

TEST(AgentRandomTest, ADerivedSeedIsTheFirstTwoWordsOfItsBlock) {
  const std::array<std::uint32_t, 4> words =
      Philox4x32({5, 1, 3, 0}, {0x89abcdefu, 0x01234567u});
  EXPECT_EQ(DeriveAgentSeed(kSeed, kHigh + 5), words[0] + kHigh * words[1]);
}

TEST(AgentRandomTest, PurposesKeepTheirNumbers) {
  EXPECT_EQ(static_cast<std::uint32_t>(kStep), 1u);
  EXPECT_EQ(static_cast<std::uint32_t>(kInit), 2u);
  EXPECT_EQ(static_cast<std::uint32_t>(kDerive), 3u);
  EXPECT_EQ(static_cast<std::uint32_t>(kArea), 4u);
}

TEST(AgentRandomTest, AUniformIsTheTop24BitsBelowOne) {
  EXPECT_EQ(UniformFromWord(0), 0.0f);
  EXPECT_EQ(UniformFromWord(0xffu), 0.0f);
  EXPECT_EQ(UniformFromWord(0x100u), 0x1p-24f);
  EXPECT_EQ(UniformFromWord(0x80000000u), 0.5f);
  EXPECT_EQ(UniformFromWord(0xffffffffu), 1.0f - 0x1p-24f);
}

TEST(AgentRandomTest, AUniformBecomesATurnWithoutRounding) {
  for (std::uint32_t i = 0; i < 100000; ++i) {
    const std::uint32_t word = i * 0x9e3779b9u;
    EXPECT_EQ(TurnFromUniform(UniformFromWord(word)), word & 0xffffff00u);
  }
  EXPECT_EQ(TurnFromUniform(UniformFromWord(0xffffffffu)), 0xffffff00u);
}

TEST(AgentRandomTest, AgentsSeededAlikeDrawAlikeAtEqualStepCounts) {
  for (std::uint64_t step = 0; step < 100; ++step) {
    EXPECT_EQ(UniformBlock(77, step, kStep, 0),
              UniformBlock(77, step, kStep, 0));
    EXPECT_NE(UniformBlock(77, step, kStep, 0),
              UniformBlock(78, step, kStep, 0));
    EXPECT_NE(UniformBlock(77, step, kStep, 0),
              UniformBlock(77, step + 1, kStep, 0));
  }
}

TEST(AgentRandomTest, PurposesAndBlocksDoNotShareDraws) {
  std::set<Uniforms> blocks;
  for (const Purpose purpose : {kStep, kInit, kDerive, kArea}) {
    for (std::uint32_t block = 0; block < 8; ++block) {
      blocks.insert(UniformBlock(kSeed, 0, purpose, block));
    }
  }
  EXPECT_EQ(blocks.size(), 32u);
}

TEST(AgentRandomTest, AgentSeedsAndPlaceSeedsDiffer) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t i = 0; i < 50000; ++i) {
    seeds.insert(DeriveAgentSeed(kSeed, i));
    seeds.insert(PlaceSeed(kSeed, i));
  }
  EXPECT_EQ(seeds.size(), 100000u);
}

TEST(LaneRangeTest, StepsDrawOneTwoAndThreeLanes) {
  EXPECT_EQ(kWorldAngleStepLanes.count, 1u);
  EXPECT_EQ(kSphericalStepLanes.count, 2u);
  EXPECT_EQ(kHeadingOffsetStepLanes.count, 3u);
  for (const LaneRange& lanes :
       {kWorldAngleStepLanes, kSphericalStepLanes, kHeadingOffsetStepLanes}) {
    EXPECT_EQ(lanes.purpose, kStep);
    EXPECT_EQ(lanes.block, 0u);
    EXPECT_EQ(lanes.first_lane, 0u);
  }
}

TEST(LaneRangeTest, HeadingOffsetDrawsSixAtSpawn) {
  EXPECT_EQ(kStartOffsetLanes.count + kStartHeadingLanes.count, 6u);
}

TEST(LaneRangeTest, RangesFitABlockAndThoseOfASpawnAreDisjoint) {
  constexpr LaneRange kSpawn[] = {kStartAngleLanes, kStartElevationLanes,
                                  kStartOffsetLanes, kStartHeadingLanes};
  std::set<std::array<std::uint32_t, 2>> taken;
  unsigned count = 0;
  for (const LaneRange& lanes : kSpawn) {
    EXPECT_EQ(lanes.purpose, kInit);
    for (unsigned i = 0; i < lanes.count; ++i) {
      taken.insert({lanes.block, lanes.first_lane + i});
    }
    count += lanes.count;
    EXPECT_LE(lanes.first_lane + lanes.count, 4u);
  }
  EXPECT_EQ(taken.size(), count);
  for (const LaneRange& lanes :
       {kDiscLanes, kBoxLanes, kBallDirectionLanes, kBallRadiusLanes}) {
    EXPECT_EQ(lanes.purpose, kArea);
    EXPECT_LE(lanes.first_lane + lanes.count, 4u);
  }
  EXPECT_NE(kBallDirectionLanes.block, kBallRadiusLanes.block);
}

// The draws of some agents, and room for their uniforms.
struct Drawn {
  std::vector<std::uint64_t> seeds;
  std::vector<std::int64_t> spawn_ticks;
  std::array<std::vector<float>, 3> uniforms;

  explicit Drawn(std::size_t count) : seeds(count), spawn_ticks(count) {
    for (std::size_t i = 0; i < count; ++i) {
      seeds[i] = DeriveAgentSeed(kSeed, i);
      spawn_ticks[i] = -static_cast<std::int64_t>(i * i * 0x10001u);
    }
    for (std::vector<float>& lane : uniforms) lane.resize(count);
  }
  StepDraw At(std::int64_t tick, const LaneRange& lanes) {
    return {
        .rows = seeds.size(),
        .seeds = seeds.data(),
        .spawn_ticks = spawn_ticks.data(),
        .tick = tick,
        .lanes = lanes,
        .out = {uniforms[0].data(), uniforms[1].data(), uniforms[2].data()}};
  }
};

TEST(DrawUniformsTest, GivesTheLanesOfEachAgentsBlock) {
  Drawn drawn(1001);
  drawn.spawn_ticks[7] = 124;  // Counts modulo 2^64.
  for (const LaneRange& lanes :
       {LaneRange{kStep, 0, 0, 3}, LaneRange{kInit, 2, 1, 3},
        LaneRange{kStep, 1, 3, 1}, LaneRange{kStep, 0, 2, 2}}) {
    DrawUniforms(drawn.At(123, lanes));
    for (std::size_t i = 0; i < drawn.seeds.size(); ++i) {
      const auto step = static_cast<std::uint64_t>(123 - drawn.spawn_ticks[i]);
      const Uniforms block =
          UniformBlock(drawn.seeds[i], step, lanes.purpose, lanes.block);
      for (unsigned lane = 0; lane < lanes.count; ++lane) {
        ASSERT_EQ(Bits(drawn.uniforms[lane][i]),
                  Bits(block[lanes.first_lane + lane]));
      }
    }
  }
}

TEST(DrawUniformsTest, AcceptsNobody) {
  DrawUniforms(Drawn(0).At(1, {kStep, 0, 0, 3}));
}

TEST(DrawUniformsDeathTest, RefusesMoreLanesThanThereIsRoomFor) {
  EXPECT_DEATH(DrawUniforms(Drawn(1).At(1, {kStep, 0, 0, 4})), "check failed");
}

TEST(DrawUniformsDeathTest, RefusesAFifthLane) {
  EXPECT_DEATH(DrawUniforms(Drawn(1).At(1, {kStep, 0, 3, 2})), "check failed");
}

// Chi-square over 256 equal cells: 255 degrees of freedom, mean 255, standard
// deviation 22.6. The bounds are five standard deviations out; with fixed seeds
// a result either always passes or never.
class Histogram {
 public:
  void Add(double u) {
    const auto cell = static_cast<std::size_t>(u * 256.0);
    ++cells_.at(cell);
    ++count_;
  }
  void ExpectUniform(const char* what) const {
    const double expected = count_ / 256.0;
    double chi_square = 0.0;
    for (const double cell : cells_) {
      chi_square += (cell - expected) * (cell - expected) / expected;
    }
    EXPECT_GT(chi_square, 142.0) << what << ": too even";
    EXPECT_LT(chi_square, 368.0) << what << ": uneven";
  }

 private:
  std::array<double, 256> cells_{};
  double count_ = 0;
};

TEST(AgentRandomStatisticsTest, UniformsAreUniform) {
  std::array<Histogram, 4> over_steps;
  std::array<Histogram, 4> over_agents;
  Histogram pairs;
  Histogram low_bits;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const Uniforms a = UniformBlock(kSeed, i, kStep, 0);
    const Uniforms b = UniformBlock(i, 1234, kStep, 0);
    for (unsigned lane = 0; lane < 4; ++lane) {
      over_steps[lane].Add(static_cast<double>(a[lane]));
      over_agents[lane].Add(static_cast<double>(b[lane]));
      const double scaled = static_cast<double>(a[lane]) * 65536.0;
      low_bits.Add(scaled - std::floor(scaled));
    }
    const double x = std::floor(static_cast<double>(b[0]) * 16.0);
    const double y = std::floor(static_cast<double>(b[1]) * 16.0);
    pairs.Add((x * 16.0 + y) / 256.0);
  }
  for (unsigned lane = 0; lane < 4; ++lane) {
    over_steps[lane].ExpectUniform("over steps");
    over_agents[lane].ExpectUniform("over agents");
  }
  pairs.ExpectUniform("two lanes");
  low_bits.ExpectUniform("low bits");
}

TEST(AgentRandomStatisticsTest, SuccessiveStepsAndAgentsAreIndependent) {
  Histogram steps;
  Histogram agents;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const auto cell = [](float u) {
      return std::floor(static_cast<double>(u) * 16.0);
    };
    const float u0 = UniformBlock(kSeed, i, kStep, 0)[0];
    const float u1 = UniformBlock(kSeed, i + 1, kStep, 0)[0];
    steps.Add((cell(u0) * 16.0 + cell(u1)) / 256.0);
    const std::uint64_t s0 = DeriveAgentSeed(1, i);
    const std::uint64_t s1 = DeriveAgentSeed(1, i + 1);
    const float v0 = UniformBlock(s0, 0, kInit, 0)[0];
    const float v1 = UniformBlock(s1, 0, kInit, 0)[0];
    agents.Add((cell(v0) * 16.0 + cell(v1)) / 256.0);
  }
  steps.ExpectUniform("successive steps");
  agents.ExpectUniform("successive agents");
}

TEST(AgentRandomStatisticsTest, SeedBytesAreUniform) {
  std::array<Histogram, 8> bytes;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const std::uint64_t seed = DeriveAgentSeed(kSeed, i + 1);
    for (unsigned byte = 0; byte < 8; ++byte) {
      bytes[byte].Add(static_cast<double>((seed >> (8 * byte)) & 0xff) / 256.0);
    }
  }
  for (const Histogram& byte : bytes) byte.ExpectUniform("seed byte");
}

TEST(AgentRandomStatisticsTest, DiscAndBallRadiiFillAreaAndVolumeEvenly) {
  Histogram disc;
  Histogram ball;
  const std::uint64_t seed = PlaceSeed(kSeed, 42);
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const Uniforms u =
        UniformBlock(seed, i, kDiscLanes.purpose, kDiscLanes.block);
    const double r = std::sqrt(static_cast<double>(u[1]));
    disc.Add(r * r);
    const Uniforms w =
        UniformBlock(seed, i, kBallRadiusLanes.purpose, kBallRadiusLanes.block);
    const double largest = static_cast<double>(std::max({w[0], w[1], w[2]}));
    ball.Add(largest * largest * largest);
  }
  disc.ExpectUniform("share of the disc within r");
  ball.ExpectUniform("share of the ball within r");
}

}  // namespace
}  // namespace meander::core
