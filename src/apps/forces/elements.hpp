// Chemical elements by symbol and by atomic number.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rafter::forces {

inline constexpr std::int32_t n_elements = 118;

/// Returns the atomic number of a symbol, in any case, or of a number from 1 to 118 in digits.
std::optional<std::int32_t> element_called(std::string_view name) noexcept;

/// Returns the symbol of an element from 1 to 118, such as "C" for 6.
std::string_view symbol_of(std::int32_t element) noexcept;

}  // namespace rafter::forces
