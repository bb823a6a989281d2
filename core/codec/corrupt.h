// What the decoders of a snapshot answer to bytes that no encoder wrote.
//
// Pure functions.
#ifndef MEANDER_CORE_CODEC_CORRUPT_H_
#define MEANDER_CORE_CODEC_CORRUPT_H_

#include <cstdint>
#include <string>
#include <utility>

#include "core/error.h"

namespace meander::core {

// Ticks, ids and sequences above this are nobody's: room for what is added.
inline constexpr std::int64_t kMaxCount = std::int64_t{1} << 62;

inline Error Corrupt(std::string reason) {
  return {ErrorCode::kCorrupt, "", "the snapshot " + std::move(reason)};
}

inline Error CorruptField(const Error& wrong) {
  return Corrupt("is not valid: " + wrong.field + " " + wrong.reason);
}

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_CORRUPT_H_
