#include "core/validation.h"

#include <array>
#include <charconv>
#include <utility>

namespace meander::core {
namespace {

struct Component {
  std::string_view name;
  float Vec3::*member;
};

constexpr std::array<Component, 3> kComponents{
    {{"x", &Vec3::x}, {"y", &Vec3::y}, {"z", &Vec3::z}}};

}  // namespace

std::string JoinPath(std::string_view path, std::string_view name) {
  std::string joined(path);
  if (!joined.empty() && !name.empty()) joined += '.';
  joined += name;
  return joined;
}

std::string IndexPath(std::string_view path, std::size_t index) {
  return std::string(path) + '[' + std::to_string(index) + ']';
}

std::string Show(float value) {
  std::array<char, 40> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

void FieldChecker::Fail(ErrorCode code, std::string_view name,
                        std::string reason) {
  out_.push_back({code, JoinPath(path_, name), std::move(reason)});
}

bool FieldChecker::Integer(std::string_view name, std::int64_t value,
                           std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return true;
  Fail(ErrorCode::kOutOfBounds, name,
       "must be " + std::to_string(least) + " to " + std::to_string(most) +
           "; it is " + std::to_string(value));
  return false;
}

bool FieldChecker::Number(std::string_view name, float value, float least,
                          float most) {
  if (!IsFinite(value)) {
    Fail(ErrorCode::kNonFinite, name, "must be a finite number");
    return false;
  }
  if (value >= least && value <= most) return true;
  Fail(ErrorCode::kOutOfBounds, name,
       "must be " + Show(least) + " to " + Show(most) + "; it is " +
           Show(value));
  return false;
}

bool FieldChecker::Finite(std::string_view name, const Vec3& value) {
  bool finite = true;
  for (const Component& component : kComponents) {
    if (IsFinite(value.*component.member)) continue;
    Fail(ErrorCode::kNonFinite, JoinPath(name, component.name),
         "must be a finite number");
    finite = false;
  }
  return finite;
}

bool FieldChecker::OnPlane(std::string_view name, const Vec3& value,
                           Plane plane) {
  const Vec3 mask = PlaneMask(plane);
  for (const Component& component : kComponents) {
    const float there = value.*component.member;
    if (mask.*component.member != 0.0f || there == 0.0f) continue;
    Fail(ErrorCode::kOutOfBounds, JoinPath(name, component.name),
         "must be 0, for the world's plane has no such axis; it is " +
             Show(there));
    return false;
  }
  return true;
}

bool FieldChecker::Place(std::string_view name, const Vec3& value,
                         const SimulationConfig& config) {
  if (!Finite(name, value) || !OnPlane(name, value, config.plane)) return false;
  bool inside = true;
  for (const Component& component : kComponents) {
    const float there = value.*component.member;
    const float least = config.bounds_min.*component.member;
    const float most = config.bounds_max.*component.member;
    if (there >= least && there <= most) continue;
    Fail(ErrorCode::kOutOfBounds, JoinPath(name, component.name),
         "must lie within the world's bounds, " + Show(least) + " to " +
             Show(most) + "; it is " + Show(there));
    inside = false;
  }
  return inside;
}

bool FieldChecker::Vector(std::string_view name, const Vec3& value,
                          float longest, const SimulationConfig& config) {
  if (!Finite(name, value) || !OnPlane(name, value, config.plane)) return false;
  // In double, where no square of a binary32 overflows.
  const double x = value.x;
  const double y = value.y;
  const double z = value.z;
  const double limit = longest;
  if (x * x + y * y + z * z <= limit * limit) return true;
  Fail(ErrorCode::kOutOfBounds, name,
       "must be at most " + Show(longest) + " long");
  return false;
}

}  // namespace meander::core
