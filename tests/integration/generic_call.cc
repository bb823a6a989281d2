#include "tests/integration/generic_call.h"

namespace meander {

OpenCall::OpenCall(const std::shared_ptr<grpc::Channel>& channel,
                   const std::string& method)
    : stub_(channel),
      stream_(stub_.PrepareCall(&call_.context, method, &queue_)) {
  stream_->StartCall(nullptr);
  Next();
}

OpenCall::~OpenCall() {
  if (!finished_) {
    Cancel();
    Finish();
  }
  queue_.Shutdown();
  Next();
}

bool OpenCall::Next() {
  void* tag = nullptr;
  bool ok = false;
  return queue_.Next(&tag, &ok) && ok;
}

bool OpenCall::Send(const std::string& message) {
  const grpc::Slice slice(message);
  stream_->Write(grpc::ByteBuffer(&slice, 1), nullptr);
  return Next();
}

bool OpenCall::EndSending() {
  stream_->WritesDone(nullptr);
  return Next();
}

bool OpenCall::Receive(std::string& message) {
  grpc::ByteBuffer bytes;
  stream_->Read(&bytes, nullptr);
  grpc::Slice slice;
  if (!Next() || !bytes.DumpToSingleSlice(&slice).ok()) return false;
  message.assign(slice.begin(), slice.end());
  return true;
}

grpc::Status OpenCall::Finish() {
  grpc::Status status;
  stream_->Finish(&status, nullptr);
  Next();
  finished_ = true;
  return status;
}

GenericAnswer CallMethod(const std::shared_ptr<grpc::Channel>& channel,
                         const std::string& method,
                         const std::vector<std::string>& messages,
                         std::size_t enough) {
  OpenCall call(channel, method);
  bool going = true;
  for (const std::string& message : messages) {
    going = going && call.Send(message);
  }
  if (going) call.EndSending();
  GenericAnswer answer;
  for (std::string message;
       answer.messages.size() < enough && call.Receive(message);) {
    answer.messages.push_back(message);
  }
  if (answer.messages.size() == enough) call.Cancel();
  answer.status = call.Finish();
  return answer;
}

}  // namespace meander
