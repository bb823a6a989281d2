#include "core/agents/agent_columns.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace meander::core {

template <typename Function>
void AgentColumns::ForEachColumn(Function function) {
  function(id);
  function(position_x);
  function(position_y);
  function(position_z);
  function(velocity_x);
  function(velocity_y);
  function(velocity_z);
  function(wander_turn);
  function(wander_elevation);
  function(wander_offset_x);
  function(wander_offset_y);
  function(wander_offset_z);
  function(wander_heading_x);
  function(wander_heading_y);
  function(wander_heading_z);
  function(facing_x);
  function(facing_y);
  function(facing_z);
  function(seed);
  function(tag);
  function(groups);
  function(spawn_tick);
  function(targets);
  function(force_x);
  function(force_y);
  function(force_z);
}

void AgentColumns::ReserveMore(std::size_t rows) {
  const std::size_t wanted = size() + rows;
  if (wanted <= id.capacity()) return;
  const std::size_t room = std::max(wanted, 2 * id.capacity());
  ForEachColumn([room](auto& column) { column.reserve(room); });
}

void AgentColumns::ReleaseUnused() {
  constexpr std::size_t kKeptRows = 64;
  if (id.capacity() <= std::max(4 * size(), kKeptRows)) return;
  ForEachColumn([](auto& column) { column.shrink_to_fit(); });
}

void AgentColumns::Append(const AgentRow& agent) {
  ForEachColumn([](auto& column) { column.emplace_back(); });
  id.back() = agent.id;
  SetPosition(size() - 1, agent.position);
  SetVelocity(size() - 1, agent.velocity);
  SetWander(size() - 1, agent.wander);
  SetFacing(size() - 1, agent.facing);
  seed.back() = agent.seed;
  tag.back() = agent.tag;
  groups.back() = agent.groups;
  spawn_tick.back() = agent.spawn_tick;
  targets.back() = agent.targets;
}

AgentRow AgentColumns::Row(std::size_t row) const {
  return {
      .id = id[row],
      .position = Position(row),
      .velocity = Velocity(row),
      .wander = Wander(row),
      .facing = FacingOf(row),
      .groups = groups[row],
      .seed = seed[row],
      .tag = tag[row],
      .spawn_tick = spawn_tick[row],
      .targets = targets[row],
  };
}

WanderState AgentColumns::Wander(std::size_t row) const {
  return {
      .turn = wander_turn[row],
      .elevation = wander_elevation[row],
      .offset = {wander_offset_x[row], wander_offset_y[row],
                 wander_offset_z[row]},
      .heading = {wander_heading_x[row], wander_heading_y[row],
                  wander_heading_z[row]},
  };
}

void AgentColumns::SetWander(std::size_t row, const WanderState& wander) {
  wander_turn[row] = wander.turn;
  wander_elevation[row] = wander.elevation;
  wander_offset_x[row] = wander.offset.x;
  wander_offset_y[row] = wander.offset.y;
  wander_offset_z[row] = wander.offset.z;
  wander_heading_x[row] = wander.heading.x;
  wander_heading_y[row] = wander.heading.y;
  wander_heading_z[row] = wander.heading.z;
}

void AgentColumns::Remove(std::size_t row) {
  ForEachColumn([row](auto& column) {
    column[row] = column.back();
    column.pop_back();
  });
}

void AgentColumns::Swap(std::size_t row, std::size_t other) {
  ForEachColumn(
      [row, other](auto& column) { std::swap(column[row], column[other]); });
}

void AgentColumns::MoveRows(std::span<const std::uint32_t> from,
                            std::span<const std::uint32_t> to,
                            std::vector<std::byte>& room) {
  ForEachColumn([&](auto& column) {
    using T = std::remove_reference_t<decltype(column[0])>;
    static_assert(std::is_trivially_copyable_v<T>);
    if (room.size() < from.size() * sizeof(T)) {
      room.resize(from.size() * sizeof(T));
    }
    std::byte* at = room.data();
    for (const std::uint32_t row : from) {
      std::memcpy(at, &column[row], sizeof(T));
      at += sizeof(T);
    }
    at = room.data();
    for (const std::uint32_t row : to) {
      std::memcpy(&column[row], at, sizeof(T));
      at += sizeof(T);
    }
  });
}

}  // namespace meander::core
