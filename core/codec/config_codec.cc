#include "core/codec/config_codec.h"

namespace meander::core {

void EncodeVec3(const Vec3& value, ByteWriter& out) {
  out.Put(value.x);
  out.Put(value.y);
  out.Put(value.z);
}

Vec3 DecodeVec3(ByteReader& in) {
  Vec3 value;
  value.x = in.Get<float>();
  value.y = in.Get<float>();
  value.z = in.Get<float>();
  return value;
}

void EncodeConfig(const SimulationConfig& config, ByteWriter& out) {
  out.Put(config.tick_rate_hz);
  out.Put(static_cast<std::uint8_t>(config.plane));
  out.Put(static_cast<std::uint8_t>(config.bounds_mode));
  EncodeVec3(config.bounds_min, out);
  EncodeVec3(config.bounds_max, out);
  out.Put(config.max_agents);
  out.Put(config.cell_size);
}

SimulationConfig DecodeConfig(ByteReader& in) {
  SimulationConfig config;
  config.tick_rate_hz = in.Get<std::int32_t>();
  config.plane = static_cast<Plane>(in.Get<std::uint8_t>());
  config.bounds_mode = static_cast<BoundsMode>(in.Get<std::uint8_t>());
  config.bounds_min = DecodeVec3(in);
  config.bounds_max = DecodeVec3(in);
  config.max_agents = in.Get<std::int64_t>();
  config.cell_size = in.Get<float>();
  return config;
}

}  // namespace meander::core
