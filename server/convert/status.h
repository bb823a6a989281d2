// Errors as gRPC clients see them: a canonical code, a message, and details
// that every standard decoder of google.rpc reads.
//
// The details (trailer grpc-status-details-bin) are an ErrorInfo always, a
// BadRequest where fields are at fault, and a RetryInfo where a retry helps.
// Invariant: all of it stays well below the 8 KiB of metadata that clients
// take by default, whatever stood in the request. Pure functions.
#ifndef MEANDER_SERVER_CONVERT_STATUS_H_
#define MEANDER_SERVER_CONVERT_STATUS_H_

#include <grpcpp/support/status.h>

#include <cstddef>

#include "core/error.h"

namespace meander::convert {

inline constexpr std::size_t kMaxFieldViolations = 8;
inline constexpr std::size_t kMaxFieldBytes = 128;
inline constexpr std::size_t kMaxDescriptionBytes = 256;

grpc::Status ToStatus(const core::Error& error);

// Of the code of the first. Precondition: not empty.
grpc::Status ToStatus(const core::Violations& violations);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_STATUS_H_
