// Calls of callbacks that were made up under a lock, to be made without it.
//
// Plain data.
#ifndef MEANDER_SERVER_HOSTING_CALLS_H_
#define MEANDER_SERVER_HOSTING_CALLS_H_

#include <functional>
#include <vector>

namespace meander::hosting {

using Calls = std::vector<std::function<void()>>;

// Precondition: the caller holds no lock.
inline void MakeAll(Calls& calls) {
  for (const auto& call : calls) call();
  calls.clear();
}

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_CALLS_H_
