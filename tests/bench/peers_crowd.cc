#include <recastnavigation/DetourCrowd.h>
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/DetourNavMeshQuery.h>

#include <array>
#include <cstdint>
#include <random>

#include "tests/bench/peers.h"

namespace meander::bench {
namespace {

constexpr float kAgentRadius = 0.3f;
constexpr float kHeight = 2.0f;
constexpr int kVertices = 6;  // room of a polygon
constexpr unsigned short kNone = 0xffff;

using Point = std::array<float, 3>;

Point PlaceIn(float half_world, std::mt19937& random) {
  std::uniform_real_distribution<float> along(-half_world, half_world);
  const float x = along(random);
  return {x, 0.0f, along(random)};
}

}  // namespace

void DetourScene::FreeGround::operator()(dtNavMesh* ground) const {
  dtFreeNavMesh(ground);
}

void DetourScene::FreeCrowd::operator()(dtCrowd* crowd) const {
  dtFreeCrowd(crowd);
}

DetourScene::DetourScene(int agents, float half_world, int sample_ticks)
    : agents_(agents), sample_ticks_(sample_ticks) {
  MakeGround(half_world);
  AddAgents(half_world);
}

DetourScene::~DetourScene() = default;

// One square polygon, a little larger than where agents are.
void DetourScene::MakeGround(float half_world) {
  const float half = half_world + 1.0f;
  const auto side = static_cast<unsigned short>(2.0f * half / 0.25f);
  const std::array<unsigned short, 12> vertices{0,    0, 0,    0,    0, side,
                                                side, 0, side, side, 0, 0};
  std::array<unsigned short, 2UL * kVertices> polygon;
  polygon.fill(kNone);
  for (unsigned short i = 0; i < 4; ++i) polygon[i] = i;
  const unsigned short flags = 1;
  const unsigned char area = 0;
  dtNavMeshCreateParams params{};
  params.verts = vertices.data();
  params.vertCount = 4;
  params.polys = polygon.data();
  params.polyFlags = &flags;
  params.polyAreas = &area;
  params.polyCount = 1;
  params.nvp = kVertices;
  for (const int axis : {0, 2}) {
    params.bmin[axis] = -half;
    params.bmax[axis] = half;
  }
  params.bmax[1] = kHeight;
  params.walkableHeight = kHeight;
  params.walkableRadius = kAgentRadius;
  params.walkableClimb = 0.5f;
  params.cs = 0.25f;
  params.ch = 0.25f;
  params.buildBvTree = true;
  unsigned char* data = nullptr;
  int size = 0;
  if (!dtCreateNavMeshData(&params, &data, &size)) Fail("no navigation mesh");
  ground_.reset(dtAllocNavMesh());
  if (dtStatusFailed(ground_->init(data, size, DT_TILE_FREE_DATA))) {
    Fail("no navigation mesh");
  }
}

// Each is on its way to a place of its own.
void DetourScene::AddAgents(float half_world) {
  crowd_.reset(dtAllocCrowd());
  if (!crowd_->init(agents_, kAgentRadius, ground_.get())) Fail("no crowd");
  dtCrowdAgentParams params{};
  params.radius = kAgentRadius;
  params.height = kHeight;
  params.maxAcceleration = 12.0f;
  params.maxSpeed = 6.0f;
  params.collisionQueryRange = 5.0f;
  params.pathOptimizationRange = 30.0f * kAgentRadius;
  params.separationWeight = 1.5f;
  params.updateFlags = DT_CROWD_SEPARATION;
  std::mt19937 random(1);
  for (int i = 0; i < agents_; ++i) {
    const Point from = PlaceIn(half_world, random);
    const Point to = PlaceIn(half_world, random);
    const int agent = crowd_->addAgent(from.data(), &params);
    dtPolyRef polygon = 0;
    Point nearest{};
    crowd_->getNavMeshQuery()->findNearestPoly(
        to.data(), crowd_->getQueryHalfExtents(), crowd_->getFilter(0),
        &polygon, nearest.data());
    if (agent < 0 || polygon == 0 ||
        !crowd_->requestMoveTarget(agent, polygon, nearest.data())) {
      Fail("an agent does not stand on the ground");
    }
  }
}

Times DetourScene::Step(int ticks) {
  return Measured(static_cast<double>(agents_) * ticks, [&] {
    for (int i = 0; i < ticks; ++i) crowd_->update(1.0f / 60.0f, nullptr);
  });
}

}  // namespace meander::bench
