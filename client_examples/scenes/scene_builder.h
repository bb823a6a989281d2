// What scenes are written with: archetypes and areas as protobuf text, and
// commands that name agents by the ids they will have.
//
// Text that is not valid ends the program: it is ours. Single-threaded.
#ifndef MEANDER_CLIENT_EXAMPLES_SCENES_SCENE_BUILDER_H_
#define MEANDER_CLIENT_EXAMPLES_SCENES_SCENE_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "client_examples/scenes/scene.h"

namespace meander::scenes {

using Ids = std::vector<std::int64_t>;

// A simulation as large as the camera's rectangle; what leaves it comes back.
inline constexpr char kTorus[] =
    "plane: PLANE_XY bounds { min { x: -64 y: -32 } max { x: 64 y: 32 } "
    "mode: BOUNDS_MODE_WRAP }";

// `simulation` is a SimulationConfig as text.
Scene NewScene(const char* name, const char* summary, std::int64_t ticks,
               const std::string& simulation);

// Defines the archetype at the first tick, with the next free id. `kind` is
// what agents that are spawned with it are called; "" for one that none is.
std::int32_t Define(Scene& scene, const std::string& kind,
                    const std::string& archetype);

// `prototype` and `area` are a NewAgent and a part of an AreaPlacement as text.
Ids SpawnIn(Scene& scene, std::int64_t tick, std::int64_t count,
            std::int32_t archetype, const std::string& prototype,
            const std::string& area);
// The archetype of those that name none.
Ids SpawnThese(Scene& scene, std::int64_t tick, std::int32_t archetype,
               std::vector<v1::NewAgent> agents);
v1::NewAgent At(const Point& position, const Point& velocity = {});

void AimAtPoint(Scene& scene, std::int64_t tick, const Ids& ids,
                std::int32_t slot, const Point& point);
void AimAtAgent(Scene& scene, std::int64_t tick, const Ids& ids,
                std::int32_t slot, std::int64_t agent);

// A command that applies at the tick.
v1::Command& AddCommand(Scene& scene, std::int64_t tick);
void Fill(const Ids& ids, google::protobuf::RepeatedField<std::int64_t>& out);

v1::Vec3 ToVec3(const Point& point);
// So long, at an angle in turns: 0 along x, a quarter along y.
Point OnCircle(double radius, double turns);
Point Plus(const Point& a, const Point& b);

}  // namespace meander::scenes

#endif  // MEANDER_CLIENT_EXAMPLES_SCENES_SCENE_BUILDER_H_
