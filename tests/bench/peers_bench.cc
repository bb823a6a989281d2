// Scenes of ours beside the same, as nearly as they have it, in other
// libraries: by the CPU time of the process that steps them, in turns.
//
//   meander_peers_bench     from the root of the repository
//
// Prints a JSON object a line for the peer, whose baseline is ours, and for
// ours; README.md says what is alike and what is not.

#include <cstdint>
#include <string>

#include "tests/bench/peers.h"
#include "tests/bench/stepped_scene.h"

namespace meander::bench {
namespace {

constexpr char kUnit[] = "ns/agent-step";
constexpr int kPairs = 11;
constexpr int kWarmTicks = 60;
constexpr int kSampleTicks = 5;

template <typename Peer>
void Compare(const std::string& name, const Scene& scene, std::int64_t agents,
             Peer& peer) {
  peer.Step(kWarmTicks);
  SteppedScene ours(scene, {.agents = agents,
                            .warm_ticks = kWarmTicks,
                            .sample_ticks = kSampleTicks,
                            .pairs = kPairs});
  Pairs pairs(std::ref(ours), std::ref(peer));
  for (int i = 0; i < kPairs; ++i) pairs.AddPair();
  const std::string of_ours = Named(scene.name, agents) + "/threads:1";
  Print(
      pairs.OfSubject(Named(name, agents), kUnit, Clock::kProcessCpu, of_ours));
  Figure figure = pairs.OfBaseline(of_ours, kUnit, Clock::kProcessCpu);
  Print(ours.Stamp(figure));
}

float HalfWorld(const Scene& scene, std::int64_t agents) {
  return scene.make(agents).config.bounds_max.x;
}

void Main() {
  constexpr Scene kWander{"wander", Wander, false};
  constexpr Scene kFlock{"flock2d", Flock2d, true};
  constexpr Scene kCrowd{"crowd", Crowd, true};
  for (const std::int64_t agents : {1'000, 10'000}) {
    YukaScene wander("wander", agents, HalfWorld(kWander, agents) / 2.0f,
                     kSampleTicks);
    Compare("yuka/wander", kWander, agents, wander);
    YukaScene flock("flock", agents, HalfWorld(kFlock, agents), kSampleTicks);
    Compare("yuka/flock", kFlock, agents, flock);
  }
  constexpr int kFew = 1'000;
  DetourScene crowd(kFew, HalfWorld(kCrowd, kFew), kSampleTicks);
  Compare("detour_crowd/crowd", kCrowd, kFew, crowd);
}

}  // namespace
}  // namespace meander::bench

int main() {
  meander::bench::Main();
  return 0;
}
