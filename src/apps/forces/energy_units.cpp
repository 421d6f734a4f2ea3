#include "apps/forces/energy_units.hpp"

#include <strings.h>

#include <vector>

#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::forces {

namespace {

// CODATA 2018. The mole and the electron charge are exact.
constexpr double joules = 1 / 1.602176634e-19;
constexpr double joules_per_mole = joules / 6.02214076e23;

struct EnergyUnit {
  const char* name;
  double in_electronvolts;
};
constexpr EnergyUnit energy_units[]{{"eV", 1},
                                    {"meV", 1e-3},
                                    {"kcal/mol", 4184 * joules_per_mole},
                                    {"kJ/mol", 1000 * joules_per_mole},
                                    {"Hartree", 27.211386245988},
                                    {"Ha", 27.211386245988}};

}  // namespace

double electronvolts_in(const std::string& unit) {
  std::vector<std::string> known;
  for (const EnergyUnit& candidate : energy_units) {
    if (strcasecmp(unit.c_str(), candidate.name) == 0) return candidate.in_electronvolts;
    known.emplace_back(candidate.name);
  }
  throw Error(ErrorCode::bad_argument, base::unknown_name("energy unit", unit, known));
}

}  // namespace rafter::forces
