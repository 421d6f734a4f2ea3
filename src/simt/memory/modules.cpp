#include "simt/memory/modules.hpp"

#include <string_view>

namespace rafter::simt {
namespace {

bool is_foreign(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  for (std::string_view prefix : {"libc.", "libstdc++", "libm.", "libgcc_s", "ld-linux", "libpthread", "libgomp",
                                  "librafter_simt", "linux-vdso", "libdl.", "libgtest", "libasan", "libubsan"}) {
    if (file.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace

void for_own_modules(const std::function<void(const dl_phdr_info&)>& f) {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        if (!is_foreign(info->dlpi_name)) (*static_cast<const std::function<void(const dl_phdr_info&)>*>(data))(*info);
        return 0;
      },
      const_cast<std::function<void(const dl_phdr_info&)>*>(&f));
}

}  // namespace rafter::simt
