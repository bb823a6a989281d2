// Bytes of a simulation config, as snapshots and the state hash use them.
//
//   config := i32 tick_rate_hz, u8 plane, u8 bounds_mode, f32 bounds_min x, y,
//             z, f32 bounds_max x, y, z, i64 max_agents, f32 cell_size
//                                                             (little-endian)
//
// Pure functions.
#ifndef MEANDER_CORE_CODEC_CONFIG_CODEC_H_
#define MEANDER_CORE_CODEC_CONFIG_CODEC_H_

#include "core/codec/byte_io.h"
#include "core/simulation_config.h"

namespace meander::core {

void EncodeVec3(const Vec3& value, ByteWriter& out);
Vec3 DecodeVec3(ByteReader& in);

void EncodeConfig(const SimulationConfig& config, ByteWriter& out);
// Whatever the bytes say; whether it is valid is for Validate.
SimulationConfig DecodeConfig(ByteReader& in);

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_CONFIG_CODEC_H_
