// The comment line of a frame: a remark in plain XYZ, keys with values in extended XYZ.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "rafter/forcefield.hpp"

namespace rafter::forces {

/// The columns of an atom's line.
struct AtomColumns {
  std::size_t element = 0;   ///< a symbol or an atomic number
  std::size_t position = 1;  ///< the first of three columns
  std::size_t n = 4;
  bool are_all = false;  ///< whether lines have no further columns; in plain XYZ further ones are ignored

  bool operator==(const AtomColumns&) const = default;
};

struct XyzComment {
  std::optional<UnitCell> cell{};
  AtomColumns columns{};
  /// All keys except Lattice, pbc, Properties and the recomputed results (energy, forces, virial, stress). A line
  /// without keys becomes comment="...".
  std::string other_keys{};
};

/// Parses a comment line. Throws Error (bad_argument) with what was expected.
XyzComment parse_comment(std::string_view line);

}  // namespace rafter::forces
