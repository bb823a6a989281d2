// The floating-point environment in which core's arithmetic has its meaning:
// round to nearest even, subnormals kept, exceptions masked.
//
// Invariant: while a ScopedFloatEnvironment lives, its thread has exactly that
// environment; when it dies, the thread has back, bit for bit, the one it had,
// sticky exception flags too: a step leaves no trace in its host. Scopes nest.
// Threads: the environment is a thread's own. Create and destroy on the same
// one; each worker that runs a part of a step needs a scope.
// Use: call the arithmetic as a function inside the scope; compilers may move
// operations on local values past a change of environment, not past a call.
// Errors: none at run time; a build that would change bits stops below.
#ifndef MEANDER_CORE_MATH_FLOAT_ENVIRONMENT_H_
#define MEANDER_CORE_MATH_FLOAT_ENVIRONMENT_H_

#include <cfloat>
#include <cstdint>

#if defined(__FAST_MATH__)
#error "core needs -fno-fast-math: reassociation changes the bits of a world"
#endif
#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "core needs FLT_EVAL_METHOD 0: no excess precision (on x86: SSE2)"
#endif

namespace meander::core {

class ScopedFloatEnvironment {
 public:
  ScopedFloatEnvironment();
  ~ScopedFloatEnvironment();

  ScopedFloatEnvironment(const ScopedFloatEnvironment&) = delete;
  ScopedFloatEnvironment& operator=(const ScopedFloatEnvironment&) = delete;

 private:
  // MXCSR on x86-64, FPCR on aarch64 (its flags, FPSR, are saved beside it);
  // unused on WebAssembly, which knows no other environment.
  [[maybe_unused]] std::uint64_t saved_control_ = 0;
  [[maybe_unused]] std::uint64_t saved_status_ = 0;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_MATH_FLOAT_ENVIRONMENT_H_
