#include "core/codec/frame_codec.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/agent_state.h"
#include "gtest/gtest.h"

namespace meander::core {
namespace {

MotionColumns WithIds(const std::vector<AgentId>& ids) {
  MotionColumns motion;
  motion.Resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto value = static_cast<float>(i);
    motion.id[i] = ids[i];
    motion.position_x[i] = value + 0.125f;
    motion.position_y[i] = -value;
    motion.position_z[i] = value * 0.1f;
    motion.velocity_x[i] = value + 1.0e6f;
    motion.velocity_y[i] = value * 1.0e-40f;
    motion.velocity_z[i] = i % 2 == 0 ? -0.0f : 0.0f;
  }
  return motion;
}

template <typename T>
T WordAt(const std::string& bytes, std::size_t at) {
  T word;
  std::memcpy(&word, bytes.data() + at, sizeof(T));
  return word;
}

// The bytes of the part, read by the grammar, must be its rows.
void ExpectColumns(const MotionColumns& motion, const FramePart& part) {
  std::string bytes;
  EncodeColumns(motion, part, bytes);
  const std::size_t n = part.rows;
  ASSERT_EQ(bytes.size(), n * kColumnsBytesPerAgent);
  const std::vector<float>* const columns[] = {
      &motion.position_x, &motion.position_y, &motion.position_z,
      &motion.velocity_x, &motion.velocity_y, &motion.velocity_z};
  for (std::size_t i = 0; i < n; ++i) {
    const auto offset = WordAt<std::uint32_t>(bytes, 4 * i);
    EXPECT_EQ(part.id_base + offset, motion.id[part.first_row + i]);
    for (std::size_t c = 0; c < 6; ++c) {
      EXPECT_EQ(WordAt<std::uint32_t>(bytes, 4 * ((c + 1) * n + i)),
                std::bit_cast<std::uint32_t>((*columns[c])[part.first_row + i]))
          << "column " << c << ", row " << i;
    }
  }
}

TEST(FrameCodecTest, NoAgentsAreOneEmptyPart) {
  const std::vector<FramePart> parts = SplitIntoParts({}, 10);
  EXPECT_EQ(parts, (std::vector<FramePart>{{0, 0, 0}}));
  std::string bytes = "kept";
  EncodeColumns({}, parts[0], bytes);
  EXPECT_EQ(bytes, "kept");
}

TEST(FrameCodecTest, RowsThatFitAreOnePart) {
  const MotionColumns motion = WithIds({7, 8, 12});
  for (const std::size_t most :
       {std::size_t{3}, std::size_t{4}, std::numeric_limits<size_t>::max()}) {
    EXPECT_EQ(SplitIntoParts(motion, most),
              (std::vector<FramePart>{{0, 3, 7}}));
  }
  ExpectColumns(motion, {0, 3, 7});
}

TEST(FrameCodecTest, PartsHoldAtMostSoManyRows) {
  const MotionColumns motion = WithIds({1, 2, 3, 4, 5});
  EXPECT_EQ(SplitIntoParts(motion, 2),
            (std::vector<FramePart>{{0, 2, 1}, {2, 2, 3}, {4, 1, 5}}));
  EXPECT_EQ(SplitIntoParts(motion, 1).size(), 5u);
  EXPECT_EQ(SplitIntoParts(motion, 4),
            (std::vector<FramePart>{{0, 4, 1}, {4, 1, 5}}));
}

TEST(FrameCodecTest, IdsOfAPartSpanLessThanTwoToThe32) {
  constexpr AgentId kSpan = AgentId{1} << 32;
  EXPECT_EQ(SplitIntoParts(WithIds({5, 5 + kSpan - 1}), 10),
            (std::vector<FramePart>{{0, 2, 5}}));
  EXPECT_EQ(SplitIntoParts(WithIds({5, 5 + kSpan}), 10),
            (std::vector<FramePart>{{0, 1, 5}, {1, 1, 5 + kSpan}}));
  EXPECT_EQ(SplitIntoParts(WithIds({1, 2, kSpan, kSpan + 1, 3 * kSpan}), 10),
            (std::vector<FramePart>{
                {0, 3, 1}, {3, 1, kSpan + 1}, {4, 1, 3 * kSpan}}));
  constexpr AgentId kLast = std::numeric_limits<AgentId>::max();
  EXPECT_EQ(SplitIntoParts(WithIds({1, kLast - 1, kLast}), 10),
            (std::vector<FramePart>{{0, 1, 1}, {1, 2, kLast - 1}}));
  ExpectColumns(WithIds({5, 5 + kSpan - 1}), {0, 2, 5});
}

TEST(FrameCodecTest, BytesAreColumnsAsTheGrammarSays) {
  MotionColumns motion = WithIds({300, 301, 511});
  motion.position_x = {1.0f, 2.0f, -2.0f};
  motion.velocity_z = {0.0f, -0.0f, 0.5f};
  std::string bytes;
  EncodeColumns(motion, {1, 2, 301}, bytes);
  EXPECT_EQ(bytes.substr(0, 16), std::string("\x00\x00\x00\x00"
                                             "\xd2\x00\x00\x00"
                                             "\x00\x00\x00\x40"
                                             "\x00\x00\x00\xc0",
                                             16));
  EXPECT_EQ(bytes.substr(48), std::string("\x00\x00\x00\x80"
                                          "\x00\x00\x00\x3f",
                                          8));
  EXPECT_EQ(bytes.size(), 56u);
}

TEST(FrameCodecTest, PartsOfRandomIdsCoverEveryRowOnce) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<AgentId> ids;
    AgentId id = 0;
    while (ids.size() < 300) {
      const std::uint64_t step = random();
      id += 1 + static_cast<AgentId>(step % 20 == 0 ? step >> 29 : step % 9);
      ids.push_back(id);
    }
    const MotionColumns motion = WithIds(ids);
    const std::size_t most = 1 + random() % 50;
    std::size_t row = 0;
    for (const FramePart& part : SplitIntoParts(motion, most)) {
      ASSERT_EQ(part.first_row, row);
      ASSERT_GE(part.rows, 1u);
      ASSERT_LE(part.rows, most);
      ASSERT_EQ(part.id_base, ids[row]);
      ASSERT_NO_FATAL_FAILURE(ExpectColumns(motion, part));
      row += part.rows;
      // It ends only where it must.
      if (row < ids.size() && part.rows < most) {
        ASSERT_GT(ids[row] - part.id_base, AgentId{0xffffffff});
      }
    }
    ASSERT_EQ(row, ids.size());
  }
}

}  // namespace
}  // namespace meander::core
