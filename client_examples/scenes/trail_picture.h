// The ways that agents went, as an SVG picture.
//
// Samples are added in the order of time; a picture shows all of them, fading
// with age, and where the agents of the last sample are and go. The same
// samples give the same text. Plain data and pure functions; single-threaded.
#ifndef MEANDER_CLIENT_EXAMPLES_SCENES_TRAIL_PICTURE_H_
#define MEANDER_CLIENT_EXAMPLES_SCENES_TRAIL_PICTURE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "client_examples/scenes/camera.h"

namespace meander::scenes {

struct Body {
  std::int64_t id = 0;
  Point position = {};
  Point velocity = {};
};

class Trails {
 public:
  struct Trail {
    std::size_t first = 0;  // the sample in which the agent was first seen
    std::vector<Point> points;
    Point velocity = {};  // in the latest
  };

  // One sample. Agents have the same id in each.
  void Add(const std::vector<Body>& bodies);

  // By id.
  const std::map<std::int64_t, Trail>& trails() const { return trails_; }
  std::size_t samples() const { return samples_; }

 private:
  std::map<std::int64_t, Trail> trails_;
  std::size_t samples_ = 0;
};

// What a picture shows beside the trails.
struct Picture {
  std::string title;
  std::string description;
  Camera camera;
  std::vector<std::string> kinds;          // named below, each in its color
  std::vector<std::size_t> kind_of_agent;  // that of id 1 first
  std::vector<Circle> circles;
};

std::string ToSvg(const Picture& picture, const Trails& trails);

}  // namespace meander::scenes

#endif  // MEANDER_CLIENT_EXAMPLES_SCENES_TRAIL_PICTURE_H_
