// The gRPC side of one subscription: frames to slices, one write at a time.
//
// stream::Subscription decides what is written and when it ends, and sees to
// it that there is one write in flight and one Finish; this only carries it
// out. The bytes of a frame are shared by all its readers and not copied.
#ifndef MEANDER_SERVER_SERVICE_WATCH_STREAM_H_
#define MEANDER_SERVER_SERVICE_WATCH_STREAM_H_

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include "server/hosting/world_host.h"
#include "server/service/open_calls.h"
#include "server/stream/view.h"

namespace meander::service {

// Subscribes a call to a world, until either ends. Owns itself.
grpc::ServerWriteReactor<grpc::ByteBuffer>* Watch(OpenCalls& calls,
                                                  hosting::WorldHost& host,
                                                  const stream::View& view);

// A stream that ends with an error before it began. Owns itself.
grpc::ServerWriteReactor<grpc::ByteBuffer>* Refuse(OpenCalls& calls,
                                                   const core::Error& error);

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_WATCH_STREAM_H_
