// Where a scene is looked at from: a rectangle of the world, seen straight on.
//
// `right` and `up` are unit vectors, at right angles to each other; what lies
// across them is not seen. Lengths in units of the world. Pure functions.
#ifndef MEANDER_CLIENT_EXAMPLES_SCENES_CAMERA_H_
#define MEANDER_CLIENT_EXAMPLES_SCENES_CAMERA_H_

#include <array>
#include <cstddef>

namespace meander::scenes {

using Point = std::array<double, 3>;

// On what is drawn; what the axes are is said where one is used.
struct Spot {
  double x = 0.0;
  double y = 0.0;
};

// Something round, in the world.
struct Circle {
  Point center = {};
  double radius = 0.0;  // units
};

struct Camera {
  Point center = {};
  Point right = {1.0, 0.0, 0.0};
  Point up = {0.0, 1.0, 0.0};
  double half_width = 64.0;
  double half_height = 32.0;
};

// How a camera fills a drawing of some size: the whole rectangle is seen, in
// the middle, as large as it can be. Of a spot x goes to the right and y down.
class Projection {
 public:
  Projection(const Camera& camera, double width, double height)
      : camera_(camera), middle_{width / 2.0, height / 2.0} {
    const double across = width / (2.0 * camera.half_width);
    const double down = height / (2.0 * camera.half_height);
    scale_ = across < down ? across : down;
  }

  Spot operator()(const Point& point) const {
    const Spot seen =
        Direction({point[0] - camera_.center[0], point[1] - camera_.center[1],
                   point[2] - camera_.center[2]});
    return {middle_.x + scale_ * seen.x, middle_.y + scale_ * seen.y};
  }

  // Of a vector, in units.
  Spot Direction(const Point& vector) const {
    Spot seen;
    for (std::size_t i = 0; i < vector.size(); ++i) {
      seen.x += camera_.right[i] * vector[i];
      seen.y -= camera_.up[i] * vector[i];
    }
    return seen;
  }

  // So long is one unit.
  double scale() const { return scale_; }

 private:
  Camera camera_;
  Spot middle_;
  double scale_ = 1.0;
};

}  // namespace meander::scenes

#endif  // MEANDER_CLIENT_EXAMPLES_SCENES_CAMERA_H_
