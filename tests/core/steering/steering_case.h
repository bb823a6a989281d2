// The cases of tests/vectors/steering.txt.
#ifndef MEANDER_TESTS_CORE_STEERING_STEERING_CASE_H_
#define MEANDER_TESTS_CORE_STEERING_STEERING_CASE_H_

#include <map>
#include <string>
#include <vector>

#include "core/math/vec3.h"

namespace meander::core {

struct SteeringCase {
  using Numbers = std::map<std::string, std::vector<double>>;

  std::string id;  // "seek/godot/04": behavior, variant, number
  Numbers inputs;
  Numbers expected;

  bool Is(const std::string& prefix) const { return id.rfind(prefix, 0) == 0; }
  float Input(const std::string& name) const;
  Vec3 InputVector(const std::string& name) const;
  // 1e-4 of the largest magnitude among the vectors of the case.
  double Tolerance() const;
};

// Those whose id begins with `prefix`; the file must hold `count` of them.
std::vector<SteeringCase> SteeringCases(const std::string& prefix,
                                        std::size_t count);

// Expects `actual` within the case's tolerance of its expected vector.
void ExpectClose(const SteeringCase& test, const std::string& name,
                 const Vec3& actual);

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_STEERING_STEERING_CASE_H_
