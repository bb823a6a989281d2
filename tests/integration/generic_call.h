// Any method with any bytes: what no generated stub would send.
//
// Blocking; single-threaded.
#ifndef MEANDER_TESTS_INTEGRATION_GENERIC_CALL_H_
#define MEANDER_TESTS_INTEGRATION_GENERIC_CALL_H_

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tests/integration/client.h"

namespace meander {

// A call that is under way.
class OpenCall {
 public:
  OpenCall(const std::shared_ptr<grpc::Channel>& channel,
           const std::string& method);
  // Cancels it unless it was finished.
  ~OpenCall();
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;

  // Each returns false when the call has ended.
  bool Send(const std::string& message);
  bool EndSending();
  bool Receive(std::string& message);

  void Cancel() { call_.context.TryCancel(); }
  // The end of the call; everything must have been received.
  grpc::Status Finish();

 private:
  // Waits for the one operation that is pending.
  bool Next();

  grpc::GenericStub stub_;
  grpc::CompletionQueue queue_;
  Call call_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
  bool finished_ = false;
};

struct GenericAnswer {
  grpc::Status status;
  std::vector<std::string> messages;
};

// Sends the messages, ends the sending side, and reads to the end of the call,
// or to the `enough`th message; then it is cancelled.
GenericAnswer CallMethod(const std::shared_ptr<grpc::Channel>& channel,
                         const std::string& method,
                         const std::vector<std::string>& messages,
                         std::size_t enough = 1'000'000);

}  // namespace meander

#endif  // MEANDER_TESTS_INTEGRATION_GENERIC_CALL_H_
