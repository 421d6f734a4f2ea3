// A frame of an XYZ file: a molecule or crystal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rafter/forcefield.hpp"

namespace rafter::forces {

struct Frame {
  std::int64_t index = 0;  ///< index in the file, from 0
  std::int64_t line = 0;   ///< line of its atom count, from 1
  std::vector<std::int32_t> elements{};
  std::vector<double> positions{};  ///< [atoms][3], Angstrom
  std::optional<UnitCell> cell{};
  std::string other_keys{};  ///< other keys of the comment line, verbatim: "name=water charge=0"

  std::int64_t n_atoms() const { return std::ssize(elements); }
  std::int64_t line_of(std::int64_t atom) const { return line + 2 + atom; }
};

/// A frame that could not be read or computed.
struct SkippedFrame {
  std::int64_t index = 0;
  std::int64_t line = 0;                       ///< line of the fault
  std::int64_t first_line = 0, last_line = 0;  ///< range of skipped lines
  std::string reason{};
};

}  // namespace rafter::forces
