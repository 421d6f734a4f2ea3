// SHA-256 (FIPS 180-4) and its keyed form, HMAC-SHA-256 (RFC 2104).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace rafter::base {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::string_view text);
Digest hmac_sha256(std::string_view key, std::string_view text);

/// Returns the digest as 64 hexadecimal digits.
std::string hex(const Digest& digest);

}  // namespace rafter::base
