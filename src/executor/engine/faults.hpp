// Faults in kernels: an address that is not mapped, a stack that is too small.
#pragma once

#include <cstddef>

namespace rafter::simt {

/// While it is there, faults in kernels on the calling OS thread end the launch instead of the process. They are
/// handled on a stack of their own: the thread's may be what is used up.
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
