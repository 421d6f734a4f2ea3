// Shared libraries that are loaded when one of their functions is first called. cuBLASLt takes 0.09 s of processor time
// to load, which every command of the tool would spend.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <string>

#include "rafter/error.hpp"

namespace rafter {

/// Returns a function of a library. Throws Error (unsupported) if the library cannot be loaded or lacks the function.
/// `names` are tried in order; the library stays loaded.
inline void* late_function(std::initializer_list<const char*> names, const char* function) {
  void* library = nullptr;
  for (const char* name : names) {
    if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  void* found = library != nullptr ? dlsym(library, function) : nullptr;
  if (found == nullptr) {
    const char* reason = dlerror();
    throw Error(ErrorCode::unsupported, std::string("cannot load ") + function + ": " + (reason ? reason : ""));
  }
  return found;
}

/// Calls a function that late_function() has returned. The arguments must have the types of its parameters.
template <class Result, class... Arguments>
Result call_late(void* function, Arguments... arguments) {
  return reinterpret_cast<Result (*)(Arguments...)>(function)(arguments...);
}

}  // namespace rafter
