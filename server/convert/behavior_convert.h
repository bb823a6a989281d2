// Behaviors of terms between the protocol and core.
//
// Defaults of the protocol are filled in here; values are for core::Validate.
// Pure functions.
#ifndef MEANDER_SERVER_CONVERT_BEHAVIOR_CONVERT_H_
#define MEANDER_SERVER_CONVERT_BEHAVIOR_CONVERT_H_

#include <string_view>

#include "core/behavior.h"
#include "core/error.h"
#include "meander/v1/archetype.pb.h"

namespace meander::convert {

// What the protocol alone can be wrong about (no behavior, one without its
// neighborhood, a number that its enum does not have) is added to `violations`,
// with the field below `path`, that of the term.
core::Behavior ToCore(const v1::Term& term, std::string_view path,
                      core::Violations& violations);

// Every value as it is in effect, also where it is the default; what is
// unlimited stays unset. The rest of `out` is left alone.
void ToProto(const core::Behavior& behavior, v1::Term& out);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_BEHAVIOR_CONVERT_H_
