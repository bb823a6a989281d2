// Archetypes between the protocol and core.
//
// Defaults of the protocol are filled in here and nowhere else; values are for
// core::Validate. Pure functions.
#ifndef MEANDER_SERVER_CONVERT_ARCHETYPE_CONVERT_H_
#define MEANDER_SERVER_CONVERT_ARCHETYPE_CONVERT_H_

#include <string_view>

#include "core/archetype.h"
#include "core/error.h"
#include "meander/v1/archetype.pb.h"

namespace meander::convert {

// The error names the first field at fault below `path`, of those that the
// protocol alone can be wrong about: too many terms, one that sets no behavior
// (behavior_convert.h), a number that its enum does not have.
core::Result<core::Archetype> ToCore(const v1::Archetype& archetype,
                                     std::string_view path);

// Every value as it is in effect, also where it is the default; what is
// unlimited stays unset.
void ToProto(const core::Archetype& archetype, v1::Archetype& out);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_ARCHETYPE_CONVERT_H_
