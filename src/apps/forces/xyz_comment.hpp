// The second line of a frame: a remark in plain XYZ, keys with values in extended XYZ.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "rafter/forcefield.hpp"

namespace rafter::forces {

/// Where the words of an atom's line are.
struct AtomColumns {
  std::size_t element = 0;   ///< a symbol or an atomic number
  std::size_t position = 1;  ///< the first of three
  std::size_t n = 4;
  bool are_all = false;  ///< lines have no more; those of plain XYZ may, and it is passed over

  bool operator==(const AtomColumns&) const = default;
};

struct XyzComment {
  std::optional<UnitCell> cell{};
  AtomColumns columns{};
  /// All but Lattice, pbc, Properties and the results that are written anew (energy, forces, virial, stress). A line
  /// without any key becomes comment="...".
  std::string other_keys{};
};

/// Throws Error (bad_argument) with what was expected.
XyzComment parse_comment(std::string_view line);

}  // namespace rafter::forces
