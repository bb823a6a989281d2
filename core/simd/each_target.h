// Compiles a file of kernels once for each target; see steering_kernels.cc for
// how. To be included once in a file, right after HWY_TARGET_INCLUDE is
// defined. A file that includes this is compiled by itself, never as a part of
// another.
//
// Targets are those of simd_target.h; Highway's portable emulation is compiled
// by none, for the scalar kernels are in its place.
#ifndef MEANDER_CORE_SIMD_EACH_TARGET_H_
#define MEANDER_CORE_SIMD_EACH_TARGET_H_

#if defined(__arm__)  // divides and takes roots in steps
#define MEANDER_TARGETS 0
#else
#define MEANDER_TARGETS (HWY_SSE4 | HWY_AVX2 | HWY_AVX3 | HWY_NEON | HWY_WASM)
#endif
#define HWY_DISABLED_TARGETS \
  (0x7fffffffffffffffLL & ~(MEANDER_TARGETS | HWY_SCALAR | HWY_EMU128))
// Whether the target that is being compiled is one of ours.
#define MEANDER_HAS_VECTORS \
  (HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128)
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

// Pointers to the kernels of all targets, in their order: `scalar`, and the
// constant `kernels` of each target's namespace, or null.
#define MEANDER_KERNELS_BY_TARGET(scalar, kernels)                           \
  {                                                                          \
    &(scalar), MEANDER_IF_SSE4(&N_SSE4::kernels),                            \
        MEANDER_IF_AVX2(&N_AVX2::kernels),                                   \
        MEANDER_IF_AVX512(&N_AVX3::kernels),                                 \
        MEANDER_IF_NEON(&N_NEON::kernels), MEANDER_IF_WASM(&N_WASM::kernels) \
  }

#if HWY_TARGETS & HWY_SSE4
#define MEANDER_IF_SSE4(kernels) kernels
#else
#define MEANDER_IF_SSE4(kernels) nullptr
#endif
#if HWY_TARGETS & HWY_AVX2
#define MEANDER_IF_AVX2(kernels) kernels
#else
#define MEANDER_IF_AVX2(kernels) nullptr
#endif
#if HWY_TARGETS & HWY_AVX3
#define MEANDER_IF_AVX512(kernels) kernels
#else
#define MEANDER_IF_AVX512(kernels) nullptr
#endif
#if HWY_TARGETS & HWY_NEON
#define MEANDER_IF_NEON(kernels) kernels
#else
#define MEANDER_IF_NEON(kernels) nullptr
#endif
#if HWY_TARGETS & HWY_WASM
#define MEANDER_IF_WASM(kernels) kernels
#else
#define MEANDER_IF_WASM(kernels) nullptr
#endif

#endif  // MEANDER_CORE_SIMD_EACH_TARGET_H_
