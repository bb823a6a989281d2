// What fuzz targets share. A target is a file NAME_fuzz.cc with the function
// below: it gets any bytes, and ends the process when a promise is broken.
//
// Built by clang with sanitizers it is a libFuzzer program; in every other
// build replay_main.cc runs it over files. One thread.
#ifndef MEANDER_TESTS_FUZZ_FUZZ_TARGET_H_
#define MEANDER_TESTS_FUZZ_FUZZ_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "tests/core/counting_new.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace meander::fuzz {

inline std::string_view AsText(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Runs `decode` and checks that it allocates no more than input of `size` bytes
// may cost, all calls of operator new taken together.
template <typename Decode>
auto Bounded(std::size_t size, Decode decode) {
  constexpr std::size_t kAlways = 1 << 16;
  constexpr std::size_t kForEachByte = 128;
  const core::AllocationCount allocated;
  auto result = decode();
  MEANDER_CHECK(allocated.bytes() <= kAlways + kForEachByte * size);
  return result;
}

}  // namespace meander::fuzz

#endif  // MEANDER_TESTS_FUZZ_FUZZ_TARGET_H_
