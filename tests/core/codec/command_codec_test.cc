#include "core/codec/command_codec.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/command.h"
#include "core/error.h"
#include "gtest/gtest.h"
#include "tests/core/codec/archetype_layout.h"
#include "tests/core/codec/sample_commands.h"
#include "tests/core/codec/with.h"
#include "tests/core/counting_new.h"
#include "tests/core/different_behaviors.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

std::string Encoded(const AdmittedCommand& command) {
  std::string bytes;
  EncodeCommand(command, bytes);
  return bytes;
}

// Whether the bytes are a record. If so they must be what the encoder writes
// for the command that they stand for; if not, the error must say so.
bool IsRecord(std::string_view bytes) {
  const Result<AdmittedCommand> decoded = DecodeCommand(bytes);
  if (decoded.ok()) {
    EXPECT_EQ(Encoded(*decoded), bytes);
    return true;
  }
  EXPECT_EQ(decoded.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(decoded.error().reason, "is not the record of a command");
  return false;
}

TEST(CommandCodecTest, TheSamplesAreValidCommands) {
  SimulationConfig config = SmallConfig();
  config.max_agents = kMaxAgents;
  for (const SampleCommand& sample : SampleCommands()) {
    EXPECT_TRUE(Validate({sample.command.apply_tick, sample.command.operation},
                         config, "")
                    .empty())
        << sample.name;
  }
}

TEST(CommandCodecTest, ARecordCanBeGivenItsPlaceAfterwards) {
  for (const SampleCommand& sample : SampleCommands()) {
    SCOPED_TRACE(sample.name);
    AdmittedCommand moved = sample.command;
    moved.sequence = 0x0102030405060708;
    moved.apply_tick = -7;
    moved.first_agent_id = 0x1112131415161718;
    std::string bytes = Encoded(sample.command);
    SetPlace(moved.sequence, moved.apply_tick, moved.first_agent_id, bytes);
    EXPECT_EQ(bytes, Encoded(moved));
  }
}

TEST(CommandCodecTest, EveryCommandComesBackEqual) {
  for (const SampleCommand& sample : SampleCommands()) {
    SCOPED_TRACE(sample.name);
    const std::string bytes = Encoded(sample.command);
    const Result<AdmittedCommand> decoded = DecodeCommand(bytes);
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(*decoded, sample.command);
    EXPECT_EQ(Encoded(*decoded), bytes);
  }
}

TEST(CommandCodecTest, AnArchetypeWithAllItsTermsComesBackEqual) {
  Archetype archetype;
  archetype.max_speed = 1.0f;
  for (int i = 0; i < 16; ++i) {
    const auto n = static_cast<float>(i);
    archetype.terms.push_back({n - 8.0f, Seek{i % 4}, 0.5f * n, 60 * i});
  }
  const AdmittedCommand command{1, 1, 0, DefineArchetype{archetype}};
  const Result<AdmittedCommand> decoded = DecodeCommand(Encoded(command));
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, command);
  archetype.terms.push_back({});
  EXPECT_FALSE(IsRecord(Encoded({1, 1, 0, DefineArchetype{archetype}})));
}

TEST(CommandCodecTest, EncodingAppends) {
  const AdmittedCommand command = SampleCommands()[0].command;
  std::string bytes = "before";
  EncodeCommand(command, bytes);
  EXPECT_EQ(bytes, "before" + Encoded(command));
}

TEST(CommandCodecTest, EqualCommandsHaveEqualBytesAndOthersHaveOthers) {
  const std::vector<SampleCommand> samples = SampleCommands();
  const std::vector<SampleCommand> again = SampleCommands();
  std::set<std::string> records;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(Encoded(samples[i].command), Encoded(again[i].command));
    records.insert(Encoded(samples[i].command));
  }
  EXPECT_EQ(records.size(), samples.size());
  // A target that was something else before is like one that never was.
  Target cleared;
  cleared = {.kind = Target::Kind::kPoint, .point = {1.0f, 2.0f, 3.0f}};
  cleared = Target{};
  EXPECT_EQ(Encoded({1, 1, 0, SetTarget{{1}, 0, cleared}}),
            Encoded({1, 1, 0, SetTarget{{1}, 0, Target{}}}));
}

TEST(CommandCodecTest, ARecordThatIsCutShortOrGoesOnIsRefused) {
  for (const SampleCommand& sample : SampleCommands()) {
    SCOPED_TRACE(sample.name);
    const std::string bytes = Encoded(sample.command);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(IsRecord(std::string_view(bytes).substr(0, size))) << size;
    }
    EXPECT_FALSE(IsRecord(bytes + '\0'));
    EXPECT_FALSE(IsRecord(bytes + bytes));
  }
}

TEST(CommandCodecTest, EachChangedByteIsRefusedOrIsAnotherCommandsRecord) {
  for (const SampleCommand& sample : SampleCommands()) {
    SCOPED_TRACE(sample.name);
    std::string bytes = Encoded(sample.command);
    for (char& byte : bytes) {
      for (int change = 1; change < 256; ++change) {
        byte = static_cast<char>(byte ^ change);
        IsRecord(bytes);
        byte = static_cast<char>(byte ^ change);
      }
      if (HasFailure()) return;
    }
  }
}

TEST(CommandCodecTest, RandomBytesAreRefusedOrAreARecord) {
  std::mt19937 random(3);
  const std::vector<SampleCommand> samples = SampleCommands();
  int records = 0;
  for (int i = 0; i < 100'000; ++i) {
    // Several changes to a good record reach deeper than noise does.
    std::string bytes = Encoded(samples[random() % samples.size()].command);
    const std::size_t changes = 1 + random() % 4;
    for (std::size_t c = 0; c < changes; ++c) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 3) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, 1 + random() % 8);
          break;
        default:
          bytes.insert(at, 1 + random() % 8, static_cast<char>(random() % 3));
          break;
      }
      if (bytes.empty()) break;
    }
    if (IsRecord(bytes)) ++records;
  }
  EXPECT_GT(records, 1000);
}

// Where the fields of a record lie.
constexpr std::size_t kVersionAt = 0;
constexpr std::size_t kKindAt = 1;
constexpr std::size_t kBodyAt = 2 + 3 * 8;

std::string SampleBytes(std::string_view name) {
  for (const SampleCommand& sample : SampleCommands()) {
    if (sample.name == name) return Encoded(sample.command);
  }
  ADD_FAILURE() << "no sample " << name;
  return {};
}

TEST(CommandCodecTest, AnotherVersionOrKindIsRefused) {
  const std::string bytes = SampleBytes("despawn_two_agents");
  for (int value = 0; value < 256; ++value) {
    const auto byte = static_cast<std::uint8_t>(value);
    EXPECT_EQ(IsRecord(With(bytes, kVersionAt, byte)), value == 3) << value;
    EXPECT_EQ(IsRecord(With(bytes, kKindAt, byte)), value == 4) << value;
  }
}

TEST(CommandCodecTest, HostileCountsAllocateNothing) {
  struct Count {
    std::string bytes;
    std::size_t at;
  };
  const Count counts[] = {
      {SampleBytes("spawn_three_agents"), kBodyAt},
      {SampleBytes("despawn_two_agents"), kBodyAt},
      {SampleBytes("target_a_point"), kBodyAt + 4 + 21},
      {SampleBytes("set_an_archetype"), kBodyAt + 4},
      {SampleBytes("set_motion_of_three_agents"), kBodyAt},
      {SampleBytes("apply_an_impulse"), kBodyAt + 12},
  };
  for (const Count& count : counts) {
    ASSERT_TRUE(IsRecord(count.bytes));
    const auto good = count.bytes[count.at];
    for (const std::uint64_t hostile :
         {static_cast<std::uint64_t>(good) + 1, std::uint64_t{1'000'000},
          std::uint64_t{1} << 32, std::uint64_t{1} << 56,
          std::uint64_t{1} << 60, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
      const std::string bytes = With(count.bytes, count.at, hostile);
      const AllocationCount allocated;
      const bool ok = DecodeCommand(bytes).ok();
      // The error's own words.
      EXPECT_LT(allocated.bytes(), 200u) << hostile;
      EXPECT_FALSE(ok) << hostile;
    }
  }
  // As many terms as a byte can say.
  const std::string terms = With(SampleBytes("define_archetype_without_terms"),
                                 kBodyAt + kIn.term_count, std::uint8_t{255});
  const AllocationCount allocated;
  EXPECT_FALSE(DecodeCommand(terms).ok());
  EXPECT_LT(allocated.bytes(), 200u);
}

// What is not given is 0, down to the bit: else one command had two records.
TEST(CommandCodecTest, StrayBitsBesideWhatIsGivenAreRefused) {
  const std::string agent = SampleBytes("spawn_one_agent");
  constexpr std::size_t kAgentAt = kBodyAt + 8;
  constexpr std::size_t kFlagsAt = kAgentAt + 4 + 12 + 12;
  constexpr std::size_t kSeedAt = kFlagsAt + 1;
  constexpr std::size_t kTargetsAt = kSeedAt + 8 + 8 + 4;
  constexpr std::size_t kAngleAt = kTargetsAt + 4 * 21;
  struct Given {
    std::uint8_t flag;
    std::size_t at;
    std::size_t size;
  };
  constexpr Given kGiven[] = {{1, kSeedAt, 8},         {2, kAngleAt, 4},
                              {4, kAngleAt + 4, 4},    {8, kAngleAt + 8, 12},
                              {16, kAngleAt + 20, 12}, {32, kAngleAt + 32, 12}};
  ASSERT_EQ(agent.size(), kAngleAt + 44);
  ASSERT_EQ(agent[kFlagsAt], 0);
  for (const Given& given : kGiven) {
    const std::string flagged = With(agent, kFlagsAt, given.flag);
    EXPECT_TRUE(IsRecord(flagged)) << "given as 0";
    EXPECT_NE(DecodeCommand(flagged)->operation,
              DecodeCommand(agent)->operation);
    for (std::size_t at = given.at; at < given.at + given.size; ++at) {
      for (std::size_t bit = 0; bit < 8; ++bit) {
        const auto stray = static_cast<std::uint8_t>(1 << bit);
        EXPECT_FALSE(IsRecord(With(agent, at, stray))) << at;
        EXPECT_TRUE(IsRecord(With(flagged, at, stray))) << at;
        // Beside another that is given.
        EXPECT_FALSE(IsRecord(With(
            With(agent, kFlagsAt, static_cast<std::uint8_t>(63 - given.flag)),
            at, stray)))
            << at;
      }
    }
  }
  for (int flags = 0; flags < 256; ++flags) {
    EXPECT_EQ(IsRecord(With(agent, kFlagsAt, static_cast<std::uint8_t>(flags))),
              flags < 64)
        << flags;
  }
  for (std::size_t slot = 0; slot < 4; ++slot) {
    const std::size_t target = kTargetsAt + slot * 21;
    for (std::size_t at = 1; at < 21; ++at) {
      EXPECT_FALSE(IsRecord(With(agent, target + at, std::uint8_t{0x80})));
      // A point leaves the id at 0, an agent the point.
      std::string point = With(agent, target, std::uint8_t{1});
      point[target + at] = 1;
      EXPECT_EQ(IsRecord(point), at < 13);
      std::string other = With(agent, target, std::uint8_t{2});
      other[target + at] = 1;
      EXPECT_EQ(IsRecord(other), at >= 13);
    }
    EXPECT_FALSE(IsRecord(With(agent, target, std::uint8_t{3})));
  }
}

TEST(CommandCodecTest, StrayBitsBesideAMotionAreRefused) {
  const std::string bytes = SampleBytes("set_motion_of_three_agents");
  constexpr std::size_t kMotionBytes = 8 + 1 + 12 + 12;
  // The second gives a position alone, the third a velocity.
  constexpr std::size_t kSecondFlags = kBodyAt + 8 + kMotionBytes + 8;
  constexpr std::size_t kThirdFlags = kSecondFlags + kMotionBytes;
  ASSERT_EQ(bytes.size(), kThirdFlags + 1 + 24);
  for (std::size_t i = 0; i < 12; ++i) {
    const std::size_t velocity = kSecondFlags + 1 + 12 + i;
    const std::size_t position = kThirdFlags + 1 + i;
    EXPECT_FALSE(IsRecord(With(bytes, velocity, std::uint8_t{0x80}))) << i;
    EXPECT_FALSE(IsRecord(With(bytes, position, std::uint8_t{0x80}))) << i;
  }
  for (int flags = 0; flags < 256; ++flags) {
    // The third is all zero, so that nothing is stray.
    EXPECT_EQ(
        IsRecord(With(bytes, kThirdFlags, static_cast<std::uint8_t>(flags))),
        flags <= 3);
  }
}

// Whether the record with each value of one byte is one is what `may` says.
template <typename May>
void ExpectByte(const std::string& record, std::size_t at, May may) {
  ASSERT_LT(at, record.size());
  for (int value = 0; value < 256; ++value) {
    EXPECT_EQ(IsRecord(With(record, at, static_cast<std::uint8_t>(value))),
              may(value))
        << value << " at " << at;
  }
}

void ExpectChoice(const std::string& record, std::size_t at, int last) {
  ExpectByte(record, at, [last](int value) { return value <= last; });
}

TEST(CommandCodecTest, AnArchetypeMakesNoOtherChoicesThanThereAre) {
  const std::string bytes = SampleBytes("define_archetype_without_terms");
  ASSERT_EQ(bytes.size(), kBodyAt + kIn.terms);
  ExpectChoice(bytes, kBodyAt + kIn.external, 1);
  ExpectChoice(bytes, kBodyAt + kIn.combine, 2);
  ExpectChoice(bytes, kBodyAt + kIn.limit_each_term, 1);
  ExpectChoice(bytes, kBodyAt + kIn.force_plane, 3);
  ExpectChoice(bytes, kBodyAt + kIn.facing, 1);
  ExpectByte(bytes, kBodyAt + kIn.term_count,
             [](int value) { return value == 0; });
}

TEST(CommandCodecTest, StrayBitsBesideAFacingAreRefused) {
  const std::string bytes = SampleBytes("define_archetype_without_terms");
  const std::string given = With(bytes, kBodyAt + kIn.facing, std::uint8_t{1});
  EXPECT_EQ(std::get<DefineArchetype>(DecodeCommand(given)->operation)
                .archetype.facing,
            (Facing{0.0f, 0.0f}));
  for (std::size_t at = kIn.turn_rate; at < kIn.term_count; ++at) {
    for (std::size_t bit = 0; bit < 8; ++bit) {
      const auto stray = static_cast<std::uint8_t>(1 << bit);
      EXPECT_FALSE(IsRecord(With(bytes, kBodyAt + at, stray))) << at;
      EXPECT_TRUE(IsRecord(With(given, kBodyAt + at, stray))) << at;
    }
  }
}

// The record of an archetype with one term.
std::string TermRecord(const Behavior& behavior) {
  Archetype archetype;
  archetype.terms = {{.weight = 1.0f, .behavior = behavior}};
  return Encoded({1, 1, 0, DefineArchetype{archetype}});
}

// Where the behavior of that term begins.
constexpr std::size_t kBehaviorAt = kBodyAt + kIn.terms + kIn.behavior;

// A behavior, its kind and the number of its bytes.
struct BehaviorBytes {
  Behavior behavior;
  std::uint8_t kind;
  std::size_t size;
};
const BehaviorBytes kBehaviors[] = {
    {Seek{}, 1, 4},
    {WanderWorldAngle{}, 2, 12},
    {Flee{}, 3, 4 + 5 + 1 + 1},
    {Arrive{}, 4, 4 + 4 + 1},
    {KeepAway{}, 5, 4 + 4},
    {Brake{}, 6, 0},
    {Pursue{}, 7, 4 + 1 + 5 + 4},
    {Evade{}, 8, 4 + 1 + 5},
    {WanderSpherical{}, 9, 12},
    {WanderHeadingOffset{}, 10, 12 + 1},
    {Separation{}, 11, 17 + 1 + 1},
    {Alignment{}, 12, 17},
    {Cohesion{}, 13, 17 + 1},
};

TEST(CommandCodecTest, EachBehaviorHasItsKindAndItsBytes) {
  ASSERT_EQ(std::size(kBehaviors), std::variant_size_v<Behavior>);
  std::set<std::size_t> behaviors;
  for (const auto& [behavior, kind, size] : kBehaviors) {
    SCOPED_TRACE(int{kind});
    behaviors.insert(behavior.index());
    const std::string bytes = TermRecord(behavior);
    EXPECT_EQ(bytes.size(), kBehaviorAt + size);
    EXPECT_EQ(bytes[kBehaviorAt - 1], kind);
    EXPECT_TRUE(IsRecord(bytes));
    EXPECT_FALSE(IsRecord(bytes + '\0'));
    EXPECT_FALSE(IsRecord(std::string_view(bytes).substr(0, bytes.size() - 1)));
    // A kind with as many bytes may be another behavior; no other may.
    ExpectByte(bytes, kBehaviorAt - 1, [size = size](int value) {
      for (const BehaviorBytes& other : kBehaviors) {
        if (other.kind == value) return other.size == size;
      }
      return false;
    });
  }
  EXPECT_EQ(behaviors.size(), std::size(kBehaviors));
}

TEST(CommandCodecTest, ABehaviorMakesNoOtherChoicesThanThereAre) {
  struct Choice {
    Behavior behavior;
    std::size_t at;
    int last;
  };
  const Choice choices[] = {
      {Flee{}, 4, 1},    // range given
      {Flee{}, 9, 1},    // edge_inclusive
      {Flee{}, 10, 1},   // at_center
      {Arrive{}, 8, 1},  // stop
      {Pursue{}, 4, 2},  // lead
      {Pursue{}, 5, 1},  // max_prediction given
      {Evade{}, 4, 2},   // lead
      {Evade{}, 5, 1},   // max_prediction given
      {WanderHeadingOffset{}, 12, 3},
      {Separation{}, 4, 1},   // field_of_view given
      {Separation{}, 17, 2},  // falloff
      {Separation{}, 18, 1},  // coincident
      {Alignment{}, 4, 1},    // field_of_view given
      {Cohesion{}, 4, 1},     // field_of_view given
      {Cohesion{}, 17, 1},    // mode
  };
  for (const Choice& choice : choices) {
    SCOPED_TRACE(choice.behavior.index());
    ExpectChoice(TermRecord(choice.behavior), kBehaviorAt + choice.at,
                 choice.last);
  }
}

TEST(CommandCodecTest, StrayBitsBesideWhatABehaviorIsNotGivenAreRefused) {
  // Behaviors that can give a number, and where they say whether.
  const std::pair<Behavior, std::size_t> gives[] = {
      {Flee{}, 4},       {Pursue{}, 5},    {Evade{}, 5},
      {Separation{}, 4}, {Alignment{}, 4}, {Cohesion{}, 4}};
  for (const auto& [behavior, given_at] : gives) {
    SCOPED_TRACE(behavior.index());
    const std::string bytes = TermRecord(behavior);
    const std::string given =
        With(bytes, kBehaviorAt + given_at, std::uint8_t{1});
    for (std::size_t i = 1; i <= 4; ++i) {
      for (std::size_t bit = 0; bit < 8; ++bit) {
        const auto stray = static_cast<std::uint8_t>(1 << bit);
        const std::size_t at = kBehaviorAt + given_at + i;
        EXPECT_FALSE(IsRecord(With(bytes, at, stray))) << i;
        EXPECT_TRUE(IsRecord(With(given, at, stray))) << i;
      }
    }
  }
}

TEST(CommandCodecTest, EachFieldOfABehaviorComesBackAndHasBytesOfItsOwn) {
  const std::vector<Behavior> behaviors = DifferentBehaviors();
  std::set<std::string> records;
  std::set<std::size_t> kinds;
  for (const Behavior& behavior : behaviors) {
    const std::string bytes = TermRecord(behavior);
    records.insert(bytes);
    kinds.insert(behavior.index());
    const Result<AdmittedCommand> decoded = DecodeCommand(bytes);
    ASSERT_TRUE(decoded.ok()) << behavior.index();
    const Archetype archetype =
        std::get<DefineArchetype>(decoded->operation).archetype;
    ASSERT_EQ(archetype.terms.size(), 1u);
    EXPECT_EQ(archetype.terms[0].behavior, behavior) << behavior.index();
    EXPECT_EQ(TermRecord(archetype.terms[0].behavior), bytes);
  }
  EXPECT_EQ(records.size(), behaviors.size());
  EXPECT_EQ(kinds.size(), std::variant_size_v<Behavior>);
}

TEST(CommandCodecTest, UnknownAreasAreRefused) {
  const std::string area = SampleBytes("spawn_in_a_disc");
  const std::size_t area_at = area.size() - 17;
  EXPECT_EQ(area[area_at], 1);
  ExpectByte(area, area_at, [](int value) { return value == 1 || value == 3; });
}

}  // namespace
}  // namespace meander::core
