// Every limit of a server, each with its default, in one place.
//
// Plain data, set once before the server starts. Each number can be set by a
// flag of the same name. What can change a bit of a world is not here but in
// core/simulation_config.h.
#ifndef MEANDER_SERVER_HOSTING_LIMITS_H_
#define MEANDER_SERVER_HOSTING_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "core/simulation_config.h"

namespace meander::hosting {

struct Limits {
  // Of the server.
  std::size_t max_worlds = 1'000;
  std::int64_t max_agents_total = 10'000'000;  // alive and pending, all worlds
  std::size_t max_request_bytes = std::size_t{4} << 20;
  std::size_t max_message_bytes = std::size_t{1} << 20;  // of those it sends
  std::size_t max_page_size = 1'000;
  std::size_t default_page_size = 100;
  std::size_t max_pending_bytes_total = std::size_t{1} << 30;

  // Of a world.
  std::int64_t max_agents = core::kMaxAgents;
  std::size_t max_pending_commands = 65'536;
  std::size_t max_pending_bytes = std::size_t{64} << 20;
  std::int64_t max_ticks_ahead = 3'600;
  std::size_t max_subscribers = 1'000;
  std::size_t max_waiting_steppers = 1'000;
  std::size_t max_waiting_readers = 10'000;
  std::size_t published_states = 4;       // buffers for readers
  std::size_t max_kept_answers = 65'536;  // of requests with a request id
  std::size_t max_kept_answer_bytes = std::size_t{8} << 20;
  std::size_t max_kept_outcomes = 65'536;  // of commands that have ended
  std::size_t max_kept_events = 65'536;    // for watchers who ask

  // Of a request.
  std::size_t max_batch_commands = 4'096;
  std::int64_t max_step_ticks = 1'000'000;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_LIMITS_H_
