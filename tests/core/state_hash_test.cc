#include "core/state_hash.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/archetype.h"
#include "core/codec/snapshot.h"
#include "core/world.h"
#include "core/world_state.h"
#include "gtest/gtest.h"
#include "tests/core/different_behaviors.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

// 600 agents of three archetypes after 20 ticks, some targets set. Those of
// archetype 2 wander by a heading offset, those of 3 on a sphere.
WorldState SampleState() {
  TestWorld world;
  Archetype stroller = WandererArchetype(2);
  stroller.terms[0].behavior = WanderHeadingOffset{2.0f, 3.0f, 8.0f};
  Archetype sphere = WandererArchetype(3);
  sphere.terms[0].behavior = WanderSpherical{2.0f, 3.0f, 8.0f};
  world.Submit(DefineArchetype{stroller});
  world.Submit(DefineArchetype{SeekerArchetype(1)});
  world.Submit(DefineArchetype{sphere});
  NewAgent prototype = AgentAt({}, 1);
  prototype.targets = {PointTarget({1, 2, 3}), AgentTarget(5), Target{},
                       PointTarget({-1, 0, 0})};
  prototype.tag = 0x8000000000000001u;
  world.Submit(SpawnAgents{AreaPlacement{300, prototype, Ball{{}, 90.0f}}});
  prototype.archetype_id = 2;
  world.Submit(SpawnAgents{AreaPlacement{200, prototype, Ball{{}, 90.0f}}}, 3);
  prototype.archetype_id = 3;
  world.Submit(SpawnAgents{AreaPlacement{100, prototype, Ball{{}, 90.0f}}}, 3);
  world.StepTo(20);
  return world.world().state();
}

template <typename T>
void FlipBit(T& value, std::size_t bit) {
  static_assert(std::is_arithmetic_v<T>);
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ 1u << bit % 8);
  std::memcpy(&value, bytes, sizeof(T));
}

// Every word of one agent's state: name, bits, and what flips one of them.
struct Word {
  std::string name;
  std::size_t bits;
  std::function<void(AgentColumns&, std::size_t row, std::size_t bit)> flip;
};

template <typename T>
Word ColumnWord(std::string name, Column<T> AgentColumns::*column) {
  return {std::move(name), 8 * sizeof(T),
          [column](AgentColumns& agents, std::size_t row, std::size_t bit) {
            FlipBit((agents.*column)[row], bit);
          }};
}

std::vector<Word> WordsOfAnAgent() {
  using C = AgentColumns;
  std::vector<Word> words{ColumnWord("position x", &C::position_x),
                          ColumnWord("position y", &C::position_y),
                          ColumnWord("position z", &C::position_z),
                          ColumnWord("velocity x", &C::velocity_x),
                          ColumnWord("velocity y", &C::velocity_y),
                          ColumnWord("velocity z", &C::velocity_z),
                          ColumnWord("facing x", &C::facing_x),
                          ColumnWord("facing y", &C::facing_y),
                          ColumnWord("facing z", &C::facing_z),
                          ColumnWord("groups", &C::groups),
                          ColumnWord("seed", &C::seed),
                          ColumnWord("tag", &C::tag),
                          ColumnWord("spawn tick", &C::spawn_tick)};
  for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
    const auto add = [&](std::string name, std::size_t bits, auto flip) {
      words.push_back(
          {"slot " + std::to_string(slot) + " " + name, bits,
           [slot, flip](C& agents, std::size_t row, std::size_t bit) {
             PackedTarget target = agents.TargetAt(row, slot);
             flip(target, bit);
             agents.SetTarget(row, slot, target);
           }});
    };
    // The kind, and whether the loss was told.
    add("head", 9, [](PackedTarget& t, std::size_t b) { FlipBit(t.head, b); });
    for (std::size_t word = 0; word < 3; ++word) {
      add("word " + std::to_string(word), 32,
          [word](PackedTarget& t, std::size_t b) {
            FlipBit(t.words[word], b);
          });
    }
  }
  return words;
}

// Those that a form of wander has.
std::vector<Word> WordsOfAForm(WanderForm form) {
  using C = AgentColumns;
  switch (form) {
    case WanderForm::kNone:
      return {};
    case WanderForm::kWorldAngle:
      return {ColumnWord("turn", &C::wander_turn)};
    case WanderForm::kSpherical:
      return {ColumnWord("turn", &C::wander_turn),
              ColumnWord("elevation", &C::wander_elevation)};
    case WanderForm::kHeadingOffset:
      break;
  }
  return {ColumnWord("offset x", &C::wander_offset_x),
          ColumnWord("offset y", &C::wander_offset_y),
          ColumnWord("offset z", &C::wander_offset_z),
          ColumnWord("heading x", &C::wander_heading_x),
          ColumnWord("heading y", &C::wander_heading_y),
          ColumnWord("heading z", &C::wander_heading_z)};
}

// The hash of a state whose columns were changed past the functions that do.
StateHash FreshHash(const WorldState& state) {
  return HashOf(World(state).state());
}

// Names of the buckets that differ.
std::vector<std::size_t> DifferentBuckets(const StateHash& a,
                                          const StateHash& b) {
  std::vector<std::size_t> different;
  for (std::size_t i = 0; i < kHashBuckets; ++i) {
    if (a.buckets[i] != b.buckets[i]) different.push_back(i);
  }
  return different;
}

TEST(StateHashTest, EveryBitOfAnAgentChangesItsBucketAlone) {
  WorldState state = SampleState();
  const StateHash before = HashOf(state);
  ASSERT_EQ(FreshHash(state), before);
  std::set<std::uint64_t> values{before.value};
  std::size_t flips = 0;
  for (const AgentId id : {1, 255, 256, 257, 400, 600}) {
    const AgentLocation at = *state.index.Find(id);
    Population& population = state.populations[at.population];
    AgentColumns& agents = population.agents;
    std::vector<Word> words = WordsOfAnAgent();
    for (Word& word : WordsOfAForm(WanderFormOf(population.archetype))) {
      words.push_back(std::move(word));
    }
    for (const Word& word : words) {
      for (std::size_t bit = 0; bit < word.bits; ++bit) {
        word.flip(agents, at.row, bit);
        const StateHash after = FreshHash(state);
        EXPECT_EQ(DifferentBuckets(before, after),
                  std::vector<std::size_t>{static_cast<std::size_t>(id & 255)})
            << word.name << " bit " << bit << " of agent " << id;
        EXPECT_NE(after.value, before.value) << word.name << " bit " << bit;
        values.insert(after.value);
        ++flips;
        word.flip(agents, at.row, bit);
      }
    }
  }
  EXPECT_EQ(flips, 6u * (10 * 32 + 3 * 64 + 4 * (9 + 3 * 32)) + 32u * (6 + 2));
  EXPECT_EQ(values.size(), flips + 1) << "and no two change it alike";
  EXPECT_EQ(FreshHash(state), before);
}

// All of its agents hold 0 there.
TEST(StateHashTest, AColumnThatIsNotThereCountsAsZeros) {
  WorldState state = SampleState();
  AgentColumns& agents = state.FindPopulation(1)->agents;
  ASSERT_TRUE(agents.targets[2].empty());
  ASSERT_TRUE(agents.wander_turn.empty());
  const StateHash before = HashOf(state);
  agents.targets[2].resize(agents.size());
  agents.SetWanderForm(WanderForm::kSpherical);
  EXPECT_EQ(FreshHash(state), before);
  agents.SetWanderForm(WanderForm::kHeadingOffset);
  EXPECT_EQ(FreshHash(state), before);
}

// Commands, events and steps of all kinds.
TEST(StateHashTest, TheSumsOfColdMixesFollowEachChange) {
  TestWorld world;
  Archetype stroller = WandererArchetype(2);
  stroller.terms.push_back({.behavior = Seek{.slot = 1}});
  world.Submit(DefineArchetype{SeekerArchetype(1)});
  world.Submit(DefineArchetype{stroller});
  NewAgent prototype = AgentAt({}, 1);
  prototype.targets[0] = AgentTarget(5);
  world.Submit(SpawnAgents{AreaPlacement{700, prototype, Ball{{}, 90.0f}}});
  prototype.archetype_id = 2;
  prototype.tag = 3;
  prototype.groups = 6;
  world.Submit(SpawnAgents{AreaPlacement{100, prototype, Ball{{}, 90.0f}}}, 3);
  world.Submit(SetTarget{{1, 2, 500}, 1, PointTarget({1, 2, 3})}, 4);
  world.Submit(SetTarget{{1, 2}, 1, Target{}}, 5);
  world.Submit(SetArchetype{{1, 7, 9, 750}, 2}, 6);
  world.Submit(SetArchetype{{7, 750}, 1}, 7);
  world.Submit(DespawnAgents{{5, 1, 700, 800}}, 8);
  world.Submit(SetMotion{{{.agent_id = 2, .position = Vec3{1, 1, 1}}}}, 9);
  world.Submit(DefineArchetype{WandererArchetype(1)}, 10);
  bool told = false;
  BucketSums before{};
  std::size_t changes = 0;
  while (world.world().tick() < 12) {
    world.Step();
    const WorldState& state = world.world().state();
    EXPECT_EQ(state.cold_sums, SumColdMixes(state)) << "tick " << state.tick;
    told = told || !state.events.empty();
    if (state.cold_sums != before) ++changes;
    before = state.cold_sums;
  }
  EXPECT_TRUE(told);
  EXPECT_EQ(changes, 7u);
}

TEST(StateHashTest, TheIdAndTheArchetypeOfAnAgentCount) {
  AgentRow row;
  row.id = 7;
  const auto hash = [&row](ArchetypeId archetype) {
    WorldState state;
    PutArchetype(state, SeekerArchetype(1));
    PutArchetype(state, SeekerArchetype(2));
    AddAgent(state, archetype, row);
    Settle(state);
    return HashOf(state);
  };
  const StateHash seven = hash(1);
  EXPECT_EQ(DifferentBuckets(seven, hash(2)), std::vector<std::size_t>{7});
  row.id = 8;
  EXPECT_EQ(DifferentBuckets(seven, hash(1)), (std::vector<std::size_t>{7, 8}));
  // In the same bucket.
  row.id = 7 + 256;
  EXPECT_EQ(DifferentBuckets(seven, hash(1)), std::vector<std::size_t>{7});
  row.id = 7 + (AgentId{1} << 32);
  EXPECT_EQ(DifferentBuckets(seven, hash(1)), std::vector<std::size_t>{7});
}

TEST(StateHashTest, AgentsThatExchangeTheirStatesAreNoticed) {
  WorldState state = SampleState();
  const StateHash before = HashOf(state);
  // Of one bucket, so that a sum of sums would not notice.
  const AgentLocation one = *state.index.Find(20);
  const AgentLocation other = *state.index.Find(20 + 256);
  ASSERT_EQ(one.population, other.population);
  AgentColumns& agents = state.populations[one.population].agents;
  std::swap(agents.position_x[one.row], agents.position_x[other.row]);
  EXPECT_NE(HashOf(state).value, before.value);
  EXPECT_EQ(DifferentBuckets(before, HashOf(state)),
            std::vector<std::size_t>{20});
}

TEST(StateHashTest, TheValueIsTheSumOfTheBucketsAndOfWhatIsGlobal) {
  const WorldState state = SampleState();
  const StateHash hash = HashOf(state);
  // The same without agents: what is global alone.
  WorldState empty;
  empty.config = state.config;
  empty.seed = state.seed;
  empty.tick = state.tick;
  for (const Population& population : state.populations) {
    PutArchetype(empty, population.archetype);
  }
  const StateHash globals = HashOf(World(empty).state());
  EXPECT_EQ(globals.buckets, StateHash{}.buckets);
  EXPECT_EQ(hash.value, std::accumulate(hash.buckets.begin(),
                                        hash.buckets.end(), globals.value));
  // Of which this is the tick's part.
  WorldState bare;
  bare.tick = state.tick;
  EXPECT_EQ(globals.value, HashOf(bare).value +
                               MixConfig(state.config, state.seed) +
                               MixArchetype(state.populations[0].archetype) +
                               MixArchetype(state.populations[1].archetype) +
                               MixArchetype(state.populations[2].archetype));
}

TEST(StateHashTest, BucketsAreSumsOverAgents) {
  WorldState both;
  WorldState first;
  WorldState second;
  const auto add = [](WorldState& state, AgentId id) {
    AgentRow row;
    row.id = id;
    row.position = {static_cast<float>(id), 0, 0};
    AddAgent(state, 1, row);
  };
  for (WorldState* state : {&both, &first, &second}) {
    PutArchetype(*state, SeekerArchetype());
  }
  add(both, 3);
  add(both, 3 + 256);
  add(first, 3);
  add(second, 3 + 256);
  for (WorldState* state : {&both, &first, &second}) Settle(*state);
  EXPECT_EQ(HashOf(both).buckets[3],
            HashOf(first).buckets[3] + HashOf(second).buckets[3]);
}

// The hash of a world with one thing changed, from which caches are made anew.
template <typename Change>
StateHash HashWith(Change change) {
  WorldState state;
  state.config = SmallConfig();
  state.seed = 5;
  state.tick = 9;
  PutArchetype(state, SeekerArchetype(1));
  PutArchetype(state, WandererArchetype(2));
  change(state);
  return HashOf(World(std::move(state)).state());
}

TEST(StateHashTest, EveryBitOfTickAndSeedCounts) {
  const auto nothing = [](WorldState&) {};
  std::set<std::uint64_t> values{HashWith(nothing).value};
  for (std::size_t bit = 0; bit < 64; ++bit) {
    values.insert(HashWith([=](auto& s) { FlipBit(s.tick, bit); }).value);
    values.insert(HashWith([=](auto& s) { FlipBit(s.seed, bit); }).value);
  }
  EXPECT_EQ(values.size(), 129u);
}

TEST(StateHashTest, EveryFieldOfTheConfigCounts) {
  std::set<std::uint64_t> values;
  std::size_t changes = 0;
  const auto change = [&](auto set) {
    values.insert(HashWith([&](WorldState& s) { set(s.config); }).value);
    ++changes;
  };
  using Config = SimulationConfig;
  change([](Config&) {});
  change([](Config& c) { c.tick_rate_hz = 61; });
  change([](Config& c) { c.plane = Plane::kXY; });
  change([](Config& c) { c.plane = Plane::kXZ; });
  change([](Config& c) { c.plane = Plane::kYZ; });
  change([](Config& c) { c.bounds_mode = BoundsMode::kOpen; });
  change([](Config& c) { c.bounds_mode = BoundsMode::kWrap; });
  change([](Config& c) { c.max_agents += 1; });
  change([](Config& c) { c.cell_size += 1; });
  for (float Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    for (std::size_t bit = 0; bit < 23; ++bit) {
      change([=](Config& c) { FlipBit(c.bounds_min.*axis, bit); });
      change([=](Config& c) { FlipBit(c.bounds_max.*axis, bit); });
    }
  }
  EXPECT_EQ(values.size(), changes);
}

TEST(StateHashTest, EveryFieldOfAnArchetypeCounts) {
  std::set<std::uint64_t> values;
  std::size_t changes = 0;
  const auto change = [&](auto set) {
    values.insert(HashWith([&](WorldState& s) {
                    Archetype archetype = s.populations[1].archetype;
                    set(archetype);
                    PutArchetype(s, archetype);
                  }).value);
    ++changes;
  };
  change([](Archetype&) {});
  change([](Archetype& a) { a.max_speed += 1; });
  change([](Archetype& a) { a.max_force += 1; });
  change([](Archetype& a) { a.mass += 1; });
  change([](Archetype& a) { a.overspeed_time_constant = 1; });
  change([](Archetype& a) { a.combine = Combine::kPriorityBudget; });
  change([](Archetype& a) { a.combine = Combine::kFirstNonzero; });
  change([](Archetype& a) { a.limit_each_term = true; });
  change([](Archetype& a) { a.force_plane = Plane::kXY; });
  change([](Archetype& a) { a.force_plane = Plane::kXZ; });
  change([](Archetype& a) { a.force_plane = Plane::kYZ; });
  change([](Archetype& a) { a.facing = Facing{}; });
  change([](Archetype& a) { a.facing = Facing{0.0f, 0.0f}; });
  change([](Archetype& a) { a.facing = Facing{1.0f}; });
  change([](Archetype& a) { a.terms.clear(); });
  change([](Archetype& a) {
    a.terms.clear();
    a.external = true;
  });
  change([](Archetype& a) { a.terms.push_back({1.0f, Seek{0}}); });
  change([](Archetype& a) { a.terms.insert(a.terms.begin(), Term{}); });
  change([](Archetype& a) { a.terms[0].weight = -1.0f; });
  change([](Archetype& a) { a.terms[0].gain = -1.0f; });
  change([](Archetype& a) { a.terms[0].level = 1; });
  for (const Behavior& behavior : DifferentBehaviors()) {
    change([&](Archetype& a) { a.terms[0].behavior = behavior; });
  }
  // One more archetype, and one whose number is another.
  values.insert(
      HashWith([](auto& s) { PutArchetype(s, SeekerArchetype(3)); }).value);
  values.insert(
      HashWith([](auto& s) { PutArchetype(s, WandererArchetype(3)); }).value);
  EXPECT_EQ(values.size(), changes + 2);
}

TEST(StateHashTest, AnArchetypeThatIsDefinedAgainCountsOnce) {
  const StateHash plain = HashWith([](auto&) {});
  EXPECT_EQ(plain, HashWith([](WorldState& s) {
              PutArchetype(s, WandererArchetype(1));
              PutArchetype(s, SeekerArchetype(1));
            }));
}

TEST(StateHashTest, AnArchetypeThatIsRemovedCountsNoMore) {
  const StateHash plain = HashWith([](auto&) {});
  EXPECT_EQ(plain, HashWith([](WorldState& s) {
              PutArchetype(s, SeekerArchetype(7));
              DropArchetype(s, 7);
            }));
  EXPECT_EQ(plain, HashWith([](WorldState& s) {
              DropArchetype(s, 1);
              PutArchetype(s, WandererArchetype(9));
              PutArchetype(s, SeekerArchetype(1));
              DropArchetype(s, 9);
            }));
  EXPECT_NE(plain, HashWith([](WorldState& s) { DropArchetype(s, 1); }));
}

TEST(StateHashTest, TheTickCountsInTheValueAlone) {
  WorldState state = SampleState();
  const StateHash before = HashOf(state);
  state.tick += 1;
  const StateHash after = HashOf(state);
  EXPECT_NE(after.value, before.value);
  EXPECT_EQ(after.buckets, before.buckets);
}

TEST(StateHashTest, BoundStopsAndColdVersionDoNotCount) {
  WorldState state = SampleState();
  const StateHash before = HashOf(state);
  state.bound_stops += 1;
  state.cold_version += 1;
  EXPECT_EQ(HashOf(state), before);
}

TEST(StateHashTest, ForcesOfTheLastStepDoNotCount) {
  WorldState state = SampleState();
  const StateHash before = HashOf(state);
  for (Population& population : state.populations) {
    population.agents.BringForces();
    for (float& force : population.agents.force_x) force = 1.0f;
  }
  EXPECT_EQ(HashOf(state), before);
}

TEST(StateHashTest, TheOrderOfRowsDoesNotCount) {
  WorldState state = SampleState();
  const StateHash before = HashOf(state);
  for (std::uint32_t p = 0; p < state.populations.size(); ++p) {
    AgentColumns& agents = state.populations[p].agents;
    const auto rows = static_cast<std::uint32_t>(agents.size());
    for (std::uint32_t row = 0; row < rows / 2; ++row) {
      const std::uint32_t other = rows - 1 - row;
      agents.Swap(row, other);
      state.index.Move(agents.id[row], {p, row});
      state.index.Move(agents.id[other], {p, other});
    }
  }
  EXPECT_EQ(HashOf(state), before);
}

TEST(StateHashTest, TheOrderOfDefinitionDoesNotCount) {
  const auto hash = [](std::vector<ArchetypeId> order) {
    WorldState state;
    for (const ArchetypeId id : order) {
      PutArchetype(state, SeekerArchetype(id));
    }
    for (AgentId id = 1; id <= 300; ++id) {
      AgentRow row;
      row.id = id;
      AddAgent(state, static_cast<ArchetypeId>(1 + id % 3), row);
    }
    Settle(state);
    return HashOf(state);
  };
  EXPECT_EQ(hash({1, 2, 3}), hash({3, 1, 2}));
}

TEST(StateHashTest, TheCutIntoBlocksDoesNotCount) {
  WorldState state = SampleState();
  const StateHash before = HashOf(state);
  state.blocks.clear();
  for (std::uint32_t p = 0; p < state.populations.size(); ++p) {
    const auto rows =
        static_cast<std::uint32_t>(state.populations[p].agents.size());
    for (std::uint32_t row = 0; row < rows; ++row) {
      state.blocks.push_back({p, row, 1});
    }
  }
  EXPECT_EQ(HashOf(state), before);
}

TEST(StateHashTest, WhereAdmissionStandsDoesNotCount) {
  TestWorld one;
  TestWorld other;
  for (TestWorld* world : {&one, &other}) {
    world->Submit(DefineArchetype{WandererArchetype()});
    world->Submit(Spawn({NewAgent{}}));
    world->Step();
  }
  other.Submit(Spawn({AgentAt({}, 9)}));  // refused at its tick
  other.Submit(DespawnAgents{{1}}, 100);  // pending
  one.Step();
  other.Step();
  EXPECT_NE(one.admission().next_agent_id, other.admission().next_agent_id);
  EXPECT_EQ(one.Hash(), other.Hash());
}

}  // namespace
}  // namespace meander::core
