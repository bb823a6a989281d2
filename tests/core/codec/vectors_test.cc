// The bytes in tests/vectors, which other languages pass as well
// (tests/vectors/decode_test.py).

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include "core/codec/command_codec.h"
#include "core/codec/frame_codec.h"
#include "core/codec/snapshot.h"
#include "gtest/gtest.h"
#include "tests/core/codec/sample_commands.h"
#include "tests/core/codec/sample_snapshot.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

std::string Hex(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<std::uint8_t>(byte);
    text += kDigits[value >> 4];
    text += kDigits[value & 15];
    text += ' ';
  }
  return text;
}

// name -> hex as above. Hex pairs end at two spaces, where a note begins.
std::map<std::string, std::string> ReadVectors(const std::string& file) {
  std::ifstream in("tests/vectors/" + file);
  EXPECT_TRUE(in.good()) << "to be run from the root of the repository";
  std::map<std::string, std::string> vectors;
  std::string name;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("name ", 0) == 0) {
      name = line.substr(5);
      vectors[name];
    } else if (!line.empty() && line[0] != '#' && line[0] != ' ' &&
               line.rfind("json ", 0) != 0) {
      vectors[name] += line.substr(0, line.find("  ")) + ' ';
    }
  }
  return vectors;
}

void ExpectVector(const std::map<std::string, std::string>& vectors,
                  const std::string& name, const std::string& bytes) {
  const auto vector = vectors.find(name);
  EXPECT_EQ(vector == vectors.end() ? "no vector" : vector->second, Hex(bytes))
      << "vector " << name;
}

TEST(VectorsTest, CommandsHaveTheBytesOfTheirVectors) {
  const auto vectors = ReadVectors("commands.txt");
  const auto samples = SampleCommands();
  EXPECT_EQ(vectors.size(), samples.size());
  for (const SampleCommand& sample : samples) {
    std::string bytes;
    EncodeCommand(sample.command, bytes);
    ExpectVector(vectors, sample.name, bytes);
    const Result<AdmittedCommand> decoded = DecodeCommand(bytes);
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(*decoded, sample.command) << sample.name;
  }
}

TEST(VectorsTest, SnapshotsHaveTheBytesOfTheirVectors) {
  const auto vectors = ReadVectors("snapshot.txt");
  EXPECT_EQ(vectors.size(), 4u);
  ExpectVector(vectors, "four_agents_and_five_pending_commands",
               SampleSnapshot());
  ExpectVector(vectors, "a_torus_with_a_player", TorusSnapshot());
  ExpectVector(vectors, "three_agents_in_space", SpaceSnapshot());
  ExpectVector(vectors, "empty_world",
               EncodeSnapshot(World(SimulationConfig{}, 1), {}));
}

TEST(VectorsTest, ColumnsHaveTheBytesOfTheirVectors) {
  const auto vectors = ReadVectors("columns.txt");
  EXPECT_EQ(vectors.size(), 3u);
  MotionColumns motion;
  motion.Resize(3);
  motion.id = {1, 7, AgentId{1} << 32};
  motion.position_x = {1.0f, -2.0f, 0.5f};
  motion.position_y = {0.1f, 0.0f, -0.0f};
  motion.position_z = {100.0f, 16384.0f, -16384.0f};
  motion.velocity_x = {0.25f, 1.0e6f, -1.0e6f};
  motion.velocity_y = {1.0e-45f, 3.0f, 4.0f};
  motion.velocity_z = {-1.0f, -3.0f, -5.0f};
  std::string bytes;
  EncodeColumns(motion, {0, 3, 1}, bytes);
  ExpectVector(vectors, "three_agents", bytes);
  bytes.clear();
  EncodeColumns(motion, {2, 1, AgentId{1} << 32}, bytes);
  ExpectVector(vectors, "the_last_of_them", bytes);
  ExpectVector(vectors, "no_agents", "");
}

}  // namespace
}  // namespace meander::core
