// Stacks to switch to: rafter_simt/context.hpp has the switch itself, which kernels have in their own code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rafter_simt/context.hpp"

namespace rafter::simt {

using rafter_simt::Context;
using rafter_simt::switch_context;
using rafter_simt::Turn;

/// Starts `entry` on an empty stack that ends below `top`, once somebody switches to it. `entry` must not return.
inline Context new_context(std::byte* top, void (*entry)()) {
  top -= reinterpret_cast<std::uintptr_t>(top) % 16;
#if defined(__x86_64__)
  top -= sizeof(void*);  // a function starts with a return address on its stack; 0 ends an unwinder's way
  *reinterpret_cast<void**>(top) = nullptr;
#endif
  return {top, nullptr, reinterpret_cast<const void*>(entry)};
}

}  // namespace rafter::simt
