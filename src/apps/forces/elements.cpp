#include "apps/forces/elements.hpp"

#include <array>
#include <charconv>

namespace rafter::forces {

namespace {

constexpr std::array<std::string_view, n_elements> symbols{
    "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",  "Cl",
    "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se",
    "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb",
    "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er",
    "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At",
    "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No",
    "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

/// Returns 1 to 26 for a letter of either case; 0 for other characters.
constexpr std::size_t letter(char c) {
  const auto lower = static_cast<unsigned char>(c | 0x20);
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 1u : 0;
}

constexpr std::size_t place_of(std::string_view symbol) {
  return letter(symbol[0]) * 27 + (symbol.size() == 2 ? letter(symbol[1]) : 0);
}

constexpr auto element_at = [] {
  std::array<std::uint8_t, 27 * 27> elements{};  // 0: none
  for (std::size_t i = 0; i < symbols.size(); ++i) elements[place_of(symbols[i])] = static_cast<std::uint8_t>(i + 1);
  return elements;
}();

}  // namespace

std::optional<std::int32_t> element_called(std::string_view name) noexcept {
  if (name.empty()) return std::nullopt;
  std::int32_t element = 0;
  if (name[0] >= '0' && name[0] <= '9') {
    const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), element);
    if (status != std::errc() || end != name.data() + name.size() || element > n_elements) return std::nullopt;
  } else if (name.size() <= 2 && letter(name[0]) != 0 && (name.size() == 1 || letter(name[1]) != 0)) {
    element = element_at[place_of(name)];
  }
  return element > 0 ? std::optional(element) : std::nullopt;
}

std::string_view symbol_of(std::int32_t element) noexcept { return symbols[static_cast<std::size_t>(element - 1)]; }

}  // namespace rafter::forces
