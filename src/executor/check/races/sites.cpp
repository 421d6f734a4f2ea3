#include "executor/check/races/sites.hpp"

#include <link.h>

#include <algorithm>

namespace rafter::simt {

Sites::Sites() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        *static_cast<std::uintptr_t*>(data) = info->dlpi_addr;  // the program itself comes first
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            *static_cast<std::uintptr_t*>(data) += info->dlpi_phdr[i].p_vaddr;
            break;
          }
        }
        return 1;
      },
      &base_);
}

std::uint32_t Sites::number_elsewhere(const void* place) {
  auto at = std::find(others_.begin(), others_.end(), place);
  if (at == others_.end()) {
    if (others_.size() == (1u << 16) - 1) return first_other;  // the table is full: further places share a number
    others_.push_back(place);
    at = others_.end() - 1;
  }
  return first_other + static_cast<std::uint32_t>(at - others_.begin());
}

}  // namespace rafter::simt
