// Threads that the host lends to core, which starts none itself.
//
// Work is cut into pieces whose results do not depend on who does them or in
// which order, so the number of threads changes no bit.
#ifndef MEANDER_CORE_PARALLEL_FOR_H_
#define MEANDER_CORE_PARALLEL_FOR_H_

#include <cstddef>
#include <memory>
#include <type_traits>

namespace meander::core {

// A reference to something callable with an index. Does not allocate and does
// not own: valid only during the call that it is passed to.
class IndexFunction {
 public:
  template <typename F, typename = std::enable_if_t<!std::is_same_v<
                            std::remove_cvref_t<F>, IndexFunction>>>
  IndexFunction(F&& function)  // NOLINT(google-explicit-constructor)
      : object_(const_cast<void*>(
            static_cast<const void*>(std::addressof(function)))),
        call_([](void* object, std::size_t index) {
          (*static_cast<std::remove_reference_t<F>*>(object))(index);
        }) {}

  void operator()(std::size_t index) const { call_(object_, index); }

 private:
  void* object_;
  void (*call_)(void*, std::size_t);
};

class ParallelFor {
 public:
  virtual ~ParallelFor() = default;

  // Calls body(i) exactly once for each i below `count`, on any threads and in
  // any order, and returns when all calls have returned. `body` must not call
  // Run, and may need 256 KB of stack. What the calls wrote is visible to the
  // caller afterwards. Between two of its own the calling thread may do
  // something else for its host.
  virtual void Run(std::size_t count, IndexFunction body) = 0;

  // Whether nobody waits for the result any more. Asked from any thread, before
  // each piece of what may take long; such pieces are left out then, and what
  // they were to make is anything.
  virtual bool Abandoned() const { return false; }
};

// Everything on the calling thread, in order.
class SerialFor final : public ParallelFor {
 public:
  void Run(std::size_t count, IndexFunction body) override {
    for (std::size_t i = 0; i < count; ++i) body(i);
  }
};

// Calls body(i) for each i below `count`; a single one on this thread.
template <typename Body>
void RunPieces(ParallelFor& parallel, std::size_t count, Body body) {
  if (count == 1) {
    body(0);
  } else {
    parallel.Run(count, body);
  }
}

}  // namespace meander::core

#endif  // MEANDER_CORE_PARALLEL_FOR_H_
