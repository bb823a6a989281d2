// A scene on a terminal: what is drawn of it, as lines.
//
// Agents are dots in the color of their kind, with a short trail where there
// are colors; the places that matter are gray. Single-threaded.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_DEMO_VIEW_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_DEMO_VIEW_H_

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "client_examples/meanderctl/frame_rows.h"
#include "client_examples/meanderctl/screen.h"
#include "client_examples/meanderctl/watch_stats.h"
#include "client_examples/scenes/scene.h"
#include "client_examples/scenes/trail_picture.h"

namespace meander::ctl {

scenes::Body ToBody(const FrameRow& row);
// Units per second; 0 without agents.
double MeanSpeed(const std::vector<FrameRow>& rows);
// "tick 312  60.0 frames/s  240 agents  mean speed 5.31  hash ...".
std::string DemoStatus(const Watched& watched, const WatchRate& rate);

class DemoView {
 public:
  DemoView(const scenes::Scene& scene, bool colors);

  // The state of `watched` on a screen of that size, all of which is used.
  std::vector<std::string> Lines(const Watched& watched, const WatchRate& rate,
                                 const ScreenSize& size);

 private:
  std::size_t KindOf(std::int64_t id) const;
  std::vector<std::string> Canvas(std::size_t columns, std::size_t rows) const;
  std::string Legend() const;

  const scenes::Scene& scene_;
  const bool colors_;
  const std::vector<std::size_t> kinds_;
  std::deque<std::vector<FrameRow>> shown_;  // the latest last
};

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_DEMO_VIEW_H_
