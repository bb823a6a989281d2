// Other libraries' crowds, stepped like a SteppedScene: README.md says what is
// alike and what is not.
#ifndef MEANDER_TESTS_BENCH_PEERS_H_
#define MEANDER_TESTS_BENCH_PEERS_H_

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "tests/bench/pairs.h"

class dtCrowd;
class dtNavMesh;

namespace meander::bench {

// peers_yuka.mjs in a Node.js of its own.
class YukaScene {
 public:
  // `scene` is "wander" or "flock"; agents start within half_world of 0.
  YukaScene(const std::string& scene, std::int64_t agents, float half_world,
            int sample_ticks);
  // Waits until Node.js has ended.
  ~YukaScene();
  YukaScene(const YukaScene&) = delete;
  YukaScene& operator=(const YukaScene&) = delete;

  // One agent-step of so many ticks: the peer's CPU time, and of the wall.
  Times Step(int ticks);
  Times operator()() { return Step(sample_ticks_); }

 private:
  const std::int64_t agents_;
  const int sample_ticks_;
  pid_t node_ = -1;
  std::FILE* orders_ = nullptr;
  std::FILE* answers_ = nullptr;
};

// DetourCrowd on one flat square.
class DetourScene {
 public:
  DetourScene(int agents, float half_world, int sample_ticks);
  ~DetourScene();
  DetourScene(const DetourScene&) = delete;
  DetourScene& operator=(const DetourScene&) = delete;

  Times Step(int ticks);
  Times operator()() { return Step(sample_ticks_); }

 private:
  void MakeGround(float half_world);
  void AddAgents(float half_world);

  const int agents_;
  const int sample_ticks_;
  struct FreeGround {
    void operator()(dtNavMesh* ground) const;
  };
  struct FreeCrowd {
    void operator()(dtCrowd* crowd) const;
  };
  std::unique_ptr<dtNavMesh, FreeGround> ground_;
  std::unique_ptr<dtCrowd, FreeCrowd> crowd_;
};

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_PEERS_H_
