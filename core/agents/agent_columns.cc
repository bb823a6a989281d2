#include "core/agents/agent_columns.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace meander::core {
namespace {

// A column of as many zeros as there are rows, in place of one that is not
// there.
template <typename T>
Column<T> Brought(const Column<T>&, const AgentColumns& agents) {
  Column<T> column;
  column.reserve(agents.id.capacity());
  column.resize(agents.size());
  return column;
}

// Makes a column that was not there.
template <typename T>
void Bring(Column<T>& column, const AgentColumns& agents) {
  column = Brought(column, agents);
}

template <typename T>
void Drop(Column<T>& column) {
  Column<T>().swap(column);  // = {} would keep the memory
}

// A last row of a column that is not there while all are 0. The table has its
// new row already.
template <typename T>
void AppendTo(Column<T>& column, const T& value, const AgentColumns& agents) {
  if (column.empty() && value == T{}) return;
  if (column.empty()) Bring(column, agents);
  column.resize(agents.size());
  column.back() = value;
}

template <typename T>
T ValueAt(const Column<T>& column, std::size_t row) {
  return column.empty() ? T{} : column[row];
}

template <typename T>
void SetAt(Column<T>& column, std::size_t row, T value) {
  if (!column.empty()) column[row] = value;
}

}  // namespace

template <typename Function>
void AgentColumns::ForEachWanderColumn(Function function) {
  if (has_turn_) function(wander_turn);
  if (has_elevation_) function(wander_elevation);
  if (!has_vectors_) return;
  function(wander_offset_x);
  function(wander_offset_y);
  function(wander_offset_z);
  function(wander_heading_x);
  function(wander_heading_y);
  function(wander_heading_z);
}

template <typename Function>
void AgentColumns::ForEachColumn(Function function) {
  function(position_x);
  function(position_y);
  function(position_z);
  function(velocity_x);
  function(velocity_y);
  function(velocity_z);
  ForEachWanderColumn(function);
  function(facing_x);
  function(facing_y);
  function(facing_z);
  function(seed);
  if (!tag.empty()) function(tag);
  function(groups);
  function(spawn_tick);
  for (Column<PackedTarget>& column : targets) {
    if (!column.empty()) function(column);
  }
  for (Column<float>* column : {&force_x, &force_y, &force_z}) {
    if (!column->empty()) function(*column);
  }
  // At last, for it tells how many rows there are.
  function(id);
}

void AgentColumns::ReserveMore(std::size_t rows) {
  const std::size_t wanted = size() + rows;
  if (wanted <= id.capacity()) return;
  const std::size_t room = std::max(wanted, GrownRoom(id.capacity()));
  ForEachColumn([room](auto& column) { column.reserve(room); });
}

void AgentColumns::ReleaseUnused() {
  constexpr std::size_t kKeptRows = 64;
  if (id.capacity() <= std::max(4 * size(), kKeptRows)) return;
  ForEachColumn([](auto& column) { column.shrink_to_fit(); });
  // Those that are not there for want of rows.
  if (tag.empty()) Drop(tag);
  for (Column<PackedTarget>& column : targets) {
    if (column.empty()) Drop(column);
  }
}

void AgentColumns::SetWanderForm(WanderForm form) {
  const auto fit = [this](bool& there, bool wanted, auto&... columns) {
    if (there == wanted) return;
    if (wanted) {
      // All or none, for any may throw.
      auto made = std::make_tuple(Brought(columns, *this)...);
      std::tie(columns...) = std::move(made);
    } else {
      (Drop(columns), ...);
    }
    there = wanted;
  };
  const bool sphere = form == WanderForm::kSpherical;
  fit(has_turn_, sphere || form == WanderForm::kWorldAngle, wander_turn);
  fit(has_elevation_, sphere, wander_elevation);
  fit(has_vectors_, form == WanderForm::kHeadingOffset, wander_offset_x,
      wander_offset_y, wander_offset_z, wander_heading_x, wander_heading_y,
      wander_heading_z);
}

void AgentColumns::AppendEmpty(std::size_t rows) {
  ReserveMore(rows);
  const std::size_t all = size() + rows;
  ForEachColumn([all](auto& column) { column.resize(all); });
}

void AgentColumns::Append(const AgentRow& agent) {
  ReserveMore(1);
  ForEachColumn([](auto& column) { column.emplace_back(); });
  const std::size_t row = size() - 1;
  id[row] = agent.id;
  SetPosition(row, agent.position);
  SetVelocity(row, agent.velocity);
  SetWander(row, agent.wander);
  SetFacing(row, agent.facing);
  seed[row] = agent.seed;
  AppendTo(tag, agent.tag, *this);
  groups[row] = agent.groups;
  spawn_tick[row] = agent.spawn_tick;
  for (std::size_t slot = 0; slot < targets.size(); ++slot) {
    const PackedTarget target = Pack(agent.targets[slot]);
    AppendTo(targets[slot], target, *this);
    if (target.kind() == Target::Kind::kAgent) names_agents_[slot] = true;
  }
}

AgentRow AgentColumns::Row(std::size_t row) const {
  AgentRow agent{
      .id = id[row],
      .position = Position(row),
      .velocity = Velocity(row),
      .wander = Wander(row),
      .facing = FacingOf(row),
      .groups = groups[row],
      .seed = seed[row],
      .tag = TagOf(row),
      .spawn_tick = spawn_tick[row],
      .targets = {},
  };
  for (std::size_t slot = 0; slot < targets.size(); ++slot) {
    agent.targets[slot] = Unpack(TargetAt(row, slot));
  }
  return agent;
}

void AgentColumns::SetTarget(std::size_t row, std::size_t slot,
                             const PackedTarget& target) {
  Column<PackedTarget>& column = targets[slot];
  if (column.empty() && target.IsUnset()) return;
  if (column.empty()) Bring(column, *this);
  column[row] = target;
  if (target.kind() == Target::Kind::kAgent) names_agents_[slot] = true;
}

void AgentColumns::FindNamedAgents() {
  for (std::size_t slot = 0; slot < targets.size(); ++slot) {
    names_agents_[slot] =
        std::any_of(targets[slot].begin(), targets[slot].end(),
                    [](const PackedTarget& target) {
                      return target.kind() == Target::Kind::kAgent;
                    });
  }
}

void AgentColumns::BringForces() {
  for (Column<float>* column : {&force_x, &force_y, &force_z}) {
    if (column->size() != size()) Bring(*column, *this);
  }
}

void AgentColumns::DropForces() {
  for (Column<float>* column : {&force_x, &force_y, &force_z}) {
    if (column->capacity() != 0) Drop(*column);
  }
}

WanderState AgentColumns::Wander(std::size_t row) const {
  return {
      .turn = ValueAt(wander_turn, row),
      .elevation = ValueAt(wander_elevation, row),
      .offset = {ValueAt(wander_offset_x, row), ValueAt(wander_offset_y, row),
                 ValueAt(wander_offset_z, row)},
      .heading = {ValueAt(wander_heading_x, row),
                  ValueAt(wander_heading_y, row),
                  ValueAt(wander_heading_z, row)},
  };
}

void AgentColumns::SetWander(std::size_t row, const WanderState& wander) {
  SetAt(wander_turn, row, wander.turn);
  SetAt(wander_elevation, row, wander.elevation);
  SetAt(wander_offset_x, row, wander.offset.x);
  SetAt(wander_offset_y, row, wander.offset.y);
  SetAt(wander_offset_z, row, wander.offset.z);
  SetAt(wander_heading_x, row, wander.heading.x);
  SetAt(wander_heading_y, row, wander.heading.y);
  SetAt(wander_heading_z, row, wander.heading.z);
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
  // Before anything moves, for this may throw.
  constexpr std::size_t kWidest = sizeof(PackedTarget);
  if (room.size() < from.size() * kWidest) room.resize(from.size() * kWidest);
  ForEachColumn([&](auto& column) {
    using T = std::remove_reference_t<decltype(column[0])>;
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kWidest);
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

void AgentColumns::OrderRows(std::span<const std::uint32_t> from,
                             std::vector<std::uint64_t>& room,
                             ParallelFor& parallel) {
  constexpr std::size_t kPieceRows = 16'384;
  const std::size_t rows = from.size();
  const std::size_t pieces = std::max<std::size_t>(rows / kPieceRows, 1);
  // Before anything moves, for this may throw.
  if (room.size() < rows) room.resize(rows);
  std::uint64_t* const moved = room.data();
  ForEachColumn([&](auto& column) {
    using T = std::remove_reference_t<decltype(column[0])>;
    static_assert(std::is_trivially_copyable_v<T>);
    // Wider elements in parts.
    constexpr std::size_t kSize = std::min(sizeof(T), sizeof(moved[0]));
    static_assert(sizeof(T) % kSize == 0);
    auto* const data = reinterpret_cast<std::byte*>(column.data());
    for (std::size_t part = 0; part < sizeof(T); part += kSize) {
      RunPieces(parallel, pieces, [&](std::size_t piece) {
        const std::size_t end = rows * (piece + 1) / pieces;
        for (std::size_t i = rows * piece / pieces; i < end; ++i) {
          std::memcpy(&moved[i], data + from[i] * sizeof(T) + part, kSize);
        }
      });
      RunPieces(parallel, pieces, [&](std::size_t piece) {
        const std::size_t end = rows * (piece + 1) / pieces;
        for (std::size_t i = rows * piece / pieces; i < end; ++i) {
          std::memcpy(data + i * sizeof(T) + part, &moved[i], kSize);
        }
      });
    }
  });
}

}  // namespace meander::core
