// What a server tells about itself and what never changes while it runs.
//
// Plain data, filled in once before the server starts.
#ifndef MEANDER_SERVER_SERVICE_SERVER_FACTS_H_
#define MEANDER_SERVER_SERVICE_SERVER_FACTS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace meander::service {

struct ServerFacts {
  std::string version;
  std::uint32_t simulation_version = 0;
  std::chrono::nanoseconds started{0};  // by the server's clock
  std::size_t worker_threads = 0;
  std::string kernels;  // by the name of their SIMD target
  std::map<std::string, std::int64_t> limits;  // by the name of their flag
};

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_SERVER_FACTS_H_
