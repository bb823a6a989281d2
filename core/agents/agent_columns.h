// Agents of one archetype as columns: row r of every column is one agent.
//
// A column has one element for each row, or none: those that hold 0 in every
// row need not be there. Of the optional ones, those of wander are there as the
// archetype's form of it needs them, tags and targets from the first that is
// set. Which agent lies in which row, and which columns are there, is not
// state: it changes no bit of a tick, a hash or a snapshot. Plain data: one
// writer, or many threads on different rows.
#ifndef MEANDER_CORE_AGENTS_AGENT_COLUMNS_H_
#define MEANDER_CORE_AGENTS_AGENT_COLUMNS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/agents/column.h"
#include "core/agents/packed_target.h"
#include "core/archetype.h"
#include "core/command.h"
#include "core/math/vec3.h"
#include "core/parallel_for.h"
#include "core/wander_state.h"

namespace meander::core {

// One agent, all of its state but the archetype.
struct AgentRow {
  AgentId id = 0;
  Vec3 position;  // units
  Vec3 velocity;  // units/s
  WanderState wander;
  Vec3 facing;  // a unit vector, to rounding
  std::uint32_t groups = 1;
  std::uint64_t seed = 0;
  std::uint64_t tag = 0;
  std::int64_t spawn_tick = 0;  // the tick that the first step produced
  TargetSlots targets;
};

struct AgentColumns {
  Column<AgentId> id;
  // Read by everybody while forces are computed, written when all are done.
  Column<float> position_x, position_y, position_z;
  Column<float> velocity_x, velocity_y, velocity_z;
  // Read and written by the agent's own wander alone; see wander_state.h.
  // Optional: SetWanderForm.
  Column<std::uint32_t> wander_turn;
  Column<float> wander_elevation;
  Column<float> wander_offset_x, wander_offset_y, wander_offset_z;
  Column<float> wander_heading_x, wander_heading_y, wander_heading_z;
  // Read and written by the agent's own integration alone.
  Column<float> facing_x, facing_y, facing_z;
  // Changed by commands alone, but for what was told of the targets.
  Column<std::uint64_t> seed;
  Column<std::uint64_t> tag;  // optional
  Column<std::uint32_t> groups;
  Column<std::int64_t> spawn_tick;
  std::array<Column<PackedTarget>, kTargetSlots> targets;  // optional, each
  // The step's own: from the end of steering to the end of integration, where
  // these are apart. Not state. Optional: BringForces.
  Column<float> force_x, force_y, force_z;

  std::size_t size() const { return id.size(); }
  // Makes room for `rows` more, and some besides, so that many small calls do
  // not move all rows each time.
  void ReserveMore(std::size_t rows);
  // What the wander columns that are not there would hold is dropped.
  void Append(const AgentRow& agent);
  // Rows that hold 0 in every column.
  void AppendEmpty(std::size_t rows);
  AgentRow Row(std::size_t row) const;
  Vec3 Position(std::size_t row) const {
    return {position_x[row], position_y[row], position_z[row]};
  }
  Vec3 Velocity(std::size_t row) const {
    return {velocity_x[row], velocity_y[row], velocity_z[row]};
  }
  Vec3 FacingOf(std::size_t row) const {
    return {facing_x[row], facing_y[row], facing_z[row]};
  }
  std::uint64_t TagOf(std::size_t row) const {
    return tag.empty() ? 0 : tag[row];
  }
  PackedTarget TargetAt(std::size_t row, std::size_t slot) const {
    return targets[slot].empty() ? PackedTarget{} : targets[slot][row];
  }
  WanderState Wander(std::size_t row) const;
  void SetPosition(std::size_t row, const Vec3& position) {
    position_x[row] = position.x;
    position_y[row] = position.y;
    position_z[row] = position.z;
  }
  void SetVelocity(std::size_t row, const Vec3& velocity) {
    velocity_x[row] = velocity.x;
    velocity_y[row] = velocity.y;
    velocity_z[row] = velocity.z;
  }
  void SetFacing(std::size_t row, const Vec3& facing) {
    facing_x[row] = facing.x;
    facing_y[row] = facing.y;
    facing_z[row] = facing.z;
  }
  void SetTarget(std::size_t row, std::size_t slot, const PackedTarget& target);
  // What the wander columns that are not there would hold is dropped.
  void SetWander(std::size_t row, const WanderState& wander);

  // Whether a target of this slot may name an agent: one did, now or before.
  bool NamesAgents(std::size_t slot) const { return names_agents_[slot]; }
  // For whoever has filled target columns by himself.
  void FindNamedAgents();

  // Has force columns, with anything in them; has none.
  void BringForces();
  void DropForces();

  // Keeps the wander columns that a form uses, alone. Those that come are 0.
  // Before the first call all of them are there.
  void SetWanderForm(WanderForm form);
  // Gives back what is allocated for rows that are long gone. Moves all rows
  // when it does, so it waits until three in four are gone.
  void ReleaseUnused();
  // Moves the last row into `row`.
  void Remove(std::size_t row);
  void Swap(std::size_t row, std::size_t other);
  // Moves row from[i] to row to[i], for all i at once. Precondition: both are
  // the same rows, each once. `room` is memory for one column of them.
  void MoveRows(std::span<const std::uint32_t> from,
                std::span<const std::uint32_t> to,
                std::vector<std::byte>& room);
  // Moves row from[i] to row i, for all rows, in pieces. `room` is memory for
  // one column of 8 bytes.
  void OrderRows(std::span<const std::uint32_t> from,
                 std::vector<std::uint64_t>& room, ParallelFor& parallel);

 private:
  // Applies `function` to every column that is there. Of an empty table these
  // are those that each new row has.
  template <typename Function>
  void ForEachColumn(Function function);
  template <typename Function>
  void ForEachWanderColumn(Function function);

  // Which wander columns rows have.
  bool has_turn_ = true;
  bool has_elevation_ = true;
  bool has_vectors_ = true;
  std::array<bool, kTargetSlots> names_agents_{};
};

}  // namespace meander::core

#endif  // MEANDER_CORE_AGENTS_AGENT_COLUMNS_H_
