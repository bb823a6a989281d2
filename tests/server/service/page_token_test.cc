#include "server/service/page_token.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace meander::service {
namespace {

using core::ErrorCode;
using std::string_literals::operator""s;  // NOLINT(misc-unused-using-decls)

TEST(PageTokenTest, AgentTokensComeBackAsTheyWere) {
  for (const std::int64_t id : {std::int64_t{1}, std::int64_t{77},
                                std::numeric_limits<std::int64_t>::max()}) {
    const auto after = ParseIdPageToken(IdPageToken(3, id), 3);
    ASSERT_TRUE(after.ok());
    EXPECT_EQ(*after, id);
  }
  EXPECT_EQ(*ParseIdPageToken("", 3), 0);
}

TEST(PageTokenTest, AgentTokensOfAnotherEpochAreRefused) {
  EXPECT_FALSE(ParseIdPageToken(IdPageToken(3, 5), 4).ok());
}

TEST(PageTokenTest, WhatIsNoAgentTokenIsRefusedByName) {
  for (const std::string& token :
       {"x"s, "1"s, "1."s, ".1"s, "1.0"s, "1.-1"s, "1.+1"s, "1.01"s, "01.1"s,
        "1.1.1"s, " 1.1"s, "1.1 "s, "1.9223372036854775808"s, "1.1\0"s,
        std::string(10'000, '9')}) {
    const auto after = ParseIdPageToken(token, 1);
    ASSERT_FALSE(after.ok()) << token;
    EXPECT_EQ(after.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(after.error().field, "page_token");
    EXPECT_LT(after.error().reason.size(), 200u);
  }
}

TEST(PageTokenTest, WorldTokensAreIds) {
  EXPECT_EQ(*ParseWorldPageToken(""), "");
  EXPECT_EQ(*ParseWorldPageToken("abc-1"), "abc-1");
  for (const std::string& token : {"worlds/a"s, "A"s, "a\0"s, ".."s}) {
    const auto after = ParseWorldPageToken(token);
    ASSERT_FALSE(after.ok()) << token;
    EXPECT_EQ(after.error().field, "page_token");
  }
}

TEST(PageSizeTest, ZeroMeansTheDefaultAndLimitsHold) {
  const hosting::Limits limits{.max_page_size = 50, .default_page_size = 20};
  EXPECT_EQ(*ParsePageSize(0, limits), 20u);
  EXPECT_EQ(*ParsePageSize(1, limits), 1u);
  EXPECT_EQ(*ParsePageSize(50, limits), 50u);
  for (const std::int32_t size :
       {-1, 51, std::numeric_limits<std::int32_t>::max(),
        std::numeric_limits<std::int32_t>::min()}) {
    const auto parsed = ParsePageSize(size, limits);
    ASSERT_FALSE(parsed.ok()) << size;
    EXPECT_EQ(parsed.error().code, ErrorCode::kOutOfBounds);
    EXPECT_EQ(parsed.error().field, "page_size");
    EXPECT_NE(parsed.error().reason.find("50"), std::string::npos);
  }
}

}  // namespace
}  // namespace meander::service
