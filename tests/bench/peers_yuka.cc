#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "tests/bench/peers.h"

namespace meander::bench {

YukaScene::YukaScene(const std::string& scene, std::int64_t agents,
                     float half_world, int sample_ticks)
    : agents_(agents), sample_ticks_(sample_ticks) {
  std::array<int, 2> orders{};
  std::array<int, 2> answers{};
  if (pipe(orders.data()) != 0 || pipe(answers.data()) != 0) Fail("pipe");
  const std::string agents_text = std::to_string(agents);
  const std::string half_text = std::to_string(half_world);
  node_ = fork();
  if (node_ < 0) Fail("fork");
  if (node_ == 0) {
    dup2(orders[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    for (const int end : {orders[0], orders[1], answers[0], answers[1]}) {
      close(end);
    }
    execlp("node", "node", "tests/bench/peers_yuka.mjs", scene.c_str(),
           agents_text.c_str(), half_text.c_str(), nullptr);
    _exit(127);
  }
  close(orders[0]);
  close(answers[1]);
  orders_ = fdopen(orders[1], "w");
  answers_ = fdopen(answers[0], "r");
}

YukaScene::~YukaScene() {
  std::fclose(orders_);
  std::fclose(answers_);
  waitpid(node_, nullptr, 0);
}

Times YukaScene::Step(int ticks) {
  std::fprintf(orders_, "%d\n", ticks);
  std::fflush(orders_);
  double cpu = 0.0;
  double wall = 0.0;
  if (std::fscanf(answers_, "%lf %lf", &cpu, &wall) != 2) {
    Fail("Yuka gave no answer; `.ci/setup peers` installs it");
  }
  return Times{cpu, cpu, wall} / static_cast<double>(agents_ * ticks);
}

}  // namespace meander::bench
