// Colours that everything drawn shares.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rafter::draw {

using Colour = std::array<std::uint8_t, 3>;  // sRGB

constexpr Colour white{255, 255, 255};
constexpr Colour ink{38, 38, 46};       // words and axes
constexpr Colour soft{104, 104, 116};   // what is said beside
constexpr Colour faint{226, 226, 232};  // grid lines

/// Okabe and Ito's colours, which colour-blind eyes tell apart, without the yellow, which white paper swallows; then
/// Tol's wine and olive.
constexpr std::array<Colour, 9> palette{{{0, 114, 178},
                                         {213, 94, 0},
                                         {0, 158, 115},
                                         {204, 121, 167},
                                         {230, 159, 0},
                                         {86, 180, 233},
                                         {0, 0, 0},
                                         {136, 34, 85},
                                         {153, 153, 51}}};

constexpr Colour series_colour(std::size_t i) { return palette[i % palette.size()]; }

}  // namespace rafter::draw
