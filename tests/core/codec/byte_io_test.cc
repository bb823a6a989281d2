#include "core/codec/byte_io.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace meander::core {
namespace {

std::string CountBytes(std::uint64_t count, std::size_t following) {
  std::string bytes;
  ByteWriter(bytes).Put(count);
  return bytes.append(following, 'x');
}

TEST(ByteWriterTest, WritesLittleEndianAfterWhatIsThere) {
  std::string bytes = "head";
  ByteWriter out(bytes);
  out.Put(std::uint8_t{0x01});
  out.Put(std::int32_t{-2});
  out.Put(std::uint64_t{0x0102030405060708u});
  out.Put(1.0f);
  out.Put(-0.0f);
  EXPECT_EQ(bytes, std::string("head"
                               "\x01"
                               "\xfe\xff\xff\xff"
                               "\x08\x07\x06\x05\x04\x03\x02\x01"
                               "\x00\x00\x80\x3f"
                               "\x00\x00\x00\x80",
                               25));
  EXPECT_EQ(out.size(), bytes.size());
}

TEST(ByteWriterTest, WritesASpanWordByWord) {
  std::string bytes;
  ByteWriter out(bytes);
  const std::array<std::uint16_t, 2> words{0x0102, 0x0304};
  out.PutAll(std::span<const std::uint16_t>(words));
  out.PutAll(std::span<const std::uint16_t>());
  EXPECT_EQ(bytes, "\x02\x01\x04\x03");
}

TEST(ByteReaderTest, ReadsWhatWasWritten) {
  std::string bytes;
  ByteWriter out(bytes);
  out.Put(std::uint8_t{200});
  out.Put(std::numeric_limits<std::int64_t>::min());
  const std::array<float, 3> numbers{0.1f, -0.0f, 1.0e-45f};
  out.PutAll(std::span<const float>(numbers));
  ByteReader in(bytes);
  EXPECT_EQ(in.Get<std::uint8_t>(), 200);
  EXPECT_EQ(in.position(), 1u);
  EXPECT_EQ(in.Get<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
  std::array<float, 3> read{};
  in.GetAll(std::span<float>(read));
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(read[i]),
              std::bit_cast<std::uint32_t>(numbers[i]));
  }
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 0u);
}

TEST(ByteReaderTest, KeepsTheBitsOfANaN) {
  const std::uint32_t signalling = 0x7fa00001u;
  std::string bytes;
  ByteWriter(bytes).Put(signalling);
  ByteReader in(bytes);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(in.Get<float>()), signalling);
}

TEST(ByteReaderTest, FailsForGoodAtTheFirstReadThatDoesNotFit) {
  ByteReader in("\x01\x02\x03\x04\x05");
  EXPECT_EQ(in.Get<std::uint16_t>(), 0x0201);
  EXPECT_EQ(in.Get<std::uint32_t>(), 0u);
  EXPECT_FALSE(in.ok());
  // Three bytes were left and would have served these.
  EXPECT_EQ(in.Get<std::uint8_t>(), 0u);
  EXPECT_EQ(in.remaining(), 0u);
  std::array<std::uint8_t, 2> read{7, 7};
  in.GetAll(std::span<std::uint8_t>(read));
  EXPECT_EQ(read, (std::array<std::uint8_t, 2>{0, 0}));
  EXPECT_EQ(in.GetCount(1), 0u);
  EXPECT_FALSE(in.ok());
}

TEST(ByteReaderTest, ASpanThatDoesNotFitIsAllZero) {
  ByteReader in("\x01\x02\x03");
  std::array<std::uint8_t, 4> read{7, 7, 7, 7};
  in.GetAll(std::span<std::uint8_t>(read));
  EXPECT_EQ(read, (std::array<std::uint8_t, 4>{}));
  EXPECT_FALSE(in.ok());
}

TEST(ByteReaderTest, FailsWhenItIsTold) {
  ByteReader in("\x01\x02");
  in.Fail();
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.Get<std::uint8_t>(), 0u);
}

TEST(ByteReaderTest, AnEmptyReadFitsAnywhere) {
  ByteReader in("");
  in.GetAll(std::span<std::uint64_t>());
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.Get<std::uint8_t>(), 0u);
  EXPECT_FALSE(in.ok());
}

TEST(ByteReaderTest, ACountHoldsAsMuchAsCanFollow) {
  for (const std::uint64_t count : {0u, 1u, 4u, 5u}) {
    const std::string bytes = CountBytes(count, 5 * 8 + 7);
    ByteReader in(bytes);
    EXPECT_EQ(in.GetCount(8), count);
    EXPECT_TRUE(in.ok()) << count;
    EXPECT_EQ(in.remaining(), 47u);
  }
  const std::string bytes = CountBytes(6, 5 * 8 + 7);
  ByteReader in(bytes);
  EXPECT_EQ(in.GetCount(8), 0u);
  EXPECT_FALSE(in.ok());
}

TEST(ByteReaderTest, ACountWhoseBytesWouldOverflowIsRefused) {
  for (const std::size_t each : {1u, 3u, 8u, 141u, 1u << 31}) {
    for (const std::uint64_t count :
         {std::uint64_t{1} << 32, std::uint64_t{1} << 61,
          std::uint64_t{1} << 63, ~std::uint64_t{0},
          ~std::uint64_t{0} / each + 1}) {
      if (count <= 100 / each) continue;
      const std::string bytes = CountBytes(count, 100);
      ByteReader in(bytes);
      EXPECT_EQ(in.GetCount(each), 0u) << count << " of " << each;
      EXPECT_FALSE(in.ok()) << count << " of " << each;
    }
  }
}

TEST(ByteReaderTest, ACountThatIsCutShortIsRefused) {
  for (std::size_t size = 0; size < 8; ++size) {
    ByteReader in(std::string_view("\0\0\0\0\0\0\0", size));
    EXPECT_EQ(in.GetCount(1), 0u);
    EXPECT_FALSE(in.ok());
  }
}

}  // namespace
}  // namespace meander::core
