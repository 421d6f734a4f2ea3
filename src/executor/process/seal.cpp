#include "executor/process/seal.hpp"

#include <cstdlib>
#include <cstring>
#include <exception>

#include "base/seal.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

constexpr std::string_view key_variable = "RAFTER_SIMT_KEY", options_variable = "RAFTER_SIMT";

std::string& key() {
  static std::string& text = *new std::string;  // never destroyed: the report is written last
  return text;
}

/// Returns the value of a variable in the environment's own memory, or nullptr.
char* value_of(std::string_view variable, char** environment) {
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    if (entry.size() > variable.size() && entry.starts_with(variable) && entry[variable.size()] == '=')
      return *environment + variable.size() + 1;
  }
  return nullptr;
}

/// Removes a variable. Its memory is cleared first, because /proc/self/environ still shows it.
void forget(std::string_view variable, char* value) {
  std::memset(value, 0, std::strlen(value));
  unsetenv(std::string(variable).c_str());
}

// The first constructor of the runtime, whose constructors run before those of the program that depends on it.
__attribute__((constructor(101))) void take_key(int, char**, char** environment) {
  char* const secret = value_of(key_variable, environment);
  if (secret == nullptr) return;
  try {
    options();
  } catch (const std::exception&) {
    return;  // reported when the observer is chosen, which ends the process
  }
  key() = secret;
  forget(key_variable, secret);
  if (char* const text = value_of(options_variable, environment)) forget(options_variable, text);
}

}  // namespace

bool is_sealed() { return !key().empty(); }

std::string sealed(std::string_view purpose, std::string_view bytes) {
  return is_sealed() ? base::seal(key(), purpose, bytes) : std::string(bytes);
}

std::optional<std::string_view> unsealed(std::string_view purpose, std::string_view text) {
  return is_sealed() ? base::unseal(key(), purpose, text) : text;
}

}  // namespace rafter::simt
