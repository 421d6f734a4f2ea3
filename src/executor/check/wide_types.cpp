#include "executor/check/wide_types.hpp"

#include <cstddef>

#include "executor/memory/elf_file.hpp"
#include "executor/memory/modules.hpp"

namespace rafter::simt {

bool has_structures_at_8() {
  static const bool has = [] {
    bool any = false;
    for_own_modules([&](const dl_phdr_info& info) {
      const ElfFile::Section types = ElfFile(info.dlpi_name).section("rafter_types");  // build/rewrite/structures.cpp
      const auto* at = reinterpret_cast<const unsigned*>(info.dlpi_addr + types.address);
      for (std::size_t i = 0; i + 1 < types.bytes / sizeof *at; i += 2) any = any || (at[i] == 0 && at[i + 1] == 8);
    });
    return any;
  }();
  return has;
}

}  // namespace rafter::simt
