// Snapshots that were changed on purpose, with a checksum that is right.
#ifndef MEANDER_TESTS_SCENARIOS_SEALED_H_
#define MEANDER_TESTS_SCENARIOS_SEALED_H_

#include <string>

namespace meander::scenarios {

// The bytes with the checksum at their end made right. Precondition: there are
// 8 at least.
std::string Sealed(std::string bytes);

}  // namespace meander::scenarios

#endif  // MEANDER_TESTS_SCENARIOS_SEALED_H_
