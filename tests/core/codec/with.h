// Bytes with a word replaced.
#ifndef MEANDER_TESTS_CORE_CODEC_WITH_H_
#define MEANDER_TESTS_CORE_CODEC_WITH_H_

#include <cstddef>
#include <string>

#include "core/codec/byte_io.h"

namespace meander::core {

template <typename T>
std::string With(std::string bytes, std::size_t at, T value) {
  std::string word;
  ByteWriter(word).Put(value);
  return bytes.replace(at, word.size(), word);
}

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_CODEC_WITH_H_
