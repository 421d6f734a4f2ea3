// Units of energy that models are trained in.
#pragma once

#include <string>

namespace rafter::forces {

/// Returns the number of eV in a unit: eV, meV, kcal/mol, kJ/mol or Hartree, in any case. Throws Error (bad_argument)
/// for others.
double electronvolts_in(const std::string& unit);

}  // namespace rafter::forces
