// Core for callers that are not C++: functions with C linkage, and what the
// WebAssembly module (CMakeLists.txt) exports, for a browser that follows a
// world in lockstep.
//
// A MeanderWorld is made from a snapshot and goes on by the records that were
// admitted after it, each once, in their order. Refused, with nothing done, is
// what is out of order, not valid for the world's config, beyond the limits
// below, or names agents or archetypes that were never made; what a server
// limits besides (room for agents, ticks ahead) is not looked at.
// meander_error says what was wrong with the last call. Calls on a world that
// could not be opened are harmless and fail. Bytes go in by pointer and are
// not kept. Decoding them allocates no more than a constant and a constant
// times their size; stepping, also the agents that a spawn in an area makes,
// up to the config's max_agents.
//
// Pointers that are given out stay valid until the next call on their world.
// No global state; one thread for each world. Preconditions: pointers are of
// this interface and not null; `bytes` has `size` bytes. Where memory runs out
// the process ends, and the WebAssembly module traps; only meander_allocate
// answers that there is none.
#ifndef MEANDER_CORE_C_API_C_API_H_
#define MEANDER_CORE_C_API_C_API_H_

// C reads this header too.
#include <stddef.h>  // NOLINT(modernize-deprecated-headers)
#include <stdint.h>  // NOLINT(modernize-deprecated-headers)

#ifdef __cplusplus
#define MEANDER_NOEXCEPT noexcept
extern "C" {
#else
#define MEANDER_NOEXCEPT
#endif

typedef struct MeanderWorld MeanderWorld;

// Commands of a world that wait for their tick, those of its snapshot with
// them: how many, and how many bytes their records have together. As many as a
// server allows that was not told otherwise.
enum {
  kMeanderMaxPendingCommands = 65536,
  kMeanderMaxPendingBytes = 64 << 20,
};

// Columns of all agents in ascending order of id.
enum MeanderColumn {
  kMeanderId = 0,           // i64
  kMeanderArchetypeId = 1,  // i32
  kMeanderTag = 2,          // u64
  kMeanderPositionX = 3,    // f32, units
  kMeanderPositionY = 4,
  kMeanderPositionZ = 5,
  kMeanderVelocityX = 6,  // f32, units/s
  kMeanderVelocityY = 7,
  kMeanderVelocityZ = 8,
};

// Room for bytes that a caller without memory of its own hands in. Null when
// there is no more memory.
void* meander_allocate(size_t size) MEANDER_NOEXCEPT;
void meander_release(void* room) MEANDER_NOEXCEPT;

// A world from a snapshot (core/codec/snapshot.h), to be closed also when
// meander_error says that there is none in the bytes.
MeanderWorld* meander_open(const char* bytes, size_t size) MEANDER_NOEXCEPT;
void meander_close(MeanderWorld* world) MEANDER_NOEXCEPT;

// What was wrong with the last call of open, apply or step: UTF-8 with a zero
// at its end, empty when nothing was.
const char* meander_error(const MeanderWorld* world) MEANDER_NOEXCEPT;

// Takes one admitted command (a record of core/codec/command_codec.h), to be
// applied at its tick: its sequence is the next one, its tick is to come and at
// most 2^62, its agent ids are the next ones, it is valid, and there is room
// among the pending ones. 1 when it was taken, else 0.
int32_t meander_apply(MeanderWorld* world, const char* bytes,
                      size_t size) MEANDER_NOEXCEPT;

// Advances one tick. 1 when it did, else 0.
int32_t meander_step(MeanderWorld* world) MEANDER_NOEXCEPT;

// 0 where there is no world.
int64_t meander_tick(const MeanderWorld* world) MEANDER_NOEXCEPT;
uint64_t meander_hash(const MeanderWorld* world) MEANDER_NOEXCEPT;
size_t meander_agent_count(const MeanderWorld* world) MEANDER_NOEXCEPT;

// meander_agent_count numbers of the column's type; null for what is no column
// or no world.
const void* meander_column(MeanderWorld* world,
                           int32_t column) MEANDER_NOEXCEPT;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // MEANDER_CORE_C_API_C_API_H_
