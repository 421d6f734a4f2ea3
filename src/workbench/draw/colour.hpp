// The colours of figures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rafter::draw {

using Colour = std::array<std::uint8_t, 3>;  // sRGB

constexpr Colour white{255, 255, 255};
constexpr Colour ink{38, 38, 46};       // text and axes
constexpr Colour soft{104, 104, 116};   // secondary text
constexpr Colour faint{226, 226, 232};  // grid lines

/// Okabe and Ito's colours, which are distinguishable for colour-blind readers, without yellow, which is too light on
/// white; followed by Tol's wine and olive.
constexpr std::array<Colour, 9> palette{{{0, 114, 178},
                                         {213, 94, 0},
                                         {0, 158, 115},
                                         {204, 121, 167},
                                         {230, 159, 0},
                                         {86, 180, 233},
                                         {0, 0, 0},
                                         {136, 34, 85},
                                         {153, 153, 51}}};

/// The background a figure is made for.
enum class Theme { light, dark };

/// Returns a colour of a figure, which is given for a light background, as the theme shows it: white, text, grid lines
/// and black change; the other colours of the palette are legible on both.
constexpr Colour themed(Colour colour, Theme theme) {
  if (theme == Theme::light) return colour;
  if (colour == white) return {13, 17, 23};
  if (colour == ink) return {230, 237, 243};
  if (colour == soft) return {145, 152, 161};
  if (colour == faint) return {48, 54, 61};
  if (colour == Colour{0, 0, 0}) return {240, 240, 240};
  if (colour == palette[0]) return {56, 149, 211};
  return colour;
}

constexpr Colour series_colour(std::size_t i) { return palette[i % palette.size()]; }

/// Returns the colour of a value from 0 to 1: night blue over violet, red and orange to pale yellow. Lightness grows
/// evenly, so that equal differences look equal, in greyscale and for colour-blind readers, too. Values outside are
/// clamped; NaN is grey.
Colour colour_of(double value);

inline constexpr Colour colour_of_nan{128, 128, 128};

}  // namespace rafter::draw
