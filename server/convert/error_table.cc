#include "server/convert/error_table.h"

#include <array>
#include <cstddef>

namespace meander::convert {
namespace {

using core::ErrorCode;
using grpc::StatusCode;
using std::chrono::milliseconds;

constexpr milliseconds kNever{0};
// Long enough for a world to take another step, or for another server to take
// over the address.
constexpr milliseconds kSoon{1000};

constexpr std::array kTable{
    ErrorEntry{ErrorCode::kMalformed, "MALFORMED", StatusCode::INVALID_ARGUMENT,
               kNever,
               "A field is missing, of the wrong form, or not an allowed "
               "value; or the bytes are not the message."},
    ErrorEntry{ErrorCode::kNonFinite, "NON_FINITE",
               StatusCode::INVALID_ARGUMENT, kNever,
               "A number is NaN or infinite."},
    ErrorEntry{ErrorCode::kOutOfBounds, "OUT_OF_BOUNDS",
               StatusCode::INVALID_ARGUMENT, kNever,
               "A number or a place lies outside its range, which is named."},
    ErrorEntry{ErrorCode::kQuotaExceeded, "QUOTA_EXCEEDED",
               StatusCode::RESOURCE_EXHAUSTED, kSoon,
               "A limit of the server or of the world is reached; it is "
               "named."},
    ErrorEntry{ErrorCode::kTickTooFar, "TICK_TOO_FAR", StatusCode::OUT_OF_RANGE,
               kNever, "apply_tick lies further ahead than the server allows."},
    ErrorEntry{ErrorCode::kTickLate, "TICK_LATE",
               StatusCode::FAILED_PRECONDITION, kNever,
               "The commands of apply_tick have been collected already."},
    ErrorEntry{ErrorCode::kTickMismatch, "TICK_MISMATCH", StatusCode::ABORTED,
               kNever, "The world is not at expected_tick."},
    ErrorEntry{ErrorCode::kWorldNotFound, "WORLD_NOT_FOUND",
               StatusCode::NOT_FOUND, kNever,
               "No world has that name, or it was deleted meanwhile."},
    ErrorEntry{ErrorCode::kWorldExists, "WORLD_EXISTS",
               StatusCode::ALREADY_EXISTS, kNever,
               "A world of that name exists."},
    ErrorEntry{ErrorCode::kAgentNotFound, "AGENT_NOT_FOUND",
               StatusCode::NOT_FOUND, kNever,
               "The world has no such agent: it was never spawned, or is "
               "gone."},
    ErrorEntry{ErrorCode::kArchetypeUnknown, "ARCHETYPE_UNKNOWN",
               StatusCode::FAILED_PRECONDITION, kNever,
               "No command admitted before defines that archetype."},
    ErrorEntry{ErrorCode::kClockMode, "CLOCK_MODE",
               StatusCode::FAILED_PRECONDITION, kNever,
               "The clock mode of the world does not allow it."},
    ErrorEntry{ErrorCode::kDurabilityUnavailable, "DURABILITY_UNAVAILABLE",
               StatusCode::FAILED_PRECONDITION, kNever,
               "This server cannot give that durability."},
    ErrorEntry{ErrorCode::kRequestIdReused, "REQUEST_ID_REUSED",
               StatusCode::ALREADY_EXISTS, kNever,
               "request_id came before with another payload."},
    ErrorEntry{ErrorCode::kCorrupt, "CORRUPT", StatusCode::DATA_LOSS, kNever,
               "Stored bytes are damaged."},
    ErrorEntry{ErrorCode::kSimulationVersionMismatch, "SIM_VERSION_MISMATCH",
               StatusCode::FAILED_PRECONDITION, kNever,
               "Stored bytes belong to another version of the simulation."},
    ErrorEntry{ErrorCode::kDraining, "DRAINING", StatusCode::UNAVAILABLE, kSoon,
               "The server is shutting down."},
    ErrorEntry{ErrorCode::kCancelled, "CANCELLED", StatusCode::CANCELLED,
               kNever, "The caller has gone."},
};

constexpr bool InOrder() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable[i].code) != i) return false;
  }
  return true;
}
static_assert(InOrder(), "Describe finds an entry by its place");

}  // namespace

std::span<const ErrorEntry> ErrorTable() { return kTable; }

const ErrorEntry& Describe(core::ErrorCode code) {
  const auto place = static_cast<std::size_t>(code);
  MEANDER_CHECK(place < kTable.size());
  return kTable[place];
}

}  // namespace meander::convert
