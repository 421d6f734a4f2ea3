#include "simt/engine/shared_memory.hpp"

#include <link.h>

#include <cstring>
#include <string_view>

#include "simt/memory/elf_file.hpp"

namespace rafter::simt {
namespace {

// Modules whose thread-local variables are not a kernel's: the system's and our own.
bool is_foreign(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  for (std::string_view prefix : {"libc.", "libstdc++", "libm.", "libgcc_s", "ld-linux", "libpthread", "libgomp",
                                  "librafter_simt", "linux-vdso", "libdl.", "libgtest", "libasan", "libubsan"}) {
    if (file.starts_with(prefix)) return true;
  }
  return false;
}

template <class F>
void for_modules(F&& f) {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        if (is_foreign(info->dlpi_name)) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data) {
            (*static_cast<F*>(data))(*info, info->dlpi_phdr[i]);
          }
        }
        return 0;
      },
      &f);
}

void add_variables(const char* path, std::size_t range, std::vector<SharedVariable>& variables) {
  ElfFile(path).for_symbols(ElfFile::Type::thread_local_variable, [&](const ElfFile::Symbol& symbol) {
    variables.push_back({symbol.name, symbol.value, symbol.bytes, range});
  });
}

}  // namespace

std::vector<SharedRange> find_shared_ranges() {
  std::vector<SharedRange> ranges;
  for_modules([&](const dl_phdr_info& info, const ElfW(Phdr) & segment) {
    ranges.push_back({static_cast<std::byte*>(info.dlpi_tls_data), segment.p_memsz});
  });
  return ranges;
}

std::vector<SharedVariable> find_shared_variables() {
  std::vector<SharedVariable> variables;
  std::size_t range = 0;
  for_modules([&](const dl_phdr_info& info, const ElfW(Phdr)&) { add_variables(info.dlpi_name, range++, variables); });
  return variables;
}

void save_shared(const std::vector<SharedRange>& ranges, std::vector<std::byte>& image) {
  std::size_t total = 0;
  for (const SharedRange& range : ranges) total += range.bytes;
  image.resize(total);
  std::byte* to = image.data();
  for (const SharedRange& range : ranges) {
    std::memcpy(to, range.base, range.bytes);
    to += range.bytes;
  }
}

void load_shared(const std::vector<SharedRange>& ranges, const std::vector<std::byte>& image) {
  const std::byte* from = image.data();
  for (const SharedRange& range : ranges) {
    std::memcpy(range.base, from, range.bytes);
    from += range.bytes;
  }
}

}  // namespace rafter::simt
