// A target as a slot of an agent keeps it: 16 bytes, all 0 when it is not set.
//
// The point's bits and the agent's id share their place: a target has one of
// them (IsTidy). These words are what the state hash mixes. Plain data.
#ifndef MEANDER_CORE_AGENTS_PACKED_TARGET_H_
#define MEANDER_CORE_AGENTS_PACKED_TARGET_H_

#include <array>
#include <bit>
#include <cstdint>

#include "core/math/vec3.h"
#include "core/operation.h"

namespace meander::core {

struct PackedTarget {
  static constexpr std::uint32_t kLossToldBit = 0x100;

  // The kind, and kLossToldBit where the loss was told.
  std::uint32_t head = 0;
  // kPoint: bits of x, y and z. kAgent: low and high half of the id, then 0.
  std::array<std::uint32_t, 3> words{};

  Target::Kind kind() const {
    return static_cast<Target::Kind>(head & (kLossToldBit - 1));
  }
  bool loss_told() const { return (head & kLossToldBit) != 0; }
  // Precondition of each: the kind.
  Vec3 point() const { return std::bit_cast<Vec3>(words); }
  AgentId agent() const {
    return static_cast<AgentId>(std::uint64_t{words[1]} << 32 | words[0]);
  }

  void TellLoss() { head |= kLossToldBit; }

  bool IsUnset() const { return *this == PackedTarget{}; }
  bool operator==(const PackedTarget&) const = default;
};

// Precondition: what the kind does not use is 0.
inline PackedTarget Pack(const Target& target) {
  PackedTarget packed{.head =
                          static_cast<std::uint32_t>(target.kind) |
                          (target.loss_told ? PackedTarget::kLossToldBit : 0)};
  if (target.kind == Target::Kind::kPoint) {
    packed.words = std::bit_cast<std::array<std::uint32_t, 3>>(target.point);
  } else if (target.kind == Target::Kind::kAgent) {
    const auto id = static_cast<std::uint64_t>(target.agent);
    packed.words = {static_cast<std::uint32_t>(id),
                    static_cast<std::uint32_t>(id >> 32), 0};
  }
  return packed;
}

inline Target Unpack(const PackedTarget& packed) {
  Target target;
  target.kind = packed.kind();
  target.loss_told = packed.loss_told();
  if (target.kind == Target::Kind::kPoint) target.point = packed.point();
  if (target.kind == Target::Kind::kAgent) target.agent = packed.agent();
  return target;
}

}  // namespace meander::core

#endif  // MEANDER_CORE_AGENTS_PACKED_TARGET_H_
