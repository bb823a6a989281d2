// Errors as values: what a client, a file or the network can cause.
//
// An Error names the reason (one of a closed list that the outside sees by
// name), the field at fault and what is wrong with it, limits included. Paths
// of fields are spelled as in the protocol, so that they can be shown as they
// are. Nothing here throws; our own bugs end in MEANDER_CHECK.
#ifndef MEANDER_CORE_ERROR_H_
#define MEANDER_CORE_ERROR_H_

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meander::core {

// Why something was refused. The server maps each to a name and a canonical
// code in one table (server/convert/error_table.h).
enum class ErrorCode {
  kMalformed,    // Missing, of the wrong form, or not an allowed value.
  kNonFinite,    // A number that is NaN or infinite.
  kOutOfBounds,  // A number or place outside its range.
  kQuotaExceeded,
  kTickTooFar,
  kTickLate,      // The tick's commands have been collected already.
  kTickMismatch,  // The world is not at the tick that the caller expects.
  kWorldNotFound,
  kWorldExists,
  kAgentNotFound,
  kArchetypeUnknown,
  kClockMode,              // Not possible with the world's clock mode.
  kDurabilityUnavailable,  // No log of that durability.
  kRequestIdReused,        // The same request id with another payload.
  kCorrupt,                // Bytes that no encoder wrote.
  kSimulationVersionMismatch,
  kDraining,   // The server is shutting down.
  kCancelled,  // The caller has gone.
};

struct Error {
  ErrorCode code;
  std::string field;   // Path of the field; empty where there is none.
  std::string reason;  // What is wrong, for a person; names the limit.

  bool operator==(const Error&) const = default;
};

// Every field at fault; empty when all is well.
using Violations = std::vector<Error>;

// A value, or the error (or all Violations) that kept it from being made.
template <typename T, typename E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : result_(std::move(value)) {}
  Result(E error) : result_(std::move(error)) {}

  bool ok() const { return result_.index() == 0; }
  // Preconditions: ok().
  T& operator*() { return std::get<0>(result_); }
  const T& operator*() const { return std::get<0>(result_); }
  T* operator->() { return &std::get<0>(result_); }
  const T* operator->() const { return &std::get<0>(result_); }
  // Precondition: !ok().
  const E& error() const { return std::get<1>(result_); }

 private:
  std::variant<T, E> result_;
};

}  // namespace meander::core

// Ends the process when one of our own invariants is broken. Never for input.
// A WebAssembly module has nowhere to say which, unless its host lends it a
// console; there the trap's stack tells.
#if defined(__wasm__)
#define MEANDER_CHECK(condition)    \
  do {                              \
    if (!(condition)) std::abort(); \
  } while (false)
#else
#define MEANDER_CHECK(condition)                                            \
  do {                                                                      \
    if (!(condition)) {                                                     \
      std::fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, \
                   #condition);                                             \
      std::abort();                                                         \
    }                                                                       \
  } while (false)
#endif

#endif  // MEANDER_CORE_ERROR_H_
