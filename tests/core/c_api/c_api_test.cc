#include "core/c_api/c_api.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/codec/command_codec.h"
#include "core/codec/snapshot.h"
#include "core/command.h"
#include "core/world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/scenarios/lockstep_case.h"
#include "tests/scenarios/scenario.h"

namespace meander::core {
namespace {

using scenarios::LockstepCase;
using testing::HasSubstr;

struct Close {
  void operator()(MeanderWorld* world) const { meander_close(world); }
};
using Opened = std::unique_ptr<MeanderWorld, Close>;

Opened Open(std::string_view bytes) {
  return Opened(meander_open(bytes.data(), bytes.size()));
}

bool Apply(const Opened& world, std::string_view record) {
  return meander_apply(world.get(), record.data(), record.size()) == 1;
}

std::string ErrorOf(const Opened& world) { return meander_error(world.get()); }

template <typename T>
std::vector<T> ColumnOf(const Opened& world, MeanderColumn column) {
  const auto* first =
      static_cast<const T*>(meander_column(world.get(), column));
  return {first, first + meander_agent_count(world.get())};
}

void ExpectColumnsOf(const World& expected, const Opened& world) {
  MotionColumns motion;
  ColdColumns cold;
  expected.CopyMotion(motion);
  expected.CopyCold(cold);
  EXPECT_EQ(ColumnOf<AgentId>(world, kMeanderId), motion.id);
  EXPECT_EQ(ColumnOf<ArchetypeId>(world, kMeanderArchetypeId),
            cold.archetype_id);
  EXPECT_EQ(ColumnOf<std::uint64_t>(world, kMeanderTag), cold.tag);
  EXPECT_EQ(ColumnOf<float>(world, kMeanderPositionX), motion.position_x);
  EXPECT_EQ(ColumnOf<float>(world, kMeanderPositionY), motion.position_y);
  EXPECT_EQ(ColumnOf<float>(world, kMeanderPositionZ), motion.position_z);
  EXPECT_EQ(ColumnOf<float>(world, kMeanderVelocityX), motion.velocity_x);
  EXPECT_EQ(ColumnOf<float>(world, kMeanderVelocityY), motion.velocity_y);
  EXPECT_EQ(ColumnOf<float>(world, kMeanderVelocityZ), motion.velocity_z);
}

TEST(CApiTest, GoesOnLikeTheWorldThatTheSnapshotIsOf) {
  const LockstepCase lockstep = scenarios::MakeLockstepCase();
  scenarios::ScenarioRun authority = scenarios::Authority(lockstep);
  const Opened world = Open(lockstep.snapshot);
  ASSERT_EQ(ErrorOf(world), "");
  ExpectColumnsOf(authority.world(), world);
  for (const std::string& record : lockstep.records) {
    ASSERT_TRUE(Apply(world, record)) << ErrorOf(world);
  }
  SerialFor serial;
  while (meander_tick(world.get()) < lockstep.last_tick) {
    ASSERT_EQ(meander_step(world.get()), 1);
    authority.StepTo(meander_tick(world.get()), serial);
    ASSERT_EQ(meander_hash(world.get()), authority.world().Hash(serial).value)
        << meander_tick(world.get());
  }
  ExpectColumnsOf(authority.world(), world);
}

TEST(CApiTest, TakesARecordInMidRun) {
  const LockstepCase lockstep = scenarios::MakeLockstepCase();
  scenarios::ScenarioRun authority = scenarios::Authority(lockstep);
  const Opened world = Open(lockstep.snapshot);
  SerialFor serial;
  for (const std::string& record : lockstep.records) {
    const Result<AdmittedCommand> command = DecodeCommand(record);
    while (meander_tick(world.get()) < command->apply_tick - 2) {
      ASSERT_EQ(meander_step(world.get()), 1);
    }
    ASSERT_TRUE(Apply(world, record)) << ErrorOf(world);
  }
  while (meander_tick(world.get()) < lockstep.last_tick) {
    meander_step(world.get());
  }
  authority.StepTo(lockstep.last_tick, serial);
  EXPECT_EQ(meander_hash(world.get()), authority.world().Hash(serial).value);
}

// A record like the first of the case, with something changed.
template <typename Change>
std::string ChangedRecord(const LockstepCase& lockstep, std::size_t record,
                          Change change) {
  Result<AdmittedCommand> command = DecodeCommand(lockstep.records[record]);
  change(*command);
  std::string bytes;
  EncodeCommand(*command, bytes);
  return bytes;
}

void ExpectRefused(const Opened& world, const std::string& record,
                   const std::string& reason) {
  const std::uint64_t before = meander_hash(world.get());
  EXPECT_FALSE(Apply(world, record));
  EXPECT_THAT(ErrorOf(world), HasSubstr(reason));
  EXPECT_EQ(meander_hash(world.get()), before);
}

TEST(CApiTest, RefusesRecordsThatAreOutOfOrder) {
  const LockstepCase lockstep = scenarios::MakeLockstepCase();
  const Opened world = Open(lockstep.snapshot);
  ExpectRefused(world, lockstep.records[1], "sequence is 7; it must be 6");
  ExpectRefused(
      world,
      ChangedRecord(lockstep, 0, [](AdmittedCommand& c) { c.apply_tick = 40; }),
      "apply_tick is 40; it must be above 40");
  ExpectRefused(world,
                ChangedRecord(lockstep, 0,
                              [](AdmittedCommand& c) {
                                c.apply_tick = (std::int64_t{1} << 62) + 1;
                              }),
                "apply_tick is 4611686018427387905; it must be at most "
                "4611686018427387904");
  ExpectRefused(
      world,
      ChangedRecord(lockstep, 0,
                    [](AdmittedCommand& c) { c.first_agent_id = 1291; }),
      "first_agent_id is 1291; it must be 0");
  ASSERT_TRUE(Apply(world, lockstep.records[0])) << ErrorOf(world);
  ExpectRefused(world, lockstep.records[0], "sequence is 6; it must be 7");
  ASSERT_TRUE(Apply(world, lockstep.records[1])) << ErrorOf(world);
  // The third spawns.
  ExpectRefused(world,
                ChangedRecord(lockstep, 2,
                              [](AdmittedCommand& c) { ++c.first_agent_id; }),
                "first_agent_id is 1292; it must be 1291");
  EXPECT_TRUE(Apply(world, lockstep.records[2])) << ErrorOf(world);
}

TEST(CApiTest, RefusesRecordsThatAdmissionRefuses) {
  const LockstepCase lockstep = scenarios::MakeLockstepCase();
  const Opened world = Open(lockstep.snapshot);
  ExpectRefused(world,
                ChangedRecord(lockstep, 0,
                              [](AdmittedCommand& c) {
                                std::get<SetTarget>(c.operation).slot =
                                    kTargetSlots;
                              }),
                "command.set_target.slot");
  ExpectRefused(
      world,
      ChangedRecord(lockstep, 0,
                    [](AdmittedCommand& c) {
                      std::get<SetTarget>(c.operation).agent_ids.back() = 9999;
                    }),
      "names agent 9999");
  ExpectRefused(world,
                ChangedRecord(lockstep, 0,
                              [](AdmittedCommand& c) {
                                NewAgent agent;
                                agent.archetype_id = 9;
                                c.first_agent_id = 1291;
                                c.operation = SpawnAgents{std::vector{agent}};
                              }),
                "names archetype 9");
  // An archetype that a record defines is known from then on.
  const auto define = [](AdmittedCommand& c) {
    c.operation = DefineArchetype{Archetype{.id = 9}};
  };
  EXPECT_TRUE(Apply(world, ChangedRecord(lockstep, 0, define)));
  const auto spawn = [](AdmittedCommand& c) {
    NewAgent agent;
    agent.archetype_id = 9;
    c.first_agent_id = 1291;
    c.operation = SpawnAgents{std::vector{agent}};
  };
  EXPECT_TRUE(Apply(world, ChangedRecord(lockstep, 1, spawn)))
      << ErrorOf(world);
}

// The case's next record, which sets the cell size again at a tick.
std::string SetsCellSize(const LockstepCase& lockstep, std::int64_t tick) {
  return ChangedRecord(lockstep, 0, [tick](AdmittedCommand& c) {
    c.apply_tick = tick;
    c.operation = SetCellSize{};
  });
}

TEST(CApiTest, KeepsABoundedNumberOfPendingCommands) {
  const LockstepCase lockstep = scenarios::MakeLockstepCase();
  const Opened world = Open(lockstep.snapshot);
  const Result<Snapshot> snapshot = DecodeSnapshot(lockstep.snapshot);
  std::int64_t sequence = snapshot->admission.next_sequence;
  std::string record = SetsCellSize(lockstep, 41);
  SetPlace(sequence++, 41, 0, record);
  ASSERT_TRUE(Apply(world, record)) << ErrorOf(world);
  for (std::size_t pending = snapshot->admission.pending.size() + 1;
       pending < kMeanderMaxPendingCommands; ++pending) {
    SetPlace(sequence++, 1'000'000, 0, record);
    ASSERT_TRUE(Apply(world, record)) << ErrorOf(world);
  }
  SetPlace(sequence, 1'000'000, 0, record);
  ExpectRefused(world, record,
                "pending commands is 65537; it must be at most 65536");
  // What was applied makes room.
  ASSERT_EQ(meander_step(world.get()), 1);
  EXPECT_TRUE(Apply(world, record)) << ErrorOf(world);
}

TEST(CApiTest, KeepsABoundedNumberOfPendingBytes) {
  const LockstepCase lockstep = scenarios::MakeLockstepCase();
  const Opened world = Open(lockstep.snapshot);
  const Result<Snapshot> snapshot = DecodeSnapshot(lockstep.snapshot);
  const std::int64_t agents =
      std::min(snapshot->world.config().max_agents, kMaxListedAgents);
  const std::string record =
      ChangedRecord(lockstep, 0, [agents](AdmittedCommand& c) {
        NewAgent agent;
        agent.archetype_id = 1;
        c.operation =
            SpawnAgents{std::vector(static_cast<std::size_t>(agents), agent)};
      });
  std::int64_t sequence = snapshot->admission.next_sequence;
  AgentId next = snapshot->admission.next_agent_id;
  const auto takes = [&](std::int64_t tick) {
    std::string bytes = record;
    SetPlace(sequence, tick, next, bytes);
    if (!Apply(world, bytes)) return false;
    ++sequence;
    next += agents;
    return true;
  };
  ASSERT_TRUE(takes(41)) << ErrorOf(world);
  const std::size_t most = kMeanderMaxPendingBytes / record.size();
  std::size_t taken = 1;
  while (taken <= most && takes(1'000'000)) ++taken;
  // Those of the snapshot take less than one of these.
  EXPECT_GE(taken, most - 1);
  EXPECT_LE(taken, most);
  EXPECT_THAT(ErrorOf(world), HasSubstr("bytes of pending commands is "));
  EXPECT_THAT(ErrorOf(world), HasSubstr("; it must be at most 67108864"));
  // What was applied makes room.
  ASSERT_EQ(meander_step(world.get()), 1);
  EXPECT_TRUE(takes(1'000'000)) << ErrorOf(world);
}

TEST(CApiTest, RefusesBytesThatAreNoRecord) {
  const LockstepCase lockstep = scenarios::MakeLockstepCase();
  const Opened world = Open(lockstep.snapshot);
  const std::string& record = lockstep.records[0];
  for (std::size_t size = 0; size < record.size(); ++size) {
    ASSERT_FALSE(Apply(world, record.substr(0, size))) << size;
    ASSERT_NE(ErrorOf(world), "") << size;
  }
  ASSERT_FALSE(Apply(world, record + "x"));
  EXPECT_TRUE(Apply(world, record)) << ErrorOf(world);
}

void ExpectNoWorld(const Opened& world, const std::string& reason) {
  EXPECT_THAT(ErrorOf(world), HasSubstr(reason));
  EXPECT_EQ(meander_tick(world.get()), 0);
  EXPECT_EQ(meander_hash(world.get()), 0u);
  EXPECT_EQ(meander_agent_count(world.get()), 0u);
  EXPECT_EQ(meander_column(world.get(), kMeanderId), nullptr);
  EXPECT_EQ(meander_step(world.get()), 0);
  EXPECT_THAT(ErrorOf(world), HasSubstr("there is no world"));
  EXPECT_FALSE(Apply(world, "record"));
  EXPECT_THAT(ErrorOf(world), HasSubstr("there is no world"));
}

TEST(CApiTest, OpensNoSnapshotThatWasCutOrChanged) {
  const std::string snapshot = scenarios::MakeLockstepCase().snapshot;
  ExpectNoWorld(Open(""), "the snapshot is too short");
  ExpectNoWorld(Open(snapshot.substr(0, snapshot.size() - 1)),
                "its checksum does not match");
  for (std::size_t at = 16; at < snapshot.size(); at += 997) {
    std::string changed = snapshot;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    ExpectNoWorld(Open(changed), "its checksum does not match");
  }
}

TEST(CApiTest, SaysWhichVersionASnapshotIsOf) {
  const std::string snapshot = scenarios::MakeLockstepCase().snapshot;
  ExpectNoWorld(
      Open(scenarios::OfAnotherVersion(snapshot)),
      "is of simulation version " + std::to_string(kSimulationVersion + 1));
}

TEST(CApiTest, HasNoColumnOfAnotherNumber) {
  const Opened world = Open(scenarios::MakeLockstepCase().snapshot);
  EXPECT_EQ(meander_column(world.get(), -1), nullptr);
  EXPECT_EQ(meander_column(world.get(), kMeanderVelocityZ + 1), nullptr);
}

TEST(CApiTest, LendsRoomForBytes) {
  const std::string snapshot = scenarios::MakeLockstepCase().snapshot;
  auto* room = static_cast<char*>(meander_allocate(snapshot.size()));
  ASSERT_NE(room, nullptr);
  std::memcpy(room, snapshot.data(), snapshot.size());
  const Opened world(meander_open(room, snapshot.size()));
  // The world keeps nothing of it.
  meander_release(room);
  EXPECT_EQ(meander_step(world.get()), 1);
  EXPECT_EQ(meander_tick(world.get()), 41);
}

}  // namespace
}  // namespace meander::core
