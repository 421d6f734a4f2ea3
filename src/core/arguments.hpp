// Checks of an op's arguments; each throws Error (bad_argument) with what was expected and what came.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "rafter/error.hpp"

namespace rafter::core {

[[noreturn]] inline void refuse(const char* op, const char* argument, const std::string& complaint) {
  throw Error(ErrorCode::bad_argument, std::string(op) + ": " + argument + " " + complaint);
}

/// Elements there are must have an address, and one their type allows.
template <class T>
void require_array(const char* op, const char* argument, std::span<T> array) {
  if (array.empty()) return;
  if (array.data() == nullptr)
    refuse(op, argument, "is null but should hold " + std::to_string(array.size()) + " elements");
  if (reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) != 0) {
    refuse(op, argument, "must be aligned to its element size of " + std::to_string(alignof(T)) + " bytes");
  }
}

template <class T>
void require_size(const char* op, const char* argument, std::span<T> array, std::int64_t expected) {
  if (std::ssize(array) != expected) {
    refuse(op, argument, "should have " + std::to_string(expected) + " elements, has " + std::to_string(array.size()));
  }
}

template <class T>
void require_disjoint(const char* op, const char* first, std::span<const T> a, const char* second,
                      std::span<const T> b) {
  const std::less<const T*> before;
  if (a.empty() || b.empty()) return;
  if (before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size())) {
    refuse(op, second, std::string("overlaps ") + first);
  }
}

}  // namespace rafter::core
