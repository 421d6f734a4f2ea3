// Faults in kernels: accesses to unmapped addresses, stack overflows.
#pragma once

#include <cstddef>

namespace rafter::simt {

/// A scope in which faults in kernels on the calling OS thread end the launch instead of the process. They are
/// handled on a stack of their own, because the thread's stack may have overflowed.
class FaultStack {
 public:
  FaultStack();
  ~FaultStack();
  FaultStack(const FaultStack&) = delete;
  FaultStack& operator=(const FaultStack&) = delete;

 private:
  static constexpr std::size_t bytes = 256 << 10;
  void* const memory_;
};

}  // namespace rafter::simt
