// Enumerations between the protocol and core.
//
// A table pairs the values; its first row is what UNSPECIFIED stands for.
// Enums of the protocol are open: a value that is none of the table is told by
// its field. Pure functions.
#ifndef MEANDER_SERVER_CONVERT_ENUM_CONVERT_H_
#define MEANDER_SERVER_CONVERT_ENUM_CONVERT_H_

#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/simulation_config.h"
#include "core/validation.h"
#include "meander/v1/world.pb.h"

namespace meander::convert {

template <typename Shown, typename Held>
struct EnumPair {
  Shown shown;
  Held held;
};

template <typename Shown, typename Held, int kRows>
struct EnumTable {
  const char* what;  // "plane"
  EnumPair<Shown, Held> rows[kRows];
};

inline constexpr EnumTable<v1::Plane, core::Plane, 4> kPlanes{
    "plane",
    {{v1::PLANE_NONE, core::Plane::kNone},
     {v1::PLANE_XY, core::Plane::kXY},
     {v1::PLANE_XZ, core::Plane::kXZ},
     {v1::PLANE_YZ, core::Plane::kYZ}}};

inline constexpr EnumTable<v1::BoundsMode, core::BoundsMode, 3> kBoundsModes{
    "mode",
    {{v1::BOUNDS_MODE_OPEN, core::BoundsMode::kOpen},
     {v1::BOUNDS_MODE_CLAMP, core::BoundsMode::kClamp},
     {v1::BOUNDS_MODE_WRAP, core::BoundsMode::kWrap}}};

// The value of core, or that of the first row when there is none; then `check`
// is told of the field.
template <typename Shown, typename Held, int kRows>
Held ToCore(Shown shown, const EnumTable<Shown, Held, kRows>& table,
            std::string_view field, core::FieldChecker& check) {
  if (static_cast<int>(shown) == 0) return table.rows[0].held;
  for (const EnumPair<Shown, Held>& row : table.rows) {
    if (row.shown == shown) return row.held;
  }
  check.Fail(
      core::ErrorCode::kMalformed, field,
      std::to_string(static_cast<int>(shown)) + " is not a " + table.what);
  return table.rows[0].held;
}

// Precondition: the table has the value.
template <typename Shown, typename Held, int kRows>
Shown ToProto(Held held, const EnumTable<Shown, Held, kRows>& table) {
  for (const EnumPair<Shown, Held>& row : table.rows) {
    if (row.held == held) return row.shown;
  }
  MEANDER_CHECK(false && "a value that the protocol does not show");
}

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_ENUM_CONVERT_H_
