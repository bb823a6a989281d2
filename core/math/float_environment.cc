#include "core/math/float_environment.h"

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__) || defined(__wasm__)
// Inline assembly below; nothing to do.
#else
#error "core does not know the floating-point environment of this target"
#endif

namespace meander::core {

#if defined(__x86_64__)

namespace {
// MXCSR after reset: all six exceptions masked, none pending, rounding control
// 00 (nearest), flush-to-zero and denormals-are-zero off.
constexpr unsigned kDefaultMxcsr = 0x1f80u;
}  // namespace

ScopedFloatEnvironment::ScopedFloatEnvironment()
    : saved_control_(_mm_getcsr()) {
  _mm_setcsr(kDefaultMxcsr);
}

ScopedFloatEnvironment::~ScopedFloatEnvironment() {
  _mm_setcsr(static_cast<unsigned>(saved_control_));
}

#elif defined(__aarch64__)

// FPCR of zero: round to nearest, no flushing of any kind, NaN propagates, no
// exception traps. FPSR holds the sticky flags.
ScopedFloatEnvironment::ScopedFloatEnvironment() {
  std::uint64_t control = 0;
  std::uint64_t status = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control)::"memory");
  asm volatile("mrs %0, fpsr" : "=r"(status)::"memory");
  saved_control_ = control;
  saved_status_ = status;
  asm volatile("msr fpcr, %0" ::"r"(std::uint64_t{0}) : "memory");
}

ScopedFloatEnvironment::~ScopedFloatEnvironment() {
  asm volatile("msr fpcr, %0" ::"r"(saved_control_) : "memory");
  asm volatile("msr fpsr, %0" ::"r"(saved_status_) : "memory");
}

#else  // WebAssembly: round to nearest and subnormals are all there is.

ScopedFloatEnvironment::ScopedFloatEnvironment() = default;
ScopedFloatEnvironment::~ScopedFloatEnvironment() = default;

#endif

}  // namespace meander::core
