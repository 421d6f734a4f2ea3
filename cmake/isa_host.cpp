// Prints the instruction-set level of the configuring machine, for RAFTER_ISA_LEVELS=native.
#include "library/core/cpu/isa_host.hpp"

#include <cstdio>

int main() {
  const char* names[] = {"base", "sve128", "sve256", "v2", "v3", "v4"};
  std::puts(names[static_cast<int>(rafter::core::host_isa_level())]);
}
