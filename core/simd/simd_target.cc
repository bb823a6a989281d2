#include "core/simd/simd_target.h"

#include <algorithm>

#include "core/simd/kernels.h"

namespace meander::core {
namespace {

// What Highway compiles each target for.
bool MachineHas(SimdTarget target) {
  switch (target) {
#if defined(__x86_64__)
    case SimdTarget::kSse4:
      return __builtin_cpu_supports("sse4.2") &&
             __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
    case SimdTarget::kAvx2:
      return MachineHas(SimdTarget::kSse4) && __builtin_cpu_supports("avx2") &&
             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
             __builtin_cpu_supports("fma");
    case SimdTarget::kAvx512:
      return MachineHas(SimdTarget::kAvx2) &&
             __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
#endif
    default:
      break;
  }
  // What is compiled for no choice of instructions.
  return target == SimdTarget::kScalar || target == SimdTarget::kNeon ||
         target == SimdTarget::kWasm;
}

}  // namespace

std::string_view NameOf(SimdTarget target) {
  switch (target) {
    case SimdTarget::kScalar:
      break;
    case SimdTarget::kSse4:
      return "sse4";
    case SimdTarget::kAvx2:
      return "avx2";
    case SimdTarget::kAvx512:
      return "avx512";
    case SimdTarget::kNeon:
      return "neon";
    case SimdTarget::kWasm:
      return "wasm";
  }
  return "scalar";
}

std::optional<SimdTarget> SimdTargetNamed(std::string_view name) {
  const auto found = std::find_if(
      kSimdTargets.begin(), kSimdTargets.end(),
      [name](SimdTarget target) { return NameOf(target) == name; });
  if (found == kSimdTargets.end()) return std::nullopt;
  return *found;
}

bool CanRun(SimdTarget target) {
  return HasKernels(target) && MachineHas(target);
}

SimdTarget BestSimdTarget() {
  return *std::find_if(kSimdTargets.rbegin(), kSimdTargets.rend(), CanRun);
}

std::string RunnableSimdTargets() {
  std::string list;
  for (const SimdTarget target : kSimdTargets) {
    if (!CanRun(target)) continue;
    if (!list.empty()) list += ", ";
    list += NameOf(target);
  }
  return list;
}

SimdChoice ChooseSimdTarget(const char* name) {
  if (name == nullptr || *name == '\0') return {BestSimdTarget(), {}};
  const std::optional<SimdTarget> target = SimdTargetNamed(name);
  if (target && CanRun(*target)) return {*target, {}};
  std::string refusal = target ? "this machine or build cannot run the kernels "
                               : "there are no kernels named ";
  refusal += '"';
  refusal += name;
  refusal += "\"; it can run ";
  refusal += RunnableSimdTargets();
  return {SimdTarget::kScalar, std::move(refusal)};
}

}  // namespace meander::core
