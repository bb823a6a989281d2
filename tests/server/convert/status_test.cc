#include "server/convert/status.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "meander/rpc/v1/error_details.pb.h"
#include "server/convert/error_table.h"

namespace meander::convert {
namespace {

using core::Error;
using core::ErrorCode;
using core::Violations;

// Trailers as clients take them by default, and what base64 makes of them.
constexpr std::size_t kDefaultMetadataBytes = 8 * 1024;

rpc::v1::Status Details(const grpc::Status& status) {
  rpc::v1::Status details;
  EXPECT_TRUE(details.ParseFromString(status.error_details()));
  return details;
}

// The detail of that google.rpc type; fails the test when there is none.
template <typename Detail>
bool Find(const grpc::Status& status, std::string_view name, Detail& out) {
  const std::string url = "type.googleapis.com/google.rpc." + std::string(name);
  const rpc::v1::Status details = Details(status);
  for (const auto& any : details.details()) {
    if (any.type_url() == url) return out.ParseFromString(any.value());
  }
  return false;
}

TEST(StatusTest, CarriesCodeMessageAndReasonOfEveryError) {
  for (const ErrorEntry& entry : ErrorTable()) {
    const grpc::Status status = ToStatus(Error{entry.code, "", "no such luck"});
    EXPECT_EQ(status.error_code(), entry.status);
    EXPECT_EQ(status.error_message(), "no such luck");
    EXPECT_EQ(Details(status).code(), entry.status);
    EXPECT_EQ(Details(status).message(), "no such luck");
    rpc::v1::ErrorInfo info;
    ASSERT_TRUE(Find(status, "ErrorInfo", info));
    EXPECT_EQ(info.reason(), entry.name);
    EXPECT_EQ(info.domain(), "meander.dev");
  }
}

TEST(StatusTest, NamesTheFieldInMessageAndBadRequest) {
  const grpc::Status status =
      ToStatus(Error{ErrorCode::kOutOfBounds, "world.simulation.tick_rate_hz",
                     "must be 1 to 1000; it is 1001"});
  EXPECT_EQ(status.error_message(),
            "world.simulation.tick_rate_hz: must be 1 to 1000; it is 1001");
  rpc::v1::BadRequest bad;
  ASSERT_TRUE(Find(status, "BadRequest", bad));
  ASSERT_EQ(bad.field_violations_size(), 1);
  EXPECT_EQ(bad.field_violations(0).field(), "world.simulation.tick_rate_hz");
  EXPECT_EQ(bad.field_violations(0).description(),
            "must be 1 to 1000; it is 1001");
}

TEST(StatusTest, HasNoBadRequestWithoutAField) {
  rpc::v1::BadRequest bad;
  EXPECT_FALSE(Find(ToStatus(Error{ErrorCode::kDraining, "", "bye"}),
                    "BadRequest", bad));
}

TEST(StatusTest, TellsWhenToRetryWhatPasses) {
  for (const ErrorEntry& entry : ErrorTable()) {
    rpc::v1::RetryInfo retry;
    const bool has =
        Find(ToStatus(Error{entry.code, "", "x"}), "RetryInfo", retry);
    EXPECT_EQ(has, entry.retry_delay.count() > 0) << entry.name;
    EXPECT_EQ(retry.retry_delay().seconds() * 1000 +
                  retry.retry_delay().nanos() / 1'000'000,
              entry.retry_delay.count());
  }
}

TEST(StatusTest, ListsAllFieldsUpToEight) {
  Violations violations;
  for (int i = 0; i < 3; ++i) {
    violations.push_back(
        {ErrorCode::kNonFinite, "f" + std::to_string(i), "must be finite"});
  }
  rpc::v1::BadRequest bad;
  grpc::Status status = ToStatus(violations);
  ASSERT_TRUE(Find(status, "BadRequest", bad));
  EXPECT_EQ(bad.field_violations_size(), 3);
  EXPECT_EQ(bad.field_violations(2).field(), "f2");
  EXPECT_EQ(status.error_message(), "f0: must be finite (and 2 more)");

  violations.resize(1000, violations.front());
  status = ToStatus(violations);
  ASSERT_TRUE(Find(status, "BadRequest", bad));
  EXPECT_EQ(bad.field_violations_size(), 8);
}

TEST(StatusTest, TakesTheCodeOfTheFirst) {
  const grpc::Status status =
      ToStatus(Violations{{ErrorCode::kWorldExists, "a", "is taken"},
                          {ErrorCode::kMalformed, "b", "is odd"}});
  EXPECT_EQ(status.error_code(), grpc::StatusCode::ALREADY_EXISTS);
}

TEST(StatusTest, StaysSmallAndPrintableWhateverStoodInTheRequest) {
  const std::string hostile(100'000, '\xff');
  const grpc::Status status = ToStatus(
      Violations(1000, Error{ErrorCode::kMalformed, hostile, hostile}));
  // base64 makes four bytes of three.
  EXPECT_LT(
      status.error_details().size() * 4 / 3 + status.error_message().size(),
      kDefaultMetadataBytes * 3 / 4);
  for (const char c : status.error_message()) {
    EXPECT_TRUE(c >= 0x20 && c < 0x7f);
  }
  rpc::v1::BadRequest bad;
  ASSERT_TRUE(Find(status, "BadRequest", bad));
  for (const auto& violation : bad.field_violations()) {
    EXPECT_LE(violation.field().size(), 128u);
    EXPECT_LE(violation.description().size(), 256u);
  }
}

// Bytes as google.rpc's own definitions write them: field numbers and types
// are what makes the messages compatible.
TEST(StatusTest, HasTheBytesOfGoogleRpc) {
  const grpc::Status status = ToStatus(Error{ErrorCode::kDraining, "f", "bye"});
  const std::string info =
      "\x0a\x08"
      "DRAINING"
      "\x12\x0b"
      "meander.dev";
  const std::string bad =
      "\x0a\x08\x0a\x01"
      "f"
      "\x12\x03"
      "bye";
  const std::string retry = "\x0a\x02\x08\x01";
  const auto any = [](const std::string& name, const std::string& value) {
    const std::string url = "type.googleapis.com/google.rpc." + name;
    std::string body = "\x0a" + std::string(1, static_cast<char>(url.size())) +
                       url + "\x12" +
                       std::string(1, static_cast<char>(value.size())) + value;
    return "\x1a" + std::string(1, static_cast<char>(body.size())) + body;
  };
  EXPECT_EQ(status.error_details(),
            "\x08\x0e\x12\x06"
            "f: bye" +
                any("ErrorInfo", info) + any("BadRequest", bad) +
                any("RetryInfo", retry));
}

}  // namespace
}  // namespace meander::convert
