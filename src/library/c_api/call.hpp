// The frame of every C function: turns exceptions into status codes and the thread's last error.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "library/core/arguments.hpp"
#include "rafter/error.hpp"
#include "rafter/rafter.h"

namespace rafter::c_api {

/// The names of a C function and of the C++ op that it calls, as in the op's messages.
struct Function {
  const char* name;
  const char* op;

  explicit constexpr Function(const char* c_name, const char* op_name = nullptr)
      : name(c_name), op(op_name ? op_name : c_name + sizeof("rafter_") - 1) {}
};

/// Throws Error (bad_argument). The complaint continues the argument's name: "should be ..., is ...".
[[noreturn]] inline void refuse(const Function& function, const char* argument, const std::string& complaint) {
  core::refuse(function.name, argument, complaint);
}

/// Called in a catch block: stores the exception as the thread's last error and returns its status.
rafter_status record_failure(const Function& function) noexcept;

/// Runs the body of a C function.
template <class Body>
rafter_status guarded(const Function& function, Body&& body) noexcept {
  try {
    std::forward<Body>(body)(function);
    return RAFTER_OK;
  } catch (...) {
    return record_failure(function);
  }
}

/// Returns *pointer, which must not be null.
template <class T>
T& required(const Function& function, const char* argument, T* pointer) {
  if (pointer == nullptr) refuse(function, argument, "is null");
  return *pointer;
}

/// Runs the body of a function that creates a handle: `body` returns the new object.
template <class Handle, class Body>
rafter_status created(const Function& function, const char* argument, Handle** handle, Body&& body) noexcept {
  if (handle) *handle = nullptr;
  return guarded(function, [&](const Function&) {
    Handle*& made = required(function, argument, handle);
    made = new Handle{std::forward<Body>(body)(function)};
  });
}

/// Checks the struct_size at the beginning of a struct from the caller, whose first version had `first_bytes` bytes.
/// Fields that this version does not know must be 0.
void require_struct(const Function& function, const char* argument, const void* given, std::size_t first_bytes,
                    std::size_t known_bytes);

/// Requires a field that later versions may use to be 0, which they will take as the present behaviour.
inline void require_reserved(const Function& function, const char* argument, std::int32_t reserved) {
  if (reserved != 0) refuse(function, argument, "should be 0, is " + std::to_string(reserved));
}

/// Returns the caller's struct; fields that an older caller does not know are 0. `first_bytes` is the struct's size in
/// version 1.0, its sizeof until a field is appended.
template <class Struct>
Struct read_struct(const Function& function, const char* argument, const Struct* given, std::size_t first_bytes) {
  const Struct& there = required(function, argument, given);
  require_struct(function, argument, &there, first_bytes, sizeof(Struct));
  Struct read{};
  std::memcpy(&read, &there, std::min(there.struct_size, sizeof read));
  read.struct_size = sizeof read;
  return read;
}

/// Writes the fields that the caller's struct has space for, and their size to its struct_size.
template <class Struct>
void write_struct(const Function& function, const char* argument, Struct* out, std::size_t first_bytes, Struct value) {
  const std::size_t bytes = required(function, argument, out).struct_size;
  if (bytes < first_bytes)
    refuse(function, argument,
           "should have a struct_size of " + std::to_string(first_bytes) + " or more, has " + std::to_string(bytes));
  value.struct_size = std::min(bytes, sizeof value);
  std::memcpy(out, &value, value.struct_size);
}

/// Returns an enumerator of the C++ API, given its number; the last one is `last`.
template <class Enum>
Enum enumerator(const Function& function, const char* argument, std::int32_t number, Enum last) {
  if (number < 0 || number > static_cast<std::int32_t>(last))
    refuse(function, argument,
           "should be between 0 and " + std::to_string(static_cast<std::int32_t>(last)) + ", is " +
               std::to_string(number));
  return static_cast<Enum>(number);
}

}  // namespace rafter::c_api
