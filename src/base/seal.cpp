#include "base/seal.hpp"

#include <sys/random.h>

#include "base/sha256.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

namespace {

constexpr std::size_t mark_digits = 2 * sizeof(Digest);

std::string mark_of(std::string_view key, std::string_view purpose, std::string_view bytes) {
  std::string text(purpose);
  text += '\n';
  text += bytes;
  return hex(hmac_sha256(key, text));
}

}  // namespace

std::string new_key() {
  Digest bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error(ErrorCode::io, "the system has no source of random numbers");
  return hex(bytes);
}

std::string seal(std::string_view key, std::string_view purpose, std::string_view bytes) {
  std::string message = mark_of(key, purpose, bytes);
  message += '\n';
  message += bytes;
  return message;
}

std::optional<std::string_view> unseal(std::string_view key, std::string_view purpose, std::string_view message) {
  if (message.size() <= mark_digits || message[mark_digits] != '\n') return std::nullopt;
  const std::string_view bytes = message.substr(mark_digits + 1);
  if (message.substr(0, mark_digits) != mark_of(key, purpose, bytes)) return std::nullopt;
  return bytes;
}

}  // namespace rafter::base
