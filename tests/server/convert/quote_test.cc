#include "server/convert/quote.h"

#include <gtest/gtest.h>

#include <string>

namespace meander::convert {
namespace {

using std::string_literals::operator""s;

TEST(QuoteTest, KeepsPrintableAscii) {
  EXPECT_EQ(Printable("a world-1 \"~\" \\", 100), "a world-1 \"~\" \\");
  EXPECT_EQ(Printable("", 3), "");
}

TEST(QuoteTest, EscapesWhatIsNotPrintableAscii) {
  EXPECT_EQ(Printable("a\0b\n\x7f\xc3\xa9"s, 100), R"(a\x00b\x0a\x7f\xc3\xa9)");
}

TEST(QuoteTest, CutsToTheLimitAndSaysSo) {
  EXPECT_EQ(Printable("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(Printable("abcdefghi", 8), "abcde...");
}

TEST(QuoteTest, NeverCutsInsideAnEscape) {
  EXPECT_EQ(Printable("abc\x01\x02\x03\x04", 10), R"(abc\x01...)");
  for (std::size_t limit = 3; limit < 40; ++limit) {
    const std::string cut = Printable(std::string(50, '\xff'), limit);
    EXPECT_LE(cut.size(), limit);
    EXPECT_EQ((cut.size() - 3) % 4, 0u) << cut;
  }
}

TEST(QuoteTest, QuotesNamesSafely) {
  EXPECT_EQ(Quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_LE(Quoted(std::string(10'000, 'x')).size(), 66u);
  EXPECT_LE(Quoted(std::string(10'000, '"')).size(), 66u);
}

}  // namespace
}  // namespace meander::convert
