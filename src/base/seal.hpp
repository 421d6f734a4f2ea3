// Messages between the tool and a process that runs user code, authenticated by a key that the user code does not have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rafter::base {

/// Returns a fresh secret of 256 bits as hexadecimal digits. Throws Error (io) without a source of randomness.
std::string new_key();

/// Returns the bytes after a line with their HMAC. `purpose` is part of what is authenticated, so that a message of one
/// purpose cannot be passed off as one of another.
std::string seal(std::string_view key, std::string_view purpose, std::string_view bytes);

/// Returns the bytes of a sealed message, or nullopt unless it was sealed with this key for this purpose.
std::optional<std::string_view> unseal(std::string_view key, std::string_view purpose, std::string_view message);

}  // namespace rafter::base
