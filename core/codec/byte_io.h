// Little-endian bytes: an appending writer and a bounded reader.
//
// A ByteReader never reads past its span and never aborts: the first read that
// does not fit makes it fail for good, and every read of a failed reader gives
// 0. Counts are checked against what is left before anything is allocated.
// Single-threaded.
#ifndef MEANDER_CORE_CODEC_BYTE_IO_H_
#define MEANDER_CORE_CODEC_BYTE_IO_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace meander::core {

static_assert(std::endian::native == std::endian::little,
              "encoders copy words as they lie in memory");

template <typename T>
concept Word = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

// Appends to a string that the caller owns.
class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_(out) {}

  template <Word T>
  void Put(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out_.append(bytes, sizeof(T));
  }

  template <Word T>
  void PutAll(std::span<const T> values) {
    out_.append(reinterpret_cast<const char*>(values.data()),
                values.size_bytes());
  }

  // Room for so many bytes more, to be written right away.
  char* Extend(std::size_t bytes) {
    const std::size_t at = out_.size();
    out_.resize(at + bytes);
    return out_.data() + at;
  }
  // Allocates for so many bytes more, all at once.
  void Reserve(std::size_t bytes) { out_.reserve(out_.size() + bytes); }

  std::size_t size() const { return out_.size(); }

 private:
  std::string& out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <Word T>
  T Get() {
    T value{};
    if (!Take(sizeof(T))) return value;
    std::memcpy(&value, bytes_.data() + position_ - sizeof(T), sizeof(T));
    return value;
  }

  template <Word T>
  void GetAll(std::span<T> values) {
    if (values.empty()) return;
    if (!Take(values.size_bytes())) {
      std::fill(values.begin(), values.end(), T{});
      return;
    }
    std::memcpy(values.data(), bytes_.data() + position_ - values.size_bytes(),
                values.size_bytes());
  }

  // So many bytes where they lie; none when they do not fit.
  std::string_view GetBytes(std::size_t size) {
    if (!Take(size)) return {};
    return bytes_.substr(position_ - size, size);
  }

  // A count of things that take at least `bytes_each` (not 0) bytes in what
  // follows. Fails, and gives 0, when so many cannot follow.
  std::size_t GetCount(std::size_t bytes_each) {
    const auto count = Get<std::uint64_t>();
    if (count > remaining() / bytes_each) {
      Fail();
      return 0;
    }
    return static_cast<std::size_t>(count);
  }

  // Also for what the bytes mean: a value that may not stand here.
  void Fail() {
    ok_ = false;
    position_ = bytes_.size();
  }

  bool ok() const { return ok_; }
  std::size_t position() const { return position_; }
  std::size_t remaining() const { return bytes_.size() - position_; }

 private:
  bool Take(std::size_t size) {
    if (size > remaining()) {
      Fail();
      return false;
    }
    position_ += size;
    return ok_;
  }

  std::string_view bytes_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_BYTE_IO_H_
