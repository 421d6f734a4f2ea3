#include "library/c_api/call.hpp"

#include <cctype>
#include <cstdio>
#include <new>
#include <string_view>

#include "rafter/version.hpp"

namespace rafter::c_api {

namespace {

/// The last failure of a thread. Of fixed size, so that it can be stored when memory is exhausted.
struct LastError {
  char message[1024] = "";
  char argument[64] = "";
  rafter_error error{sizeof(rafter_error), RAFTER_OK, message, "", argument};
};

LastError& last_error() noexcept {
  static thread_local LastError error;
  return error;
}

template <std::size_t size>
void copy_text(char (&to)[size], std::string_view text) noexcept {
  const std::size_t n = std::min(text.size(), size - 1);
  std::memcpy(to, text.data(), n);
  to[n] = '\0';
}

bool drop_prefix(std::string_view& text, std::string_view prefix) noexcept {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Stores an error. A message of the op, "sum: out overlaps in", becomes the function's: "rafter_sum: out overlaps in".
/// The argument of such a message is its first word.
rafter_status store(const Function& function, rafter_status status, std::string_view what) noexcept {
  LastError& last = last_error();
  const auto drop_name = [&](std::string_view name) {
    const std::string_view whole = what;
    if (drop_prefix(what, name) && drop_prefix(what, ": ")) return true;
    what = whole;
    return false;
  };
  const bool names_op = drop_name(function.name) || drop_name(function.op);
  std::string_view argument;
  if (names_op && status == RAFTER_BAD_ARGUMENT) {
    for (const char* group : {"details.", "forward.", "functions."}) drop_prefix(what, group);  // structs of C++ only
    argument = what.substr(0, what.find(' '));
  }
  copy_text(last.argument, argument);
  std::snprintf(last.message, sizeof last.message, "%s: %.*s", function.name, static_cast<int>(what.size()),
                what.data());
  last.error.status = status;
  last.error.function = function.name;
  return status;
}

rafter_status status_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::bad_argument: return RAFTER_BAD_ARGUMENT;
    case ErrorCode::unsupported: return RAFTER_UNSUPPORTED;
    case ErrorCode::out_of_memory: return RAFTER_OUT_OF_MEMORY;
    case ErrorCode::device_failure: return RAFTER_DEVICE_FAILURE;
    case ErrorCode::io: return RAFTER_IO;
  }
  return RAFTER_INTERNAL;
}

}  // namespace

rafter_status record_failure(const Function& function) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return store(function, status_of(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    return store(function, RAFTER_OUT_OF_MEMORY, "the host has no memory left");
  } catch (const std::exception& error) {
    return store(function, RAFTER_INTERNAL, error.what());
  } catch (...) {
    return store(function, RAFTER_INTERNAL, "an exception that is not derived from std::exception");
  }
}

void require_struct(const Function& function, const char* argument, const void* given, std::size_t first_bytes,
                    std::size_t known_bytes) {
  constexpr std::size_t most = 4096;  // more than any struct will have: the field is uninitialised
  const std::size_t bytes = *static_cast<const std::size_t*>(given);
  if (bytes < first_bytes || bytes > most)
    refuse(function, argument,
           "should have a struct_size of " + std::to_string(known_bytes) + " (sizeof), has " + std::to_string(bytes));
  const auto* data = static_cast<const unsigned char*>(given);
  for (std::size_t i = known_bytes; i < bytes; ++i) {
    if (data[i] == 0) continue;
    throw Error(ErrorCode::unsupported, std::string(function.name) + ": " + argument + " sets a field at byte " +
                                            std::to_string(i) + " that this version of the library does not have");
  }
}

}  // namespace rafter::c_api

using namespace rafter;  // NOLINT: the functions below are C's

uint32_t rafter_abi_version(void) noexcept { return RAFTER_ABI_VERSION; }

const char* rafter_version(void) noexcept { return RAFTER_VERSION; }

const rafter_error* rafter_last_error(void) noexcept { return &c_api::last_error().error; }

const char* rafter_status_name(rafter_status status) noexcept {
  switch (status) {
    case RAFTER_OK: return "ok";
    case RAFTER_BAD_ARGUMENT: return "bad argument";
    case RAFTER_UNSUPPORTED: return "unsupported";
    case RAFTER_OUT_OF_MEMORY: return "out of memory";
    case RAFTER_DEVICE_FAILURE: return "device failure";
    case RAFTER_IO: return "input or output failed";
    case RAFTER_INTERNAL: return "internal error";
    default: return "unknown status";
  }
}
