#include "tests/conformance/vectors.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "gtest/gtest.h"

namespace meander::core {
namespace {

using nlohmann::json;

const json& File() {
  static const json* const file = [] {
    std::ifstream in("tests/conformance/steering.json");
    if (!in.good()) {
      throw std::runtime_error("to be run from the root of the repository");
    }
    return new json(json::parse(in));
  }();
  return *file;
}

double LargestOfVectors(const json& value) {
  double largest = 0.0;
  const bool is_vector = value.is_array() && value.size() == 3;
  if (!value.is_structured()) return largest;
  for (const json& part : value) {
    if (is_vector && part.is_number()) {
      largest = std::max(largest, std::fabs(part.get<double>()));
    }
    largest = std::max(largest, LargestOfVectors(part));
  }
  return largest;
}

}  // namespace

float VectorCase::Input(const std::string& name) const {
  return inputs.at(name).get<float>();
}

Vec3 VectorCase::InputVector(const std::string& name) const {
  return ToVec3(inputs.at(name));
}

double VectorCase::Tolerance() const {
  json vectors{{"inputs", inputs}, {"expected", expected}};
  vectors["inputs"].erase("draws");
  return 1.0e-4 * LargestOfVectors(vectors);
}

const std::vector<VectorCase>& VectorCases() {
  static const auto* const cases = [] {
    auto* made = new std::vector<VectorCase>;
    for (const json& one : File().at("cases")) {
      made->push_back({one.at("id"),
                       one.at("behaviour").get<std::string>() + "/" +
                           one.at("variant").get<std::string>(),
                       one.at("inputs"), one.at("expected")});
    }
    return made;
  }();
  return *cases;
}

const json& Trajectory(const std::string& name) {
  const json& all = File().at("trajectories");
  const auto found =
      std::find_if(all.begin(), all.end(),
                   [&name](const json& one) { return one.at("name") == name; });
  if (found == all.end()) throw std::out_of_range(name);
  return *found;
}

std::vector<std::string> TrajectoryNames() {
  std::vector<std::string> names;
  for (const json& one : File().at("trajectories")) {
    names.push_back(one.at("name"));
  }
  return names;
}

Vec3 ToVec3(const json& numbers) {
  return {numbers.at(0).get<float>(), numbers.at(1).get<float>(),
          numbers.at(2).get<float>()};
}

void ExpectNear(const Vec3& actual, const json& wanted, double tolerance,
                const std::string& what) {
  const float components[] = {actual.x, actual.y, actual.z};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(IsFinite(components[i])) << what << "[" << i << "]";
    if (wanted.at(i) == "NaN") continue;
    EXPECT_NEAR(double{components[i]}, wanted.at(i).get<double>(), tolerance)
        << what << "[" << i << "]";
  }
}

}  // namespace meander::core
