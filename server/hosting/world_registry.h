// The worlds of a server, by id.
//
// An id names at most one open world. A host that was found may be closed at
// any time; it says so itself. Once a second, worlds that nobody has used for
// as long as their settings say are deleted. Thread-safe.
#ifndef MEANDER_SERVER_HOSTING_WORLD_REGISTRY_H_
#define MEANDER_SERVER_HOSTING_WORLD_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/simulation_config.h"
#include "server/hosting/host_context.h"
#include "server/hosting/hosting_config.h"
#include "server/hosting/limits.h"
#include "server/hosting/request_book.h"
#include "server/hosting/world_host.h"
#include "server/hosting/world_info.h"

namespace meander::hosting {

// Whether a world can be called so: ^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$
bool IsWorldId(std::string_view id);

// A world to be made.
struct NewWorld {
  std::string id;
  core::SimulationConfig config;
  std::uint64_t seed = 0;
  WorldSettings settings;
  std::optional<RequestKey> key;  // make it at most once under it
};

// A world as it was made.
struct Creation {
  WorldIdentity identity;
  WorldStatus status;
};

// Fields at fault, named as in CreateWorldRequest. Durability is not checked:
// whether one can be had is no matter of form.
core::Violations Validate(const NewWorld& world, const Limits& limits);

class WorldRegistry {
 public:
  explicit WorldRegistry(HostContext context);
  // Closes every world.
  ~WorldRegistry();
  WorldRegistry(const WorldRegistry&) = delete;
  WorldRegistry& operator=(const WorldRegistry&) = delete;

  // Makes a world at tick 0, or tells how it was made when the key came before.
  // Errors: the first of Validate; kRequestIdReused; kDurabilityUnavailable;
  // kWorldExists; kQuotaExceeded when the server is full; that of CloseAll.
  core::Result<std::shared_ptr<const Creation>> Create(NewWorld world);

  // Null when there is no such world. Whoever asks for it uses it.
  std::shared_ptr<WorldHost> Find(std::string_view world_id) const;

  // At most `limit` worlds whose id comes after `after`, in ascending order of
  // id. "" comes before all.
  std::vector<std::shared_ptr<WorldHost>> List(std::string_view after,
                                               std::size_t limit) const;

  // Forgets the world and closes it with kWorldNotFound. Errors:
  // kWorldNotFound; that of CloseAll.
  std::optional<core::Error> Delete(std::string_view world_id);

  // Closes every world with `error`, which Create and Delete give from then
  // on. The worlds can still be found, and say so themselves.
  void CloseAll(const core::Error& error);

  std::size_t size() const;

 private:
  class Sweeper;

  core::Result<std::shared_ptr<const Creation>> CreateLocked(NewWorld& world);
  void DeleteExpired();

  const HostContext context_;
  RequestBook<std::shared_ptr<const Creation>> creations_;
  std::shared_ptr<Sweeper> sweeper_;
  mutable std::mutex mutex_;  // guards all below
  std::map<std::string, std::shared_ptr<WorldHost>, std::less<>> worlds_;
  std::optional<core::Error> closed_;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORLD_REGISTRY_H_
