// Which instructions the kernels of a tick run with.
//
// Every target computes the same bits: the choice is for speed and diagnosis
// alone. kScalar is the reference, which is always there and needs nothing of
// the machine. Pure functions, safe everywhere.
#ifndef MEANDER_CORE_SIMD_SIMD_TARGET_H_
#define MEANDER_CORE_SIMD_SIMD_TARGET_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace meander::core {

enum class SimdTarget : std::uint8_t {
  kScalar = 0,
  kSse4 = 1,    // x86-64 with SSE4.2, AES and CLMUL: 4 lanes of binary32
  kAvx2 = 2,    // x86-64-v3: 8 lanes
  kAvx512 = 3,  // x86-64-v4: 16 lanes
  kNeon = 4,    // aarch64: 4 lanes
  kWasm = 5,    // WebAssembly with simd128: 4 lanes
};

// From the slowest to the fastest of each machine.
inline constexpr std::array kSimdTargets{
    SimdTarget::kScalar, SimdTarget::kSse4, SimdTarget::kAvx2,
    SimdTarget::kAvx512, SimdTarget::kNeon, SimdTarget::kWasm};

// "scalar", "sse4", "avx2", "avx512", "neon", "wasm".
std::string_view NameOf(SimdTarget target);
std::optional<SimdTarget> SimdTargetNamed(std::string_view name);

// Whether this build has kernels for the target and the machine runs them.
bool CanRun(SimdTarget target);

// The fastest that can run.
SimdTarget BestSimdTarget();

// The targets that can run, as a sentence has them: "scalar, sse4, avx2".
std::string RunnableSimdTargets();

// What a user asked for by name: nothing, or an empty name, is the fastest.
// Else the target, or why not: a sentence that says what there is.
struct SimdChoice {
  SimdTarget target = SimdTarget::kScalar;
  std::string refusal;  // empty: none
};
SimdChoice ChooseSimdTarget(const char* name);

}  // namespace meander::core

#endif  // MEANDER_CORE_SIMD_SIMD_TARGET_H_
