// The reference values of steering.json: what other libraries answer.
//
// Computed in IEEE doubles by an independent implementation. A case is named
// "behaviour/variant/number"; "behaviour/variant" is its origin's function.
#ifndef MEANDER_TESTS_CONFORMANCE_VECTORS_H_
#define MEANDER_TESTS_CONFORMANCE_VECTORS_H_

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "core/math/vec3.h"

namespace meander::core {

struct VectorCase {
  std::string id;
  std::string origin;  // "behaviour/variant"
  nlohmann::json inputs;
  nlohmann::json expected;

  float Input(const std::string& name) const;
  Vec3 InputVector(const std::string& name) const;
  // How far a component may be off: 1e-4 of the largest magnitude among the
  // vectors of the case.
  double Tolerance() const;
};

// What a failing test shows of it.
inline void PrintTo(const VectorCase& test, std::ostream* out) {
  *out << test.id;
}

// All of them, in the order of the file.
const std::vector<VectorCase>& VectorCases();

// The trajectory of that name: {name, inputs, samples, ...}.
const nlohmann::json& Trajectory(const std::string& name);
std::vector<std::string> TrajectoryNames();

Vec3 ToVec3(const nlohmann::json& numbers);

// Expects each component within the tolerance; finite where the origin has
// NaN.
void ExpectNear(const Vec3& actual, const nlohmann::json& wanted,
                double tolerance, const std::string& what);

}  // namespace meander::core

#endif  // MEANDER_TESTS_CONFORMANCE_VECTORS_H_
