// Core for callers that are not C++: functions with C linkage, and what the
// WebAssembly module (CMakeLists.txt) exports, for a browser that follows a
// world in lockstep.
//
// A MeanderWorld is made from a snapshot and goes on by the records that were
// admitted after it, each once, in their order: what would be out of order, or
// that admission would have refused, is refused here too, with nothing done.
// meander_error says what was wrong with the last call. Calls on a world that
// could not be opened are harmless and fail. Bytes go in by pointer and are
// not kept; a decoder allocates no more than a constant times their size.
//
// Pointers that are given out stay valid until the next call on their world.
// No global state; one thread for each world. Preconditions: pointers are of
// this interface and not null; `bytes` has `size` bytes.
#ifndef MEANDER_CORE_C_API_C_API_H_
#define MEANDER_CORE_C_API_C_API_H_

#include <cstddef>
#include <cstdint>

extern "C" {

struct MeanderWorld;

// Columns of all agents in ascending order of id.
enum MeanderColumn : std::int32_t {
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
void* meander_allocate(std::size_t size);
void meander_release(void* room);

// A world from a snapshot (core/codec/snapshot.h), to be closed also when
// meander_error says that there is none in the bytes.
MeanderWorld* meander_open(const char* bytes, std::size_t size);
void meander_close(MeanderWorld* world);

// What was wrong with the last call of open, apply or step: UTF-8 with a zero
// at its end, empty when nothing was.
const char* meander_error(const MeanderWorld* world);

// Takes one admitted command (a record of core/codec/command_codec.h), to be
// applied at its tick: its sequence is the next one, its tick is to come, its
// agent ids are the next ones, and it is valid. 1 when it was taken, else 0.
std::int32_t meander_apply(MeanderWorld* world, const char* bytes,
                           std::size_t size);

// Advances one tick. 1 when it did, else 0.
std::int32_t meander_step(MeanderWorld* world);

// 0 where there is no world.
std::int64_t meander_tick(const MeanderWorld* world);
std::uint64_t meander_hash(const MeanderWorld* world);
std::size_t meander_agent_count(const MeanderWorld* world);

// meander_agent_count numbers of the column's type; null for what is no column
// or no world.
const void* meander_column(MeanderWorld* world, std::int32_t column);

}  // extern "C"

#endif  // MEANDER_CORE_C_API_C_API_H_
