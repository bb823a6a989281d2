// The scenes of the gallery as worlds of core, without a server.
//
// The same messages that clients send, through the server's own conversion, so
// that each has the hash that the gallery has on a server. One thread.
#ifndef MEANDER_TESTS_GALLERY_GALLERY_SCENARIOS_H_
#define MEANDER_TESTS_GALLERY_GALLERY_SCENARIOS_H_

#include <vector>

#include "tests/scenarios/scenario.h"

namespace meander::gallery {

// In the order and with the names of scenes::Scenes(); each runs as long as its
// story.
std::vector<scenarios::Scenario> GalleryScenarios();

}  // namespace meander::gallery

#endif  // MEANDER_TESTS_GALLERY_GALLERY_SCENARIOS_H_
