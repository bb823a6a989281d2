// Hosting and labels of worlds, between the protocol and hosting.
//
// Defaults of the protocol are filled in here and nowhere else. Only what the
// protocol alone can be wrong about is found here; values are for
// hosting::Validate, which names fields in the same way. Pure functions.
#ifndef MEANDER_SERVER_SERVICE_SETTINGS_MESSAGE_H_
#define MEANDER_SERVER_SERVICE_SETTINGS_MESSAGE_H_

#include "meander/v1/world.pb.h"
#include "meander/v1/world_service.pb.h"
#include "server/hosting/hosting_config.h"

namespace meander::service {

// Of a world to be made, the `world` of its request.
hosting::WorldSettings ToSettings(const v1::World& world,
                                  core::Violations& violations);

// What a request changes: the fields that its mask names or, without one, those
// that are set.
hosting::SettingsPatch ToPatch(const v1::UpdateWorldRequest& request,
                               core::Violations& violations);

// Every value as it is in effect, also where it is the default.
void ToMessage(const hosting::WorldSettings& settings, v1::World& out);

v1::Durability ToMessage(hosting::Durability durability);

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_SETTINGS_MESSAGE_H_
