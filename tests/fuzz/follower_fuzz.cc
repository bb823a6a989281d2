// Any bytes as records for a world that is followed through the C interface,
// with sequence and tick made right: refused with a reason, or applied, and
// never a number that is not finite or out of bounds.
//
//   input := (u8 kind, u8 size, record[size])*
// kind & 1: the record claims the next agent ids; kind & 2: step before it.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/c_api/c_api.h"
#include "core/codec/byte_io.h"
#include "core/codec/command_codec.h"
#include "core/command.h"
#include "core/error.h"
#include "tests/core/codec/sample_snapshot.h"
#include "tests/fuzz/fuzz_target.h"

namespace meander::fuzz {
namespace {

constexpr std::size_t kHeadBytes = 2 + 3 * 8;  // command_codec.h

struct Follower {
  MeanderWorld* world;
  std::int64_t next_sequence;
  std::int64_t next_agent_id;
};

void Step(const Follower& follower) {
  MEANDER_CHECK(meander_step(follower.world) == 1);
  const std::size_t agents = meander_agent_count(follower.world);
  for (std::int32_t column = kMeanderPositionX; column <= kMeanderVelocityZ;
       ++column) {
    const auto* values =
        static_cast<const float*>(meander_column(follower.world, column));
    for (std::size_t i = 0; i < agents; ++i) {
      MEANDER_CHECK(std::isfinite(values[i]));
      MEANDER_CHECK(column > kMeanderPositionZ ||
                    std::fabs(values[i]) <= core::kMaxBound);
    }
  }
}

void Apply(Follower& follower, std::uint8_t kind, std::string_view record) {
  if ((kind & 2) != 0) Step(follower);
  if (record.size() < kHeadBytes) return;
  std::string bytes(record);
  core::SetPlace(follower.next_sequence, meander_tick(follower.world) + 1,
                 (kind & 1) != 0 ? follower.next_agent_id : 0, bytes);
  if (meander_apply(follower.world, bytes.data(), bytes.size()) == 0) {
    MEANDER_CHECK(std::strlen(meander_error(follower.world)) > 0);
    return;
  }
  MEANDER_CHECK(std::strlen(meander_error(follower.world)) == 0);
  ++follower.next_sequence;
  follower.next_agent_id +=
      core::SpawnCount(core::DecodeCommand(bytes)->operation);
}

}  // namespace
}  // namespace meander::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using meander::core::ByteReader;
  using meander::core::SampleLayout;
  static const std::string snapshot = meander::core::SampleSnapshot();
  meander::fuzz::Follower follower{
      meander_open(snapshot.data(), snapshot.size()), 0, 0};
  ByteReader head(
      std::string_view(snapshot).substr(SampleLayout().next_agent_id));
  follower.next_agent_id = head.Get<std::int64_t>();
  follower.next_sequence = head.Get<std::int64_t>();
  std::string_view rest = meander::fuzz::AsText(data, size);
  while (rest.size() > 2) {
    const auto kind = static_cast<std::uint8_t>(rest[0]);
    const auto length = static_cast<std::uint8_t>(rest[1]);
    rest.remove_prefix(2);
    meander::fuzz::Apply(follower, kind, rest.substr(0, length));
    rest.remove_prefix(std::min<std::size_t>(length, rest.size()));
  }
  meander::fuzz::Step(follower);
  meander_close(follower.world);
  return 0;
}
