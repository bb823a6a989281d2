#include "tests/core/space/neighbor_scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/math/trig.h"
#include "core/space/neighbor_search.h"
#include "core/space/wrap.h"

namespace meander::core {
namespace {

float Between(std::mt19937& random, float low, float high) {
  const float share = static_cast<float>(random() >> 8) * 0x1p-24f;
  return std::clamp(low + share * (high - low), low, high);
}

std::size_t NumberBelow(std::mt19937& random, std::size_t count) {
  return random() % count;
}

// A place in the bounds; in a world that wraps below the upper face.
Vec3 Inside(const SimulationConfig& config, Vec3 place) {
  const Vec3& low = config.bounds_min;
  const Vec3& high = config.bounds_max;
  place = {std::clamp(place.x, low.x, high.x),
           std::clamp(place.y, low.y, high.y),
           std::clamp(place.z, low.z, high.z)};
  return HeldPlace(config, place);
}

Vec3 RandomPlace(const SimulationConfig& config, std::mt19937& random) {
  Vec3 place;
  place.x = Between(random, config.bounds_min.x, config.bounds_max.x);
  place.y = Between(random, config.bounds_min.y, config.bounds_max.y);
  place.z = Between(random, config.bounds_min.z, config.bounds_max.z);
  return Inside(config, place);
}

// Cells of one coordinate, as the design says it.
float CellsFrom(float place, float low, float size) {
  return (place - low) / size;
}

class IdCollector final : public NeighborVisitor {
 public:
  IdCollector(const NeighborGrid& grid, std::vector<AgentId>& ids)
      : grid_(grid), ids_(ids) {}
  void Visit(const NeighborChunk& chunk) override {
    for (std::size_t i = 0; i < chunk.size; ++i) {
      ids_.push_back(grid_.id[chunk.agent[i]]);
    }
  }

 private:
  const NeighborGrid& grid_;
  std::vector<AgentId>& ids_;
};

}  // namespace

AgentRow& NeighborScene::Add(const Vec3& position, const Vec3& velocity) {
  AgentRow agent;
  agent.id = agents.empty() ? 1 : agents.back().id + 1;
  agent.position = position;
  agent.velocity = velocity;
  agents.push_back(agent);
  archetype_of.push_back(1);
  return agents.back();
}

WorldState StateOf(const NeighborScene& scene,
                   const std::vector<std::size_t>& order) {
  WorldState state;
  state.config = scene.config;
  for (const Archetype& archetype : scene.archetypes) {
    PutArchetype(state, archetype);
  }
  std::vector<std::size_t> spawned = order;
  if (spawned.empty()) {
    spawned.resize(scene.agents.size());
    std::iota(spawned.begin(), spawned.end(), std::size_t{0});
  }
  for (const std::size_t i : spawned) {
    AddAgent(state, scene.archetype_of[i], scene.agents[i]);
  }
  RebuildCaches(state);
  return state;
}

void Rebuild(const WorldState& state, NeighborGrid& grid) {
  SerialFor serial;
  RebuildGrid(state, grid, serial);
}

Archetype FlockArchetype(const Neighborhood& neighborhood, ArchetypeId id) {
  Archetype archetype;
  archetype.id = id;
  archetype.max_speed = 6.0f;
  archetype.max_force = 12.0f;
  archetype.terms = {{.weight = 1.5f, .behavior = Separation{neighborhood}},
                     {.weight = 1.0f, .behavior = Alignment{neighborhood}},
                     {.weight = 1.0f, .behavior = Cohesion{neighborhood}}};
  return archetype;
}

NeighborScene RandomScene(std::mt19937& random) {
  NeighborScene scene;
  SimulationConfig& config = scene.config;
  config.plane = static_cast<Plane>(NumberBelow(random, 4));
  config.bounds_mode = static_cast<BoundsMode>(NumberBelow(random, 3));
  const float size =
      std::ldexp(1.0f, static_cast<int>(NumberBelow(random, 13)));
  const float at = Between(random, -8000.0f, 8000.0f);
  config.bounds_min = {at, -at / 2, at / 3};
  config.bounds_max = {at + size, size * 1.25f - at / 2, at / 3 + size * 1.5f};
  config.cell_size = std::max(
      kMinCellSize,
      size * std::ldexp(1.0f, -static_cast<int>(NumberBelow(random, 9))));
  config = Normalized(config);
  const std::size_t agents = 2 + NumberBelow(random, 90);
  for (std::size_t i = 0; i < agents; ++i) {
    Vec3 place = RandomPlace(config, random);
    const std::size_t kind = NumberBelow(random, 8);
    if (kind < 3 && i > 0) {  // near another, or just where it is
      const Vec3& other = scene.agents[NumberBelow(random, i)].position;
      const float step = kind == 0 ? 0.0f : config.cell_size;
      place.x = other.x + Between(random, -step, step);
      place.y = other.y + Between(random, -step, step);
      place.z = other.z + Between(random, -step, step);
    } else if (kind == 3) {
      place.x = config.bounds_max.x;
    } else if (kind == 4) {
      place.y = std::nextafter(config.bounds_max.y, config.bounds_min.y);
      place.z = config.bounds_min.z;
    }
    Vec3 velocity;
    if (NumberBelow(random, 4) != 0) {
      velocity.x = Between(random, -5.0f, 5.0f);
      velocity.y = Between(random, -5.0f, 5.0f);
      velocity.z = Between(random, -5.0f, 5.0f);
    }
    AgentRow& agent =
        scene.Add(Inside(config, place), Flatten(velocity, config.plane));
    agent.groups = NumberBelow(random, 3) == 0
                       ? static_cast<std::uint32_t>(random() % 8)
                       : 1;
    agent.id += static_cast<AgentId>(NumberBelow(random, 2) * 1000);
  }
  return scene;
}

Neighborhood RandomNeighborhood(const NeighborScene& scene,
                                std::mt19937& random) {
  const SimulationConfig& config = scene.config;
  const float size =
      config.bounds_max.x - config.bounds_min.x +
      (config.plane == Plane::kYZ ? config.bounds_max.y - config.bounds_min.y
                                  : 0.0f);
  Neighborhood result;
  switch (NumberBelow(random, 4)) {
    case 0:
      result.radius = config.cell_size;
      break;
    case 1:
      result.radius = size * 0.5f;
      break;
    default:
      result.radius = size * Between(random, 0.0f, 0.5f);
      break;
  }
  result.radius = std::min(result.radius, size * 0.5f);
  if (NumberBelow(random, 3) == 0) {
    result.field_of_view = Between(random, 0.0f, kMaxFieldOfView);
  }
  if (NumberBelow(random, 3) == 0) {
    result.neighbor_groups = static_cast<std::uint32_t>(random() % 8);
  }
  if (NumberBelow(random, 3) == 0) {
    result.max_neighbors = static_cast<std::int32_t>(NumberBelow(random, 100));
  }
  return result;
}

std::vector<std::size_t> CanonicalOrder(const NeighborScene& scene) {
  const SimulationConfig& config = scene.config;
  const auto key = [&](std::size_t i) {
    const AgentRow& agent = scene.agents[i];
    const Vec3& p = agent.position;
    const Vec3& low = config.bounds_min;
    const float size = config.cell_size;
    const float x = CellsFrom(p.x, low.x, size);
    const float y = CellsFrom(p.y, low.y, size);
    const float z = CellsFrom(p.z, low.z, size);
    const auto of = [&agent](float across, float up, float depth) {
      return std::tuple(std::floor(depth), std::floor(up),
                        std::floor(4.0f * across), agent.id);
    };
    switch (config.plane) {
      case Plane::kXY:
        return of(x, y, 0.0f);
      case Plane::kXZ:
        return of(x, z, 0.0f);
      case Plane::kYZ:
        return of(y, z, 0.0f);
      case Plane::kNone:
        break;
    }
    return of(x, y, z);
  };
  std::vector<std::size_t> order(scene.agents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

std::vector<Neighbor> NeighborsByBruteForce(
    const NeighborScene& scene, const std::vector<std::size_t>& order,
    std::size_t agent, const Neighborhood& neighborhood) {
  const AgentRow& self = scene.agents[agent];
  const Wrap wrap = WrapOf(scene.config);
  const float speed = Length(self.velocity);
  const bool all_round = !neighborhood.field_of_view ||
                         *neighborhood.field_of_view == kMaxFieldOfView ||
                         LengthSquared(self.velocity) == 0.0f;
  std::vector<Neighbor> found;
  for (const std::size_t i : order) {
    const AgentRow& other = scene.agents[i];
    if (i == agent || (other.groups & neighborhood.neighbor_groups) == 0) {
      continue;
    }
    const Vec3 offset = Delta(wrap, self.position, other.position);
    const float squared = LengthSquared(offset);
    if (squared > neighborhood.radius * neighborhood.radius) continue;
    if (!all_round && Dot(self.velocity, offset) <
                          SinCos(*neighborhood.field_of_view / 2.0f).cos *
                              (speed * std::sqrt(squared))) {
      continue;
    }
    found.push_back({i, offset, squared});
  }
  const auto most = static_cast<std::size_t>(neighborhood.max_neighbors);
  if (most == 0 || found.size() <= most) return found;
  std::vector<Neighbor> nearest = found;
  std::sort(nearest.begin(), nearest.end(),
            [&](const Neighbor& a, const Neighbor& b) {
              return std::tuple(a.squared, scene.agents[a.index].id) <
                     std::tuple(b.squared, scene.agents[b.index].id);
            });
  nearest.resize(most);
  std::erase_if(found, [&](const Neighbor& neighbor) {
    return std::none_of(
        nearest.begin(), nearest.end(),
        [&](const Neighbor& kept) { return kept.index == neighbor.index; });
  });
  return found;
}

std::vector<std::vector<AgentId>> FoundNeighbors(
    const NeighborGrid& grid, const Neighborhood& neighborhood) {
  const NeighborQuery query(grid, neighborhood);
  NeighborSearch search(grid, 0, grid.size());
  std::vector<std::vector<AgentId>> found(grid.size());
  for (std::size_t agent = 0; agent < grid.size(); ++agent) {
    IdCollector collector(grid, found[agent]);
    search.ForEachNeighbor(agent, query, collector);
  }
  return found;
}

}  // namespace meander::core
