#include "core/codec/command_codec.h"

#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "core/codec/archetype_codec.h"
#include "core/codec/config_codec.h"

namespace meander::core {
namespace {

constexpr std::uint8_t kVersion = 3;

// Where sequence, apply_tick and first_agent_id stand: behind version and kind.
constexpr std::size_t kPlaceOffset = 2;

enum OperationKind : std::uint8_t {
  kDefineArchetype = 1,
  kSpawnListed = 2,
  kSpawnInArea = 3,
  kDespawnAgents = 4,
  kSetTarget = 5,
  kRemoveArchetype = 6,
  kSetArchetype = 7,
  kSetMotion = 8,
  kApplyImpulse = 9,
  kSetCellSize = 10,
};
enum AreaKind : std::uint8_t { kDisc = 1, kBox = 2, kBall = 3 };
enum NewAgentFlags : std::uint8_t {
  kSeedGiven = 1,
  kAngleGiven = 2,
  kElevationGiven = 4,
  kOffsetGiven = 8,
  kHeadingGiven = 16,
  kFacingGiven = 32,
};
enum MotionFlags : std::uint8_t { kPositionGiven = 1, kVelocityGiven = 2 };

// Bytes that each thing takes at least; bounds what a count may allocate.
constexpr std::size_t kNewAgentBytes = 4 + 12 + 12 + 1 + 8 + 8 + 4 +
                                       kTargetSlots * kTargetBytes + 4 + 4 +
                                       12 + 12 + 12;
constexpr std::size_t kMotionBytes = 8 + 1 + 12 + 12;

void EncodeMaybe(const std::optional<float>& value, ByteWriter& out) {
  out.Put(value.value_or(0.0f));
}

void EncodeMaybe(const std::optional<Vec3>& value, ByteWriter& out) {
  EncodeVec3(value.value_or(Vec3{}), out);
}

// What stands where the flag says that nothing is given must be 0, as bits.
void DecodeMaybe(bool given, ByteReader& in, std::optional<float>& value) {
  const auto number = in.Get<float>();
  if (given) value = number;
  if (!given && std::bit_cast<std::uint32_t>(number) != 0) in.Fail();
}

void DecodeMaybe(bool given, ByteReader& in, std::optional<Vec3>& value) {
  const Vec3 vector = DecodeVec3(in);
  if (given) value = vector;
  if (!given && !IsPositiveZero(vector)) in.Fail();
}

std::uint8_t FlagsOf(const NewAgent& agent) {
  const int flags = (agent.seed ? kSeedGiven : 0) |
                    (agent.wander_angle ? kAngleGiven : 0) |
                    (agent.wander_elevation ? kElevationGiven : 0) |
                    (agent.wander_offset ? kOffsetGiven : 0) |
                    (agent.wander_heading ? kHeadingGiven : 0) |
                    (agent.facing ? kFacingGiven : 0);
  return static_cast<std::uint8_t>(flags);
}

void EncodeNewAgent(const NewAgent& agent, ByteWriter& out) {
  out.Put(agent.archetype_id);
  EncodeVec3(agent.position, out);
  EncodeVec3(agent.velocity, out);
  out.Put(FlagsOf(agent));
  out.Put(agent.seed.value_or(0));
  out.Put(agent.tag);
  out.Put(agent.groups);
  for (const Target& target : agent.targets) EncodeTarget(target, out);
  EncodeMaybe(agent.wander_angle, out);
  EncodeMaybe(agent.wander_elevation, out);
  EncodeMaybe(agent.wander_offset, out);
  EncodeMaybe(agent.wander_heading, out);
  EncodeMaybe(agent.facing, out);
}

NewAgent DecodeNewAgent(ByteReader& in) {
  NewAgent agent;
  agent.archetype_id = in.Get<ArchetypeId>();
  agent.position = DecodeVec3(in);
  agent.velocity = DecodeVec3(in);
  const auto flags = in.Get<std::uint8_t>();
  if (flags >= 2 * kFacingGiven) in.Fail();
  const auto seed = in.Get<std::uint64_t>();
  const bool seed_given = (flags & kSeedGiven) != 0;
  if (seed_given) agent.seed = seed;
  if (!seed_given && seed != 0) in.Fail();
  agent.tag = in.Get<std::uint64_t>();
  agent.groups = in.Get<std::uint32_t>();
  for (Target& target : agent.targets) target = DecodeTarget(in);
  DecodeMaybe((flags & kAngleGiven) != 0, in, agent.wander_angle);
  DecodeMaybe((flags & kElevationGiven) != 0, in, agent.wander_elevation);
  DecodeMaybe((flags & kOffsetGiven) != 0, in, agent.wander_offset);
  DecodeMaybe((flags & kHeadingGiven) != 0, in, agent.wander_heading);
  DecodeMaybe((flags & kFacingGiven) != 0, in, agent.facing);
  return agent;
}

struct AreaEncoder {
  ByteWriter& out;

  void operator()(const Disc& disc) const {
    out.Put(std::uint8_t{kDisc});
    EncodeVec3(disc.center, out);
    out.Put(disc.radius);
  }
  void operator()(const Box& box) const {
    out.Put(std::uint8_t{kBox});
    EncodeVec3(box.min, out);
    EncodeVec3(box.max, out);
  }
  void operator()(const Ball& ball) const {
    out.Put(std::uint8_t{kBall});
    EncodeVec3(ball.center, out);
    out.Put(ball.radius);
  }
};

Area DecodeArea(ByteReader& in) {
  switch (in.Get<std::uint8_t>()) {
    case kDisc: {
      Disc disc;
      disc.center = DecodeVec3(in);
      disc.radius = in.Get<float>();
      return disc;
    }
    case kBox: {
      Box box;
      box.min = DecodeVec3(in);
      box.max = DecodeVec3(in);
      return box;
    }
    case kBall: {
      Ball ball;
      ball.center = DecodeVec3(in);
      ball.radius = in.Get<float>();
      return ball;
    }
    default:
      in.Fail();
      return Disc{};
  }
}

void EncodeIds(const std::vector<AgentId>& ids, ByteWriter& out) {
  out.Put(std::uint64_t{ids.size()});
  out.PutAll(std::span<const AgentId>(ids));
}

std::vector<AgentId> DecodeIds(ByteReader& in) {
  std::vector<AgentId> ids(in.GetCount(sizeof(AgentId)));
  in.GetAll(std::span<AgentId>(ids));
  return ids;
}

void EncodeMotion(const AgentMotion& motion, ByteWriter& out) {
  out.Put(motion.agent_id);
  const int flags = (motion.position ? kPositionGiven : 0) |
                    (motion.velocity ? kVelocityGiven : 0);
  out.Put(static_cast<std::uint8_t>(flags));
  EncodeVec3(motion.position.value_or(Vec3{}), out);
  EncodeVec3(motion.velocity.value_or(Vec3{}), out);
}

AgentMotion DecodeMotion(ByteReader& in) {
  AgentMotion motion;
  motion.agent_id = in.Get<AgentId>();
  const auto flags = in.Get<std::uint8_t>();
  const Vec3 position = DecodeVec3(in);
  const Vec3 velocity = DecodeVec3(in);
  const bool position_given = (flags & kPositionGiven) != 0;
  const bool velocity_given = (flags & kVelocityGiven) != 0;
  if (position_given) motion.position = position;
  if (velocity_given) motion.velocity = velocity;
  const bool stray = (!position_given && !IsPositiveZero(position)) ||
                     (!velocity_given && !IsPositiveZero(velocity));
  if (flags > (kPositionGiven | kVelocityGiven) || stray) in.Fail();
  return motion;
}

struct OperationEncoder {
  ByteWriter& out;

  void operator()(const DefineArchetype& define) const {
    EncodeArchetype(define.archetype, out);
  }
  void operator()(const RemoveArchetype& remove) const {
    out.Put(remove.archetype_id);
  }
  void operator()(const SpawnAgents& spawn) const {
    std::visit(*this, spawn.placement);
  }
  void operator()(const std::vector<NewAgent>& agents) const {
    out.Put(std::uint64_t{agents.size()});
    for (const NewAgent& agent : agents) EncodeNewAgent(agent, out);
  }
  void operator()(const AreaPlacement& area) const {
    out.Put(area.count);
    EncodeNewAgent(area.prototype, out);
    std::visit(AreaEncoder{out}, area.area);
  }
  void operator()(const DespawnAgents& despawn) const {
    EncodeIds(despawn.agent_ids, out);
  }
  void operator()(const SetTarget& set) const {
    out.Put(set.slot);
    EncodeTarget(set.target, out);
    EncodeIds(set.agent_ids, out);
  }
  void operator()(const SetArchetype& set) const {
    out.Put(set.archetype_id);
    EncodeIds(set.agent_ids, out);
  }
  void operator()(const SetMotion& set) const {
    out.Put(std::uint64_t{set.motions.size()});
    for (const AgentMotion& motion : set.motions) EncodeMotion(motion, out);
  }
  void operator()(const ApplyImpulse& push) const {
    EncodeVec3(push.impulse, out);
    EncodeIds(push.agent_ids, out);
  }
  void operator()(const SetCellSize& set) const { out.Put(set.cell_size); }
};

struct KindOf {
  OperationKind operator()(const DefineArchetype&) const {
    return kDefineArchetype;
  }
  OperationKind operator()(const RemoveArchetype&) const {
    return kRemoveArchetype;
  }
  OperationKind operator()(const SpawnAgents& spawn) const {
    return spawn.placement.index() == 0 ? kSpawnListed : kSpawnInArea;
  }
  OperationKind operator()(const DespawnAgents&) const {
    return kDespawnAgents;
  }
  OperationKind operator()(const SetTarget&) const { return kSetTarget; }
  OperationKind operator()(const SetArchetype&) const { return kSetArchetype; }
  OperationKind operator()(const SetMotion&) const { return kSetMotion; }
  OperationKind operator()(const ApplyImpulse&) const { return kApplyImpulse; }
  OperationKind operator()(const SetCellSize&) const { return kSetCellSize; }
};

SpawnAgents DecodeSpawnListed(ByteReader& in) {
  std::vector<NewAgent> agents;
  const std::size_t count = in.GetCount(kNewAgentBytes);
  agents.reserve(count);
  for (std::size_t i = 0; i < count; ++i) agents.push_back(DecodeNewAgent(in));
  return {std::move(agents)};
}

SpawnAgents DecodeSpawnInArea(ByteReader& in) {
  AreaPlacement area;
  area.count = in.Get<std::int64_t>();
  area.prototype = DecodeNewAgent(in);
  area.area = DecodeArea(in);
  return {area};
}

SetTarget DecodeSetTarget(ByteReader& in) {
  SetTarget set;
  set.slot = in.Get<std::int32_t>();
  set.target = DecodeTarget(in);
  set.agent_ids = DecodeIds(in);
  return set;
}

SetArchetype DecodeSetArchetype(ByteReader& in) {
  SetArchetype set;
  set.archetype_id = in.Get<ArchetypeId>();
  set.agent_ids = DecodeIds(in);
  return set;
}

SetMotion DecodeSetMotion(ByteReader& in) {
  SetMotion set;
  const std::size_t count = in.GetCount(kMotionBytes);
  set.motions.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    set.motions.push_back(DecodeMotion(in));
  }
  return set;
}

ApplyImpulse DecodeApplyImpulse(ByteReader& in) {
  ApplyImpulse push;
  push.impulse = DecodeVec3(in);
  push.agent_ids = DecodeIds(in);
  return push;
}

Operation DecodeOperation(std::uint8_t kind, ByteReader& in) {
  switch (kind) {
    case kDefineArchetype:
      return DefineArchetype{DecodeArchetype(in)};
    case kSpawnListed:
      return DecodeSpawnListed(in);
    case kSpawnInArea:
      return DecodeSpawnInArea(in);
    case kDespawnAgents:
      return DespawnAgents{DecodeIds(in)};
    case kSetTarget:
      return DecodeSetTarget(in);
    case kRemoveArchetype:
      return RemoveArchetype{in.Get<ArchetypeId>()};
    case kSetArchetype:
      return DecodeSetArchetype(in);
    case kSetMotion:
      return DecodeSetMotion(in);
    case kApplyImpulse:
      return DecodeApplyImpulse(in);
    case kSetCellSize:
      return SetCellSize{in.Get<float>()};
    default:
      in.Fail();
      return DespawnAgents{};
  }
}

}  // namespace

void EncodeTarget(const Target& target, ByteWriter& out) {
  out.Put(static_cast<std::uint8_t>(target.kind));
  EncodeVec3(target.point, out);
  out.Put(target.agent);
}

Target DecodeTarget(ByteReader& in) {
  Target target;
  const auto kind = in.Get<std::uint8_t>();
  target.point = DecodeVec3(in);
  target.agent = in.Get<AgentId>();
  if (kind > static_cast<std::uint8_t>(Target::Kind::kAgent)) in.Fail();
  target.kind = static_cast<Target::Kind>(kind);
  // What the kind does not use must be 0, as bits, or two encodings would
  // stand for one target.
  if (!IsTidy(target)) in.Fail();
  return target;
}

void EncodeCommand(const AdmittedCommand& command, std::string& bytes) {
  ByteWriter out(bytes);
  out.Put(kVersion);
  out.Put(std::uint8_t{std::visit(KindOf{}, command.operation)});
  out.Put(command.sequence);
  out.Put(command.apply_tick);
  out.Put(command.first_agent_id);
  std::visit(OperationEncoder{out}, command.operation);
}

void SetPlace(std::int64_t sequence, std::int64_t apply_tick,
              AgentId first_agent_id, std::string& record) {
  const std::array<std::int64_t, 3> place{sequence, apply_tick, first_agent_id};
  MEANDER_CHECK(record.size() >= kPlaceOffset + sizeof(place));
  std::memcpy(record.data() + kPlaceOffset, place.data(), sizeof(place));
}

Result<AdmittedCommand> DecodeCommand(std::string_view bytes) {
  ByteReader in(bytes);
  if (in.Get<std::uint8_t>() != kVersion) in.Fail();
  const auto kind = in.Get<std::uint8_t>();
  AdmittedCommand command;
  command.sequence = in.Get<std::int64_t>();
  command.apply_tick = in.Get<std::int64_t>();
  command.first_agent_id = in.Get<AgentId>();
  command.operation = DecodeOperation(kind, in);
  if (!in.ok() || in.remaining() != 0) {
    return Error{ErrorCode::kCorrupt, "", "is not the record of a command"};
  }
  return command;
}

}  // namespace meander::core
