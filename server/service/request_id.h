// The request_id of a request: what makes a retry safe.
//
// An id is a UUID in its usual form, 8-4-4-4-12 hexadecimal digits of either
// case. Everything else in the request is its payload, which is known again by
// a fingerprint. Pure functions.
#ifndef MEANDER_SERVER_SERVICE_REQUEST_ID_H_
#define MEANDER_SERVER_SERVICE_REQUEST_ID_H_

#include <google/protobuf/message.h>

#include <optional>

#include "server/hosting/request_book.h"

namespace meander::service {

// What the answer of the request is kept under; none when it has no id.
// kMalformed, with the field "request_id", when that is no UUID. Precondition:
// the request has a string field request_id.
core::Result<std::optional<hosting::RequestKey>> ToRequestKey(
    hosting::KeyedMethod method, const google::protobuf::Message& request);

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_REQUEST_ID_H_
