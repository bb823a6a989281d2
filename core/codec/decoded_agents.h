// The columns of a snapshot's agents, read where their bytes lie.
//
// Plain data; valid as long as the bytes.
#ifndef MEANDER_CORE_CODEC_DECODED_AGENTS_H_
#define MEANDER_CORE_CODEC_DECODED_AGENTS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/math/vec3.h"
#include "core/operation.h"
#include "core/wander_state.h"

namespace meander::core {

template <typename T>
struct DecodedColumn {
  const char* bytes = nullptr;
  bool each = false;  // else one value, that all rows have

  T operator[](std::size_t row) const {
    T value;
    std::memcpy(&value, bytes + (each ? row * sizeof(T) : 0), sizeof(T));
    return value;
  }
  void Copy(std::size_t first, std::size_t rows, T* to) const {
    if (each) {
      std::memcpy(to, bytes + first * sizeof(T), rows * sizeof(T));
    } else {
      std::fill_n(to, rows, (*this)[0]);
    }
  }
  // Whether all rows are 0, bit for bit.
  bool IsZero() const {
    constexpr std::array<char, sizeof(T)> kZero{};
    return !each && std::memcmp(bytes, kZero.data(), sizeof(T)) == 0;
  }
};

struct DecodedVectors {
  DecodedColumn<float> x, y, z;

  Vec3 operator[](std::size_t row) const { return {x[row], y[row], z[row]}; }
};

struct DecodedSlot {
  DecodedColumn<std::uint8_t> kind;
  DecodedVectors point;
  DecodedColumn<AgentId> agent;

  bool IsUnset() const { return kind.IsZero() && IsZeroButForKind(); }
  bool IsZeroButForKind() const {
    return point.x.IsZero() && point.y.IsZero() && point.z.IsZero() &&
           agent.IsZero();
  }
};

struct DecodedAgents {
  // Set in the kind of a target whose loss was told.
  static constexpr std::uint8_t kLossToldBit = 0x80;

  std::size_t rows = 0;
  DecodedColumn<AgentId> id;
  DecodedColumn<ArchetypeId> archetype_id;
  DecodedVectors position;
  DecodedVectors velocity;
  DecodedColumn<std::uint32_t> wander_turn;
  DecodedColumn<float> wander_elevation;
  DecodedVectors wander_offset;
  DecodedVectors wander_heading;
  DecodedVectors facing;
  DecodedColumn<std::uint64_t> seed, tag;
  DecodedColumn<std::uint32_t> groups;
  DecodedColumn<std::int64_t> step_count;
  std::array<DecodedSlot, kTargetSlots> slots;

  WanderState Wander(std::size_t row) const {
    return {.turn = wander_turn[row],
            .elevation = wander_elevation[row],
            .offset = wander_offset[row],
            .heading = wander_heading[row]};
  }
  // Precondition: the kind is one, but for its bit.
  Target TargetAt(std::size_t row, std::size_t slot) const {
    const DecodedSlot& in = slots[slot];
    const unsigned kind = in.kind[row];
    return {.kind = static_cast<Target::Kind>(kind & (kLossToldBit - 1u)),
            .loss_told = (kind & kLossToldBit) != 0,
            .point = in.point[row],
            .agent = in.agent[row]};
  }
};

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_DECODED_AGENTS_H_
