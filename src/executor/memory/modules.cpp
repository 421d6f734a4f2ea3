#include "executor/memory/modules.hpp"

#include <string_view>

namespace rafter::simt {
namespace {

bool is_foreign(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  for (std::string_view prefix :
       {"libc.", "libstdc++", "libm.", "libgcc_s", "ld-linux", "libpthread", "libgomp", "librafter_simt", "linux-vdso",
        "libdl.", "libgtest", "libasan", "libubsan", "libopenblas", "libblis", "libgfortran", "libquadmath"}) {
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

unsigned long long modules_version() {
  unsigned long long version = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        *static_cast<unsigned long long*>(to) = info->dlpi_adds + info->dlpi_subs;
        return 1;  // every entry has the same counters
      },
      &version);
  return version;
}

bool needs_runtime(const dl_phdr_info& module) {
  const ElfW(Dyn)* entries = nullptr;
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    if (module.dlpi_phdr[i].p_type == PT_DYNAMIC)
      entries = reinterpret_cast<const ElfW(Dyn)*>(module.dlpi_addr + module.dlpi_phdr[i].p_vaddr);
  }
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = entries; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  }
  for (const ElfW(Dyn)* entry = entries; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_NEEDED && std::string_view(names + entry->d_un.d_val).starts_with("librafter_simt"))
      return true;
  }
  return false;
}

}  // namespace rafter::simt
