// Chemical elements by symbol and by atomic number.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rafter::forces {

inline constexpr std::int32_t n_elements = 118;

/// The atomic number of a symbol, in any case, or of an atomic number from 1 to 118 in digits.
std::optional<std::int32_t> element_called(std::string_view name) noexcept;

/// "C" for 6; of 1 to 118.
std::string_view symbol_of(std::int32_t element) noexcept;

}  // namespace rafter::forces
