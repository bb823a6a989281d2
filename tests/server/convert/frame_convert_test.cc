#include "server/convert/frame_convert.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "meander/v1/frame.pb.h"

namespace meander::convert {
namespace {

constexpr std::size_t kMessageLimit = 1 << 20;

core::MotionColumns Agents(std::size_t count, core::AgentId first_id) {
  core::MotionColumns motion;
  motion.Resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<float>(i);
    motion.id[i] = first_id + static_cast<core::AgentId>(2 * i);
    motion.position_x[i] = value;
    motion.position_y[i] = value + 0.25f;
    motion.position_z[i] = -value;
    motion.velocity_x[i] = 0.5f * value;
    motion.velocity_y[i] = -0.0f;
    motion.velocity_z[i] = 1.0f / (1.0f + value);
  }
  return motion;
}

std::string Skipped(std::int64_t frames) {
  return EncodeOwnFields({.skipped = frames});
}

v1::Frame Parsed(const std::string& bytes) {
  v1::Frame frame;
  EXPECT_TRUE(frame.ParseFromString(bytes));
  return frame;
}

template <typename T>
T Value(const v1::Frame& frame, std::size_t column, std::size_t row) {
  T value;
  const std::size_t rows = frame.columns().size() / 28;
  std::memcpy(&value, frame.columns().data() + (column * rows + row) * 4, 4);
  return value;
}

TEST(FrameConvertTest, HoldsEveryFieldAndColumn) {
  const core::MotionColumns motion = Agents(3, 1000);
  const auto messages =
      EncodeFrame({12345, 2, 0x123456789abcdef0}, motion, kMessageLimit);
  ASSERT_EQ(messages.size(), 1u);
  const v1::Frame frame = Parsed(messages[0]);
  EXPECT_EQ(frame.tick(), 12345);
  EXPECT_EQ(frame.epoch(), 2);
  EXPECT_EQ(frame.state_hash(), 0x123456789abcdef0);
  EXPECT_EQ(frame.agent_count(), 3);
  EXPECT_EQ(frame.part(), 0);
  EXPECT_EQ(frame.parts(), 1);
  EXPECT_EQ(frame.part_agent_count(), 3);
  EXPECT_EQ(frame.id_base(), 1000);
  EXPECT_EQ(frame.skipped(), 0);
  ASSERT_EQ(frame.columns().size(), 3u * 28);
  const std::vector<float>* floats[] = {&motion.position_x, &motion.position_y,
                                        &motion.position_z, &motion.velocity_x,
                                        &motion.velocity_y, &motion.velocity_z};
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(frame.id_base() + Value<std::uint32_t>(frame, 0, row),
              motion.id[row]);
    for (std::size_t column = 0; column < 6; ++column) {
      const auto sent = Value<std::uint32_t>(frame, column + 1, row);
      EXPECT_EQ(std::memcmp(&sent, &(*floats[column])[row], 4), 0);
    }
  }
}

TEST(FrameConvertTest, ShowsAnEmptyWorldInOnePart) {
  const auto messages = EncodeFrame({7, 1, 9}, {}, kMessageLimit);
  ASSERT_EQ(messages.size(), 1u);
  const v1::Frame frame = Parsed(messages[0]);
  EXPECT_EQ(frame.tick(), 7);
  EXPECT_EQ(frame.parts(), 1);
  EXPECT_EQ(frame.agent_count(), 0);
  EXPECT_EQ(frame.columns(), "");
}

TEST(FrameConvertTest, CutsWhatIsTooLongIntoParts) {
  const core::MotionColumns motion = Agents(200'000, 5);
  const auto messages = EncodeFrame({1, 1, 1}, motion, kMessageLimit);
  std::size_t row = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    EXPECT_LE(messages[i].size() + Skipped(1).size(), kMessageLimit);
    const v1::Frame frame = Parsed(messages[i]);
    EXPECT_EQ(frame.part(), static_cast<int>(i));
    EXPECT_EQ(frame.parts(), static_cast<int>(messages.size()));
    EXPECT_EQ(frame.agent_count(), 200'000);
    const auto rows = static_cast<std::size_t>(frame.part_agent_count());
    ASSERT_EQ(frame.columns().size(), rows * 28);
    for (std::size_t r = 0; r < rows; ++r, ++row) {
      ASSERT_EQ(frame.id_base() + Value<std::uint32_t>(frame, 0, r),
                motion.id[row]);
      ASSERT_EQ(Value<float>(frame, 1, r), motion.position_x[row]);
    }
  }
  EXPECT_EQ(row, motion.size());
  EXPECT_EQ(messages.size(), 6u);
}

TEST(FrameConvertTest, CutsAtTheLimitWhateverTheHeadHolds) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  core::MotionColumns motion = Agents(100, 1);
  for (core::AgentId& id : motion.id) id += kMost - 1000;
  for (std::size_t limit = kFrameHeadBytes + 28; limit < 1000; limit += 13) {
    std::int64_t agents = 0;
    for (const std::string& message :
         EncodeFrame({kMost, kMost, ~std::uint64_t{0}}, motion, limit)) {
      EXPECT_LE(message.size() + Skipped(kMost).size(), limit);
      agents += Parsed(message).part_agent_count();
    }
    EXPECT_EQ(agents, 100);
  }
}

TEST(FrameConvertTest, SkippedMergesIntoAFrameFromEitherSide) {
  const std::string message =
      EncodeFrame({3, 1, 4}, Agents(2, 1), kMessageLimit)[0];
  for (const std::string& bytes :
       {Skipped(17) + message, message + Skipped(17)}) {
    const v1::Frame frame = Parsed(bytes);
    EXPECT_EQ(frame.skipped(), 17);
    EXPECT_EQ(frame.tick(), 3);
    EXPECT_EQ(frame.part_agent_count(), 2);
    EXPECT_EQ(frame.columns().size(), 56u);
  }
  EXPECT_EQ(Skipped(0), "");
}

TEST(FrameConvertTest, TellsEventsBesideTheSharedBytes) {
  const std::vector<core::Event> events{
      {.tick = 2, .agent_id = 7, .slot = 3},
      {.tick = 3, .agent_id = core::AgentId{1} << 60, .slot = 0}};
  const std::string bytes =
      EncodeFrame({3, 1, 4}, Agents(2, 1), kMessageLimit)[0] +
      EncodeOwnFields(
          {.events = events, .dropped_events = 5, .remaining_events = 6});
  const v1::Frame frame = Parsed(bytes);
  EXPECT_EQ(frame.tick(), 3);
  EXPECT_EQ(frame.columns().size(), 56u);
  ASSERT_EQ(frame.events_size(), 2);
  EXPECT_EQ(frame.events(0).tick(), 2);
  EXPECT_EQ(frame.events(0).agent_id(), 7);
  EXPECT_EQ(frame.events(0).target_lost().slot(), 3);
  EXPECT_EQ(frame.events(1).agent_id(), core::AgentId{1} << 60);
  EXPECT_TRUE(frame.events(1).has_target_lost());
  EXPECT_EQ(frame.dropped_events(), 5);
  EXPECT_EQ(frame.remaining_events(), 6);
}

TEST(FrameConvertTest, AsManyEventsAsAreToldFitWhateverTheySay) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  for (const std::size_t limit : {std::size_t{1} << 16, kMessageLimit}) {
    const std::vector<core::Event> events(
        MostEvents(limit), {.tick = kMost, .agent_id = kMost, .slot = 3});
    EXPECT_GE(events.size(), 300u);
    core::MotionColumns motion = Agents(2 * limit / 28, 1);
    for (core::AgentId& id : motion.id) id += kMost - 1'000'000;
    const auto messages = EncodeFrame({kMost, kMost, ~std::uint64_t{0}}, motion,
                                      limit - EventRoom(limit));
    EXPECT_GE(messages.size(), 2u);
    const std::string own = EncodeOwnFields({.skipped = kMost,
                                             .events = events,
                                             .dropped_events = kMost,
                                             .remaining_events = kMost});
    for (const std::string& message : messages) {
      EXPECT_LE(message.size() + own.size(), limit);
    }
  }
}

// What EncodeFrame and EncodeOwnFields write between them.
TEST(FrameConvertTest, KnowsAllFieldsOfAFrame) {
  EXPECT_EQ(v1::Frame::descriptor()->field_count(), 13);
}

}  // namespace
}  // namespace meander::convert
