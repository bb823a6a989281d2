// The world of a scene while it is shown: made with a name that no other one
// has, and deleted at the end.
//
// Should this program die before, the server deletes it soon after, for nobody
// asks for it any more. Single-threaded.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_DEMO_WORLD_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_DEMO_WORLD_H_

#include <grpcpp/support/status.h>

#include <cstdint>
#include <optional>
#include <string>

#include "client_examples/meanderctl/session.h"
#include "client_examples/scenes/scene.h"

namespace meander::ctl {

class DemoWorld {
 public:
  explicit DemoWorld(Session& session) : session_(session) {}
  ~DemoWorld();
  DemoWorld(const DemoWorld&) = delete;
  DemoWorld& operator=(const DemoWorld&) = delete;

  // At tick 0, with all commands of the scene admitted. It stands still.
  grpc::Status Make(const scenes::Scene& scene);
  // From now on it goes by the server's clock.
  grpc::Status Start(const std::optional<double>& time_scale);
  // To the tick, at once; the frame of it is in the answer.
  grpc::Status StepTo(std::int64_t tick, v1::StepWorldResponse& response);

  // "worlds/demo-flock-3d1e4f7a".
  const std::string& name() const { return name_; }

 private:
  Session& session_;
  std::string name_;  // once it is made
};

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_DEMO_WORLD_H_
