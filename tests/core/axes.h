// The components of a vector with their names, for tests of every one.
#ifndef MEANDER_TESTS_CORE_AXES_H_
#define MEANDER_TESTS_CORE_AXES_H_

#include <string>

#include "core/math/vec3.h"

namespace meander::core {

struct NamedAxis {
  std::string name;
  float Vec3::*member;
};
inline const NamedAxis kAxes[] = {
    {"x", &Vec3::x}, {"y", &Vec3::y}, {"z", &Vec3::z}};

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_AXES_H_
