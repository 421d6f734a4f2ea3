// A molecule or crystal as an XYZ file has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rafter/forcefield.hpp"

namespace rafter::forces {

struct Frame {
  std::int64_t index = 0;  ///< among the frames of its file, from 0
  std::int64_t line = 0;   ///< of its count, from 1
  std::vector<std::int32_t> elements{};
  std::vector<double> positions{};  ///< [atoms][3], Angstrom
  std::optional<UnitCell> cell{};
  std::string other_keys{};  ///< of the comment line, as they were written: "name=water charge=0"

  std::int64_t n_atoms() const { return std::ssize(elements); }
  std::int64_t line_of(std::int64_t atom) const { return line + 2 + atom; }
};

/// One that could not be read or calculated.
struct SkippedFrame {
  std::int64_t index = 0;
  std::int64_t line = 0;                       ///< where it is wrong
  std::int64_t first_line = 0, last_line = 0;  ///< that were skipped
  std::string reason{};
};

}  // namespace rafter::forces
