// This test program itself, started once more as a client that will be killed.
//
// It prints a line when its call is under way, and then only waits.
#ifndef MEANDER_TESTS_INTEGRATION_DOOMED_CLIENT_H_
#define MEANDER_TESTS_INTEGRATION_DOOMED_CLIENT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace meander {

inline constexpr char kDoomedClientIsBusy[] = "busy";

// Arguments for Process. The watcher has seen its first frame when it is busy
// and reads no more.
std::vector<std::string> DoomedWatcher(const std::string& address,
                                       const std::string& world);
std::vector<std::string> DoomedStepper(const std::string& address,
                                       const std::string& world,
                                       std::int64_t ticks);

// Whether these are the arguments of a doomed client; then it has run.
bool RunDoomedClient(const std::vector<std::string>& arguments);

}  // namespace meander

#endif  // MEANDER_TESTS_INTEGRATION_DOOMED_CLIENT_H_
