#include "core/agents/agent_columns.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace meander::core {
namespace {

// A row whose every number tells its id and the column that it is in.
AgentRow RowOf(AgentId id) {
  const auto f = [id](int column) {
    return static_cast<float>(id * 100 + column);
  };
  const auto n = [id](int column) {
    return static_cast<std::uint64_t>(id * 100 + column);
  };
  AgentRow row;
  row.id = id;
  row.position = {f(1), f(2), f(3)};
  row.velocity = {f(4), f(5), f(6)};
  row.wander = {.turn = static_cast<std::uint32_t>(n(7)),
                .elevation = f(8),
                .offset = {f(9), f(10), f(11)},
                .heading = {f(12), f(13), f(14)}};
  row.facing = {f(15), f(16), f(17)};
  row.groups = static_cast<std::uint32_t>(n(18));
  row.seed = n(19);
  row.tag = n(20);
  row.spawn_tick = static_cast<std::int64_t>(n(21));
  int column = 22;
  for (Target& target : row.targets) {
    target = {.kind = Target::Kind::kPoint,
              .loss_told = true,
              .point = {f(column), f(column + 1), f(column + 2)}};
    column += 3;
  }
  return row;
}

Vec3 ForceOf(AgentId id) {
  const auto value = static_cast<float>(id);
  return {value + 0.25f, value + 0.5f, value + 0.75f};
}

void AppendWithForce(AgentColumns& agents, AgentId id) {
  agents.Append(RowOf(id));
  agents.BringForces();
  const Vec3 force = ForceOf(id);
  agents.force_x.back() = force.x;
  agents.force_y.back() = force.y;
  agents.force_z.back() = force.z;
}

void ExpectRows(const AgentColumns& agents, const std::vector<AgentId>& ids) {
  ASSERT_EQ(agents.size(), ids.size());
  for (const std::size_t length : {agents.position_x.size(),
                                   agents.position_y.size(),
                                   agents.position_z.size(),
                                   agents.velocity_x.size(),
                                   agents.velocity_y.size(),
                                   agents.velocity_z.size(),
                                   agents.wander_turn.size(),
                                   agents.wander_elevation.size(),
                                   agents.wander_offset_x.size(),
                                   agents.wander_offset_y.size(),
                                   agents.wander_offset_z.size(),
                                   agents.wander_heading_x.size(),
                                   agents.wander_heading_y.size(),
                                   agents.wander_heading_z.size(),
                                   agents.facing_x.size(),
                                   agents.facing_y.size(),
                                   agents.facing_z.size(),
                                   agents.groups.size(),
                                   agents.seed.size(),
                                   agents.tag.size(),
                                   agents.spawn_tick.size(),
                                   agents.targets[0].size(),
                                   agents.targets[1].size(),
                                   agents.targets[2].size(),
                                   agents.targets[3].size(),
                                   agents.force_x.size(),
                                   agents.force_y.size(),
                                   agents.force_z.size()}) {
    ASSERT_EQ(length, ids.size());
  }
  for (std::size_t r = 0; r < ids.size(); ++r) {
    const AgentRow row = agents.Row(r);
    const AgentRow wanted = RowOf(ids[r]);
    EXPECT_EQ(row.id, wanted.id) << "row " << r;
    EXPECT_EQ(row.position, wanted.position) << "row " << r;
    EXPECT_EQ(row.velocity, wanted.velocity) << "row " << r;
    EXPECT_EQ(row.wander, wanted.wander) << "row " << r;
    EXPECT_EQ(row.facing, wanted.facing) << "row " << r;
    EXPECT_EQ(row.groups, wanted.groups) << "row " << r;
    EXPECT_EQ(row.seed, wanted.seed) << "row " << r;
    EXPECT_EQ(row.tag, wanted.tag) << "row " << r;
    EXPECT_EQ(row.spawn_tick, wanted.spawn_tick) << "row " << r;
    EXPECT_EQ(row.targets, wanted.targets) << "row " << r;
    EXPECT_EQ((Vec3{agents.force_x[r], agents.force_y[r], agents.force_z[r]}),
              ForceOf(ids[r]))
        << "row " << r;
  }
}

TEST(AgentColumnsTest, RowGivesBackWhatWasAppended) {
  AgentColumns agents;
  for (AgentId id = 1; id <= 3; ++id) AppendWithForce(agents, id);
  ExpectRows(agents, {1, 2, 3});
}

TEST(AgentColumnsTest, EachNumberLiesInTheColumnOfItsName) {
  AgentColumns agents;
  agents.Append(RowOf(1));
  agents.Append(RowOf(2));
  const Column<float> AgentColumns::*columns[] = {
      &AgentColumns::position_x,
      &AgentColumns::position_y,
      &AgentColumns::position_z,
      &AgentColumns::velocity_x,
      &AgentColumns::velocity_y,
      &AgentColumns::velocity_z,
      nullptr,
      &AgentColumns::wander_elevation,
      &AgentColumns::wander_offset_x,
      &AgentColumns::wander_offset_y,
      &AgentColumns::wander_offset_z,
      &AgentColumns::wander_heading_x,
      &AgentColumns::wander_heading_y,
      &AgentColumns::wander_heading_z,
      &AgentColumns::facing_x,
      &AgentColumns::facing_y,
      &AgentColumns::facing_z};
  float number = 200.0f;
  for (const auto column : columns) {
    number += 1.0f;
    if (column == nullptr) continue;
    EXPECT_EQ((agents.*column)[1], number);
  }
  EXPECT_EQ(agents.wander_turn[1], 207u);
  EXPECT_EQ(agents.groups[1], 218u);
  EXPECT_EQ(agents.FacingOf(1), (Vec3{215.0f, 216.0f, 217.0f}));
  agents.SetFacing(1, {1.0f, 2.0f, 3.0f});
  EXPECT_EQ(agents.FacingOf(1), (Vec3{1.0f, 2.0f, 3.0f}));
  EXPECT_EQ(agents.FacingOf(0), RowOf(1).facing);
  agents.SetWander(1, RowOf(7).wander);
  EXPECT_EQ(agents.Wander(1), RowOf(7).wander);
  EXPECT_EQ(agents.Wander(0), RowOf(1).wander);
}

TEST(AgentColumnsTest,
     ForcesAreThereFromWhenTheyAreBroughtUntilTheyAreDropped) {
  AgentColumns agents;
  agents.Append(RowOf(1));
  EXPECT_TRUE(agents.force_x.empty());
  agents.BringForces();
  agents.Append(RowOf(2));
  for (const Column<float>* column :
       {&agents.force_x, &agents.force_y, &agents.force_z}) {
    EXPECT_EQ(column->size(), 2u);
  }
  agents.DropForces();
  for (const Column<float>* column :
       {&agents.force_x, &agents.force_y, &agents.force_z}) {
    EXPECT_EQ(column->capacity(), 0u);
  }
}

TEST(AgentColumnsTest, RememberWhetherASlotMayNameAnAgent) {
  AgentColumns agents;
  AgentRow row = RowOf(1);
  row.targets = {};
  agents.Append(row);
  agents.SetTarget(0, 2, Pack({.kind = Target::Kind::kPoint}));
  EXPECT_FALSE(agents.NamesAgents(2));
  agents.SetTarget(0, 1, Pack({.kind = Target::Kind::kAgent, .agent = 9}));
  EXPECT_TRUE(agents.NamesAgents(1));
  row.targets[3] = {.kind = Target::Kind::kAgent, .agent = 9};
  agents.Append(row);
  EXPECT_TRUE(agents.NamesAgents(3));
  EXPECT_FALSE(agents.NamesAgents(0));
  agents.SetTarget(0, 1, PackedTarget{});
  EXPECT_TRUE(agents.NamesAgents(1));
  agents.FindNamedAgents();
  EXPECT_FALSE(agents.NamesAgents(1));
  EXPECT_TRUE(agents.NamesAgents(3));
}

TEST(AgentColumnsTest, RemoveMovesTheLastRowOfEveryColumn) {
  AgentColumns agents;
  for (AgentId id = 1; id <= 4; ++id) AppendWithForce(agents, id);
  agents.Remove(1);
  ExpectRows(agents, {1, 4, 3});
  agents.Remove(2);
  ExpectRows(agents, {1, 4});
  agents.Remove(0);
  ExpectRows(agents, {4});
  agents.Remove(0);
  ExpectRows(agents, {});
}

TEST(AgentColumnsTest, SwapExchangesRowsOfEveryColumn) {
  AgentColumns agents;
  for (AgentId id = 1; id <= 3; ++id) AppendWithForce(agents, id);
  agents.Swap(0, 2);
  ExpectRows(agents, {3, 2, 1});
  agents.Swap(1, 1);
  ExpectRows(agents, {3, 2, 1});
}

TEST(AgentColumnsTest, ReserveMoreMakesRoomInEveryColumnAndKeepsRows) {
  AgentColumns agents;
  for (AgentId id = 1; id <= 5; ++id) AppendWithForce(agents, id);
  agents.ReserveMore(1000);
  ExpectRows(agents, {1, 2, 3, 4, 5});
  const AgentId* const ids = agents.id.data();
  const float* const forces = agents.force_z.data();
  const PackedTarget* const targets = agents.targets[3].data();
  for (AgentId id = 6; id <= 1005; ++id) AppendWithForce(agents, id);
  EXPECT_EQ(agents.id.data(), ids);
  EXPECT_EQ(agents.force_z.data(), forces);
  EXPECT_EQ(agents.targets[3].data(), targets);
}

TEST(AgentColumnsTest, ColumnsStayTogetherUnderRandomChanges) {
  std::mt19937 random(7);
  AgentColumns agents;
  std::vector<AgentId> ids;
  AgentId next = 1;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t rows = ids.size();
    switch (rows == 0 ? 0 : random() % 4) {
      case 0:
      case 1:
        AppendWithForce(agents, next);
        ids.push_back(next++);
        break;
      case 2: {
        const std::size_t row = random() % rows;
        agents.Remove(row);
        ids[row] = ids.back();
        ids.pop_back();
        break;
      }
      default: {
        const std::size_t row = random() % rows;
        const std::size_t other = random() % rows;
        agents.Swap(row, other);
        std::swap(ids[row], ids[other]);
        break;
      }
    }
    if (i % 50 != 0) continue;
    ASSERT_NO_FATAL_FAILURE(ExpectRows(agents, ids));
  }
  ExpectRows(agents, ids);
}

// A row with nothing that an optional column would hold.
AgentRow PlainRow(AgentId id) {
  AgentRow row = RowOf(id);
  row.wander = {};
  row.tag = 0;
  row.targets = {};
  return row;
}

TEST(AgentColumnsTest, TagsAndTargetsAreThereFromTheFirstThatIsSet) {
  AgentColumns agents;
  for (AgentId id = 1; id <= 5; ++id) agents.Append(PlainRow(id));
  agents.SetTarget(3, 1, {});
  EXPECT_TRUE(agents.tag.empty());
  for (const auto& column : agents.targets) EXPECT_TRUE(column.empty());

  const Target target{.kind = Target::Kind::kAgent,
                      .agent = AgentId{1} << 60 | 7};
  AgentRow tagged = PlainRow(6);
  tagged.tag = 9;
  tagged.targets[2] = target;
  agents.Append(tagged);
  agents.SetTarget(3, 1, Pack(target));
  EXPECT_EQ(agents.tag.size(), 6u);
  EXPECT_TRUE(agents.targets[0].empty());
  EXPECT_EQ(agents.targets[1].size(), 6u);
  EXPECT_EQ(agents.targets[2].size(), 6u);
  EXPECT_TRUE(agents.targets[3].empty());
  for (std::size_t row = 0; row < 6; ++row) {
    AgentRow wanted = row == 5 ? tagged : PlainRow(agents.id[row]);
    if (row == 3) wanted.targets[1] = target;
    EXPECT_EQ(agents.Row(row).tag, wanted.tag);
    EXPECT_EQ(agents.Row(row).targets, wanted.targets);
  }
  agents.Remove(3);
  agents.Swap(0, 3);
  EXPECT_EQ(agents.id[0], 6);
  EXPECT_EQ(agents.TagOf(0), 9u);
  EXPECT_EQ(agents.TagOf(3), 0u);
}

TEST(AgentColumnsTest, AnEmptyTableForgetsWhichColumnsItHad) {
  AgentColumns agents;
  agents.Append(RowOf(1));
  agents.Remove(0);
  agents.Append(PlainRow(2));
  agents.Append(PlainRow(3));
  EXPECT_TRUE(agents.tag.empty());
  for (const auto& column : agents.targets) EXPECT_TRUE(column.empty());
  EXPECT_EQ(agents.Row(1).targets, TargetSlots{});
}

TEST(AgentColumnsTest, WanderColumnsAreThoseOfTheForm) {
  for (const bool first : {true, false}) {
    const auto sizes = [first](WanderForm form) {
      AgentColumns agents;
      if (first) agents.SetWanderForm(form);
      agents.Append(RowOf(1));
      agents.Append(RowOf(2));
      agents.SetWanderForm(form);
      return std::array{
          agents.wander_turn.size(),      agents.wander_elevation.size(),
          agents.wander_offset_x.size(),  agents.wander_offset_y.size(),
          agents.wander_offset_z.size(),  agents.wander_heading_x.size(),
          agents.wander_heading_y.size(), agents.wander_heading_z.size()};
    };
    using Sizes = std::array<std::size_t, 8>;
    EXPECT_EQ(sizes(WanderForm::kNone), Sizes{});
    EXPECT_EQ(sizes(WanderForm::kWorldAngle), Sizes{2});
    EXPECT_EQ(sizes(WanderForm::kSpherical), (Sizes{2, 2}));
    EXPECT_EQ(sizes(WanderForm::kHeadingOffset),
              (Sizes{0, 0, 2, 2, 2, 2, 2, 2}));
  }
}

TEST(AgentColumnsTest, AColumnThatComesWithAFormIsZero) {
  AgentColumns agents;
  agents.Append(RowOf(1));
  agents.SetWanderForm(WanderForm::kHeadingOffset);
  agents.Append(RowOf(2));
  EXPECT_EQ(agents.Wander(1).offset, RowOf(2).wander.offset);
  EXPECT_EQ(agents.Wander(1).turn, 0u);
  agents.SetWanderForm(WanderForm::kSpherical);
  EXPECT_EQ(agents.Wander(0), WanderState{});
  EXPECT_EQ(agents.Wander(1), WanderState{});
  agents.SetWander(1, RowOf(2).wander);
  EXPECT_EQ(agents.Wander(1),
            (WanderState{.turn = RowOf(2).wander.turn,
                         .elevation = RowOf(2).wander.elevation}));
  agents.SetWanderForm(WanderForm::kWorldAngle);
  EXPECT_EQ(agents.Wander(1), WanderState{.turn = RowOf(2).wander.turn});
}

TEST(AgentColumnsTest, ALargeTableHasLittleRoomToSpare) {
  AgentColumns agents;
  AgentId id = 1;
  for (; id <= 50'000; ++id) agents.Append(PlainRow(id));
  EXPECT_LE(agents.id.capacity(), 50'000u * 5 / 4);
  std::size_t moves = 0;
  const AgentId* at = agents.id.data();
  for (; id <= 200'000; ++id) {
    agents.Append(PlainRow(id));
    if (agents.id.data() != at) ++moves;
    at = agents.id.data();
  }
  EXPECT_LE(moves, 8u);
}

TEST(AgentColumnsTest, GiveBackTheMemoryOfRowsThatAreGone) {
  AgentColumns agents;
  std::vector<AgentId> ids;
  for (AgentId id = 1; id <= 5000; ++id) {
    AppendWithForce(agents, id);
    ids.push_back(id);
  }
  const std::size_t full = agents.targets[0].capacity();
  agents.ReleaseUnused();
  EXPECT_EQ(agents.targets[0].capacity(), full) << "all rows are in use";
  while (agents.size() > 100) {
    agents.Remove(agents.size() - 1);
    ids.pop_back();
  }
  agents.ReleaseUnused();
  EXPECT_LT(agents.targets[0].capacity(), 500u);
  EXPECT_LT(agents.force_z.capacity(), 500u);
  ExpectRows(agents, ids);
}

TEST(AgentColumnsTest, MovesRowsWithEveryColumn) {
  AgentColumns agents;
  for (AgentId id = 1; id <= 6; ++id) AppendWithForce(agents, id);
  std::vector<std::byte> room;
  agents.MoveRows(std::vector<std::uint32_t>{4, 1, 0, 5},
                  std::vector<std::uint32_t>{0, 1, 5, 4}, room);
  ExpectRows(agents, {5, 2, 3, 4, 6, 1});
}

}  // namespace
}  // namespace meander::core
