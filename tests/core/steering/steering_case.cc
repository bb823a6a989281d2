#include "tests/core/steering/steering_case.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "gtest/gtest.h"

namespace meander::core {
namespace {

double Largest(const SteeringCase::Numbers& numbers) {
  double largest = 0.0;
  for (const auto& [name, values] : numbers) {
    if (values.size() != 3) continue;
    for (const double value : values) {
      largest = std::max(largest, std::fabs(value));
    }
  }
  return largest;
}

SteeringCase ParseCase(const std::string& line) {
  SteeringCase parsed;
  std::istringstream words(line);
  words >> parsed.id;
  SteeringCase::Numbers* numbers = &parsed.inputs;
  std::vector<double>* values = nullptr;
  for (std::string word; words >> word;) {
    if (word == "=") {
      numbers = &parsed.expected;
    } else if (std::isalpha(static_cast<unsigned char>(word[0])) != 0) {
      values = &(*numbers)[word];
    } else {
      values->push_back(std::stod(word));
    }
  }
  return parsed;
}

}  // namespace

float SteeringCase::Input(const std::string& name) const {
  return static_cast<float>(inputs.at(name).at(0));
}

Vec3 SteeringCase::InputVector(const std::string& name) const {
  const std::vector<double>& values = inputs.at(name);
  return {static_cast<float>(values.at(0)), static_cast<float>(values.at(1)),
          static_cast<float>(values.at(2))};
}

double SteeringCase::Tolerance() const {
  return 1.0e-4 * std::max(Largest(inputs), Largest(expected));
}

std::vector<SteeringCase> SteeringCases(const std::string& prefix,
                                        std::size_t count) {
  std::ifstream in("tests/vectors/steering.txt");
  EXPECT_TRUE(in.good()) << "to be run from the root of the repository";
  std::vector<SteeringCase> cases;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(prefix, 0) == 0) cases.push_back(ParseCase(line));
  }
  EXPECT_EQ(cases.size(), count);
  return cases;
}

void ExpectClose(const SteeringCase& test, const std::string& name,
                 const Vec3& actual) {
  const std::vector<double>& wanted = test.expected.at(name);
  const double tolerance = test.Tolerance();
  EXPECT_NEAR(double{actual.x}, wanted.at(0), tolerance) << test.id;
  EXPECT_NEAR(double{actual.y}, wanted.at(1), tolerance) << test.id;
  EXPECT_NEAR(double{actual.z}, wanted.at(2), tolerance) << test.id;
}

}  // namespace meander::core
