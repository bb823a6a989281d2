#include "core/math/float_environment.h"

#include <bit>
#include <cfenv>
#include <cstdint>
#include <thread>

#include "core/math/trig.h"
#include "core/math/vec3.h"
#include "gtest/gtest.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace meander::core {
namespace {

// What a host library may have left behind: rounding upward and subnormals
// flushed to zero.
class HostileEnvironment {
 public:
  HostileEnvironment() {
    std::fegetenv(&saved_);
    std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
    constexpr unsigned kFlushToZero = 0x8000u;
    constexpr unsigned kDenormalsAreZero = 0x0040u;
    _mm_setcsr(_mm_getcsr() | kFlushToZero | kDenormalsAreZero);
#elif defined(__aarch64__)
    constexpr std::uint64_t kFlushToZero = std::uint64_t{1} << 24;
    std::uint64_t control = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    asm volatile("msr fpcr, %0" ::"r"(control | kFlushToZero) : "memory");
#endif
  }
  ~HostileEnvironment() { std::fesetenv(&saved_); }
  HostileEnvironment(const HostileEnvironment&) = delete;
  HostileEnvironment& operator=(const HostileEnvironment&) = delete;

 private:
  std::fenv_t saved_;
};

// Never inlined and fed from volatile memory, so that the arithmetic happens
// when it is called.
[[gnu::noinline]] float Quotient(float a, float b) {
  const volatile float numerator = a;
  const volatile float denominator = b;
  return numerator / denominator;
}

[[gnu::noinline]] float Product(float a, float b) {
  const volatile float left = a;
  const volatile float right = b;
  return left * right;
}

[[gnu::noinline]] float ProductPlus(float a, float b, float c) {
  return a * b + c;
}

// A number that any change of rounding or any flush would change.
[[gnu::noinline]] std::uint64_t Fingerprint() {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 1; i < 2000; ++i) {
    const volatile std::uint32_t turn = i * 0x01234567u;
    const SinCosPair pair = SinCosTurn(turn);
    const float tiny = Product(pair.sin, 0x1p-130f);
    const Vec3 v = ClampLength({pair.sin, pair.cos, tiny}, 0.7f);
    for (const float value :
         {pair.sin, pair.cos, tiny, v.x, v.y, Atan2(pair.sin, pair.cos),
          Exp(pair.cos), RadiansFromTurn(turn)}) {
      sum = sum * 0x9e3779b97f4a7c15u + std::bit_cast<std::uint32_t>(value);
    }
  }
  return sum;
}

bool RoundsUp() {
  return Quotient(1.0f, 3.0f) > 0x1.555554p-2f &&
         Quotient(-1.0f, 3.0f) > -0x1.555556p-2f;
}

TEST(FloatEnvironmentTest, HostileEnvironmentChangesBits) {
  const std::uint64_t expected = Fingerprint();
  HostileEnvironment hostile;
  EXPECT_TRUE(RoundsUp());
  EXPECT_NE(Fingerprint(), expected) << "the tests below would prove nothing";
}

TEST(FloatEnvironmentTest, GivesTheSameBitsInAHostileEnvironment) {
  const std::uint64_t expected = Fingerprint();
  HostileEnvironment hostile;
  {
    const ScopedFloatEnvironment scope;
    EXPECT_EQ(Fingerprint(), expected);
  }
  EXPECT_NE(Fingerprint(), expected);
}

TEST(FloatEnvironmentTest, RoundsToNearestAndGivesTheOldRoundingBack) {
  HostileEnvironment hostile;
  {
    const ScopedFloatEnvironment scope;
    EXPECT_FALSE(RoundsUp());
  }
  EXPECT_TRUE(RoundsUp());
}

TEST(FloatEnvironmentTest, KeepsSubnormalOperandsAndResults) {
  HostileEnvironment hostile;
  const ScopedFloatEnvironment scope;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(Product(0x1p-100f, 0x1p-49f)), 1u);
  EXPECT_EQ(Product(0x1p-149f, 0x1p+100f), 0x1p-49f);
}

TEST(FloatEnvironmentTest, LeavesNoStickyFlagBehind) {
  std::feclearexcept(FE_ALL_EXCEPT);
  {
    const ScopedFloatEnvironment scope;
    EXPECT_TRUE(Quotient(1.0f, 0.0f) > 1.0f);
    EXPECT_NE(std::fetestexcept(FE_DIVBYZERO), 0);
  }
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
}

TEST(FloatEnvironmentTest, KeepsTheStickyFlagsOfItsHost) {
  std::feclearexcept(FE_ALL_EXCEPT);
  EXPECT_TRUE(Quotient(1.0f, 0.0f) > 1.0f);
  { const ScopedFloatEnvironment scope; }
  EXPECT_NE(std::fetestexcept(FE_DIVBYZERO), 0);
  std::feclearexcept(FE_ALL_EXCEPT);
}

TEST(FloatEnvironmentTest, Nests) {
  const std::uint64_t expected = Fingerprint();
  HostileEnvironment hostile;
  {
    const ScopedFloatEnvironment outer;
    {
      HostileEnvironment callback;
      {
        const ScopedFloatEnvironment inner;
        EXPECT_EQ(Fingerprint(), expected);
      }
      EXPECT_NE(Fingerprint(), expected);
    }
    EXPECT_EQ(Fingerprint(), expected);
  }
  EXPECT_NE(Fingerprint(), expected);
}

TEST(FloatEnvironmentTest, ConcernsOneThreadOnly) {
  const std::uint64_t expected = Fingerprint();
  const ScopedFloatEnvironment scope;
  std::uint64_t unscoped = expected;
  std::uint64_t scoped = 0;
  std::thread worker([&] {
    HostileEnvironment hostile;
    unscoped = Fingerprint();
    const ScopedFloatEnvironment own;
    scoped = Fingerprint();
  });
  worker.join();
  EXPECT_NE(unscoped, expected);
  EXPECT_EQ(scoped, expected);
  EXPECT_EQ(Fingerprint(), expected);
}

// (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24, whose last term a product rounds away
// and a fused multiply-add keeps.
TEST(FloatEnvironmentTest, TheBuildDoesNotFuseMultiplyAndAdd) {
  EXPECT_EQ(ProductPlus(0x1.001p0f, 0x1.001p0f, -0x1.002p0f), 0.0f);
}

#if defined(__x86_64__)

TEST(FloatEnvironmentTest, RestoresEveryBitOfTheControlWord) {
  const unsigned before = _mm_getcsr();
  // Rounding toward zero, both flushes, invalid and overflow masked, the
  // inexact and underflow flags standing.
  for (const unsigned hostile : {0xfff0u, 0x7fa0u, 0xffc0u, 0x1f80u}) {
    _mm_setcsr(hostile);
    unsigned inside = 0;
    {
      const ScopedFloatEnvironment scope;
      inside = _mm_getcsr();
      (void)Quotient(1.0f, 3.0f);
    }
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_EQ(inside, 0x1f80u);
    EXPECT_EQ(after, hostile);
  }
}

TEST(FloatEnvironmentTest, MasksExceptionsThatTheHostUnmasked) {
  constexpr unsigned kAllMasks = 0x1f80u;
  const unsigned before = _mm_getcsr();
  _mm_setcsr(0);  // Any inexact result would now raise SIGFPE.
  float third = 0.0f;
  unsigned after = kAllMasks;
  {
    const ScopedFloatEnvironment scope;
    third = Quotient(1.0f, 3.0f);
    after = _mm_getcsr() & kAllMasks;
  }
  const unsigned restored = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(third, 1.0f / 3.0f);
  EXPECT_EQ(after, kAllMasks);
  EXPECT_EQ(restored, 0u);
}

#endif  // defined(__x86_64__)

}  // namespace
}  // namespace meander::core
