// Checks of single fields, with messages that name the field and its limit.
//
// Used by every Validate function of core, so that the same mistake reads the
// same wherever it is made. Single-threaded.
#ifndef MEANDER_CORE_VALIDATION_H_
#define MEANDER_CORE_VALIDATION_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/math/vec3.h"
#include "core/simulation_config.h"

namespace meander::core {

// "path.name", or "name" when the path is empty.
std::string JoinPath(std::string_view path, std::string_view name);
// "path[index]".
std::string IndexPath(std::string_view path, std::size_t index);
// As short as reads back as the same number.
std::string Show(float value);

// Collects what is wrong with the fields below one path.
class FieldChecker {
 public:
  FieldChecker(Violations& out, std::string_view path)
      : out_(out), path_(path) {}

  // Each returns true when nothing is wrong.
  bool Integer(std::string_view name, std::int64_t value, std::int64_t least,
               std::int64_t most);
  bool Number(std::string_view name, float value, float least, float most);
  // Finite; names the component.
  bool Finite(std::string_view name, const Vec3& value);
  // Finite, in the bounds, and 0 off the plane.
  bool Place(std::string_view name, const Vec3& value,
             const SimulationConfig& config);
  // Finite, at most `longest` long, and 0 off the plane.
  bool Vector(std::string_view name, const Vec3& value, float longest,
              const SimulationConfig& config);
  // Anything else; `reason` completes "the field ...".
  void Fail(ErrorCode code, std::string_view name, std::string reason);

 private:
  bool OnPlane(std::string_view name, const Vec3& value, Plane plane);

  Violations& out_;
  std::string path_;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_VALIDATION_H_
