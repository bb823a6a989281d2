#include "server/convert/error_table.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "server/convert/error_docs.h"

namespace meander::convert {
namespace {

using core::ErrorCode;

// A compiler that sees a new enumerator without a case here warns, and
// warnings are errors.
constexpr ErrorCode Next(ErrorCode code) {
  switch (code) {
    case ErrorCode::kMalformed:
    case ErrorCode::kNonFinite:
    case ErrorCode::kOutOfBounds:
    case ErrorCode::kQuotaExceeded:
    case ErrorCode::kTickTooFar:
    case ErrorCode::kTickLate:
    case ErrorCode::kTickMismatch:
    case ErrorCode::kWorldNotFound:
    case ErrorCode::kWorldExists:
    case ErrorCode::kAgentNotFound:
    case ErrorCode::kArchetypeUnknown:
    case ErrorCode::kClockMode:
    case ErrorCode::kDurabilityUnavailable:
    case ErrorCode::kRequestIdReused:
    case ErrorCode::kCorrupt:
    case ErrorCode::kSimulationVersionMismatch:
    case ErrorCode::kDraining:
      return static_cast<ErrorCode>(static_cast<int>(code) + 1);
    case ErrorCode::kCancelled:
      break;
  }
  return code;
}

TEST(ErrorTableTest, HoldsEveryErrorCodeOnce) {
  ErrorCode code = ErrorCode::kMalformed;
  for (const ErrorEntry& entry : ErrorTable()) {
    EXPECT_EQ(entry.code, code) << entry.name;
    code = Next(code);
  }
  EXPECT_EQ(ErrorTable().back().code, ErrorCode::kCancelled);
}

TEST(ErrorTableTest, DescribesEachCodeByItsEntry) {
  for (const ErrorEntry& entry : ErrorTable()) {
    EXPECT_EQ(&Describe(entry.code), &entry);
  }
}

TEST(ErrorTableTest, NamesAreUniqueUpperSnakeCase) {
  std::set<std::string_view> names;
  for (const ErrorEntry& entry : ErrorTable()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.name.empty());
    EXPECT_LE(entry.name.size(), 63u);  // What ErrorInfo allows.
    for (const char c : entry.name) {
      EXPECT_TRUE(std::isupper(static_cast<unsigned char>(c)) || c == '_')
          << entry.name;
    }
  }
}

TEST(ErrorTableTest, EachMeansSomethingAndIsNoSuccess) {
  for (const ErrorEntry& entry : ErrorTable()) {
    EXPECT_NE(entry.status, grpc::StatusCode::OK) << entry.name;
    EXPECT_NE(entry.status, grpc::StatusCode::UNKNOWN) << entry.name;
    ASSERT_FALSE(entry.meaning.empty()) << entry.name;
    EXPECT_EQ(entry.meaning.back(), '.') << entry.name;
  }
}

TEST(ErrorTableTest, RetriesHelpOnlyAgainstWhatPasses) {
  for (const ErrorEntry& entry : ErrorTable()) {
    const bool passes = entry.status == grpc::StatusCode::UNAVAILABLE ||
                        entry.status == grpc::StatusCode::RESOURCE_EXHAUSTED;
    EXPECT_EQ(entry.retry_delay.count() > 0, passes) << entry.name;
  }
}

// Clients read the protocol, not our sources. Made anew by
//   build/default/bin/meanderd --print_errors > proto/meander/v1/ERRORS.md
TEST(ErrorTableTest, IsWhatTheProtocolLists) {
  std::ifstream file("proto/meander/v1/ERRORS.md");
  ASSERT_TRUE(file) << "run from the root of the repository";
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, ErrorDocs());
  for (const ErrorEntry& entry : ErrorTable()) {
    EXPECT_NE(text.find("| " + std::string(entry.name) + " |"),
              std::string::npos)
        << entry.name;
  }
}

}  // namespace
}  // namespace meander::convert
