// Counts what operator new gives out, in this whole test program.
//
// One AllocationCount at a time; it counts on every thread.
#ifndef MEANDER_TESTS_CORE_COUNTING_NEW_H_
#define MEANDER_TESTS_CORE_COUNTING_NEW_H_

#include <cstddef>

namespace meander::core {

// Counts from its construction on.
class AllocationCount {
 public:
  AllocationCount();

  // Calls of any operator new.
  std::size_t calls() const;
  // Bytes that they were asked for, freed or not.
  std::size_t bytes() const;

 private:
  std::size_t first_call_;
  std::size_t first_byte_;
};

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_COUNTING_NEW_H_
