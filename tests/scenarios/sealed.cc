#include "tests/scenarios/sealed.h"

#include <cstddef>
#include <cstdint>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/codec/byte_io.h"

namespace meander::scenarios {

std::string Sealed(std::string bytes) {
  bytes.resize(bytes.size() - sizeof(std::uint64_t));
  const std::uint64_t checksum = XXH3_64bits(bytes.data(), bytes.size());
  core::ByteWriter(bytes).Put(checksum);
  return bytes;
}

}  // namespace meander::scenarios
