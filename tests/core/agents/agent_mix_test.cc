#include "core/agents/agent_mix.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/agents/agent_columns.h"
#include "core/simd/kernels.h"
#include "gtest/gtest.h"

namespace meander::core {
namespace {

constexpr std::size_t kMotionWords = mix_place::kHeading + 3;

using Words = std::array<std::uint32_t, kMotionWords>;

std::uint64_t MixOf(const Words& words) {
  WordSums sums;
  for (std::uint32_t place = 0; place < words.size(); ++place) {
    sums.Add(words[place], place);
  }
  return sums.Mix();
}

Words RandomWords(std::mt19937& random) {
  Words words;
  for (std::uint32_t& word : words) {
    word = static_cast<std::uint32_t>(random());
  }
  return words;
}

bool AllDiffer(std::vector<std::uint64_t> mixes) {
  std::sort(mixes.begin(), mixes.end());
  return std::adjacent_find(mixes.begin(), mixes.end()) == mixes.end();
}

// As another program can compute them from the header alone.
TEST(AgentMixTest, HasItsKnownValues) {
  EXPECT_EQ(KeyAt(0).c, 0x7b1dcdafu);
  EXPECT_EQ(KeyAt(0).d, 0xe220a839u);
  EXPECT_EQ(WordSums{}.Mix(), 0u);
  WordSums sums;
  sums.Add(1, 0);
  EXPECT_EQ(sums.a, 0x7b1dcdafu);
}

TEST(AgentMixTest, KeysAreOddAndDifferent) {
  std::vector<std::uint64_t> keys;
  for (const MixKey& key : kMixKeys) {
    EXPECT_EQ(key.c & 1, 1u);
    EXPECT_EQ(key.d & 1, 1u);
    keys.push_back(key.c);
    keys.push_back(key.d);
  }
  EXPECT_TRUE(AllDiffer(keys));
}

TEST(AgentMixTest, AWordThatIsZeroAddsNothing) {
  for (std::uint32_t place = 0; place < kMixKeys.size(); ++place) {
    WordSums sums{3, 4};
    sums.Add(0, place);
    EXPECT_EQ(sums.a, 3u);
    EXPECT_EQ(sums.b, 4u);
  }
}

TEST(AgentMixTest, EachBitOfTheMixFollowsEachBitOfAWord) {
  std::mt19937 random(1);
  constexpr int kTrials = 1000;
  for (std::size_t place = 0; place < kMotionWords; ++place) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      std::array<int, 64> flips{};
      for (int trial = 0; trial < kTrials; ++trial) {
        Words words = RandomWords(random);
        const std::uint64_t before = MixOf(words);
        words[place] ^= 1u << bit;
        const std::uint64_t changed = before ^ MixOf(words);
        for (std::size_t i = 0; i < 64; ++i) {
          flips[i] += static_cast<int>(changed >> i & 1);
        }
      }
      // Five standard deviations of a coin, and a bit more.
      for (const int count : flips) ASSERT_NEAR(count, kTrials / 2, 90);
    }
  }
}

// What a mirror does to an agent.
TEST(AgentMixTest, NoTwoSetsOfSignsAreAlike) {
  std::mt19937 random(2);
  for (const bool empty : {false, true}) {
    const Words words = empty ? Words{} : RandomWords(random);
    std::vector<std::uint64_t> mixes;
    for (std::uint32_t set = 0; set < 1u << 17; ++set) {
      Words turned = words;
      for (std::size_t i = 0; i < 17; ++i) turned[2 + i] ^= (set >> i) << 31;
      mixes.push_back(MixOf(turned));
    }
    EXPECT_TRUE(AllDiffer(mixes));
  }
}

TEST(AgentMixTest, NoTwoPairsOfBitsAreAlike) {
  std::mt19937 random(3);
  for (const bool empty : {false, true}) {
    Words words = empty ? Words{} : RandomWords(random);
    const auto flip = [&words](std::size_t bit) {
      words[bit / 32] ^= 1u << bit % 32;
    };
    std::vector<std::uint64_t> mixes{MixOf(words)};
    for (std::size_t one = 0; one < 32 * kMotionWords; ++one) {
      flip(one);
      mixes.push_back(MixOf(words));
      for (std::size_t other = 0; other < one; ++other) {
        flip(other);
        mixes.push_back(MixOf(words));
        flip(other);
      }
      flip(one);
    }
    EXPECT_TRUE(AllDiffer(mixes));
  }
}

TEST(AgentMixTest, WordsThatChangePlacesChangeTheMix) {
  std::mt19937 random(4);
  const Words words = RandomWords(random);
  std::vector<std::uint64_t> mixes{MixOf(words)};
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Words swapped = words;
      std::swap(swapped[i], swapped[j]);
      mixes.push_back(MixOf(swapped));
    }
  }
  EXPECT_TRUE(AllDiffer(mixes));
}

// Places of whole numbers, as a client lays them out.
TEST(AgentMixTest, NoTwoPlacesOfALatticeAreAlike) {
  std::vector<std::uint64_t> mixes;
  for (int x = -32; x < 32; ++x) {
    for (int y = -32; y < 32; ++y) {
      for (int z = -32; z < 32; ++z) {
        Words words{};
        words[2] = std::bit_cast<std::uint32_t>(static_cast<float>(x));
        words[3] = std::bit_cast<std::uint32_t>(static_cast<float>(y));
        words[4] = std::bit_cast<std::uint32_t>(static_cast<float>(z));
        mixes.push_back(MixOf(words));
      }
    }
  }
  EXPECT_TRUE(AllDiffer(mixes));
}

float RandomFloat(std::mt19937& random) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(random()));
}

Vec3 RandomVector(std::mt19937& random) {
  const float x = RandomFloat(random);
  const float y = RandomFloat(random);
  return {x, y, RandomFloat(random)};
}

std::uint64_t RandomLong(std::mt19937& random) {
  const std::uint64_t high = random();
  return high << 32 | random();
}

// Rows of any bits. Of `slots` and the tag some are not set.
AgentColumns RandomRows(std::size_t rows, WanderForm form, bool full,
                        std::mt19937& random) {
  AgentColumns agents;
  agents.SetWanderForm(form);
  for (std::size_t i = 0; i < rows; ++i) {
    AgentRow row;
    row.id = static_cast<AgentId>(RandomLong(random));
    row.position = RandomVector(random);
    row.velocity = RandomVector(random);
    row.wander = {.turn = static_cast<std::uint32_t>(random()),
                  .elevation = RandomFloat(random),
                  .offset = RandomVector(random),
                  .heading = RandomVector(random)};
    row.facing = RandomVector(random);
    row.groups = static_cast<std::uint32_t>(random());
    row.seed = RandomLong(random);
    row.spawn_tick = static_cast<std::int64_t>(RandomLong(random));
    if (full) {
      row.tag = RandomLong(random);
      for (Target& target : row.targets) {
        target = {.kind = Target::Kind::kPoint, .point = RandomVector(random)};
      }
    }
    agents.Append(row);
  }
  return agents;
}

TEST(HashKernelsTest, EveryTargetMixesAsTheReferenceDoes) {
  std::mt19937 random(5);
  for (const WanderForm form :
       {WanderForm::kNone, WanderForm::kWorldAngle, WanderForm::kSpherical,
        WanderForm::kHeadingOffset}) {
    for (std::size_t rows = 1; rows <= 70; ++rows) {
      const AgentColumns agents = RandomRows(rows, form, rows % 2 == 0, random);
      const std::size_t first = rows / 3;
      for (const MixColumns& columns :
           {MotionWords(agents, Plane::kNone, first),
            ColdWords(agents, static_cast<ArchetypeId>(rows), first)}) {
        std::vector<std::uint64_t> wanted(rows - first);
        MixRows(columns, rows - first, wanted.data());
        for (const SimdTarget target : kSimdTargets) {
          if (!CanRun(target)) continue;
          std::vector<std::uint64_t> mixes(rows - first + kVectorRows);
          KernelsOf(target).hash.mix_rows(columns, rows - first, mixes.data());
          mixes.resize(rows - first);
          ASSERT_EQ(mixes, wanted) << NameOf(target) << ", " << rows << " rows";
        }
      }
    }
  }
}

// The words of MixColumns, from the columns by their names.
TEST(AgentMixTest, EveryWordHasItsPlace) {
  std::mt19937 random(6);
  const AgentColumns agents =
      RandomRows(3, WanderForm::kHeadingOffset, true, random);
  const auto bits = [](float value) {
    return std::bit_cast<std::uint32_t>(value);
  };
  WordSums sums;
  std::uint32_t place = 0;
  const auto add = [&](std::uint32_t word) { sums.Add(word, place++); };
  const auto add_vector = [&](const Vec3& vector) {
    for (const float value : {vector.x, vector.y, vector.z}) add(bits(value));
  };
  const auto add_long = [&](std::uint64_t value) {
    add(static_cast<std::uint32_t>(value));
    add(static_cast<std::uint32_t>(value >> 32));
  };
  const AgentRow row = agents.Row(2);
  add_long(static_cast<std::uint64_t>(row.id));
  add_vector(row.position);
  add_vector(row.velocity);
  add_vector(row.facing);
  add(row.wander.turn);
  add(bits(row.wander.elevation));
  add_vector(row.wander.offset);
  add_vector(row.wander.heading);
  std::uint64_t mix = 0;
  MixRows(MotionWords(agents, Plane::kNone, 2), 1, &mix);
  EXPECT_EQ(mix, sums.Mix());

  sums = {};
  place = 32;
  add_long(static_cast<std::uint64_t>(row.id));
  add(17);
  add(row.groups);
  add_long(row.seed);
  add_long(row.tag);
  add_long(static_cast<std::uint64_t>(row.spawn_tick));
  for (const Target& target : row.targets) {
    add(1);
    add_vector(target.point);
  }
  EXPECT_EQ(place, 58u);
  EXPECT_EQ(ColdMix(agents, 17, 2), sums.Mix());
}

TEST(AgentMixTest, WhatIsOffThePlaneCountsAsZero) {
  std::mt19937 random(7);
  for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    AgentColumns agents = RandomRows(1, WanderForm::kWorldAngle, true, random);
    const auto mix = [&agents](Plane which) {
      std::uint64_t value = 0;
      MixRows(MotionWords(agents, which, 0), 1, &value);
      return value;
    };
    const std::uint64_t planar = mix(plane);
    EXPECT_NE(planar, mix(Plane::kNone));
    agents.SetPosition(0, Flatten(agents.Position(0), plane));
    agents.SetVelocity(0, Flatten(agents.Velocity(0), plane));
    agents.SetFacing(0, Flatten(agents.FacingOf(0), plane));
    EXPECT_EQ(mix(plane), planar);
    EXPECT_EQ(mix(Plane::kNone), planar);
  }
}

}  // namespace
}  // namespace meander::core
