#include "simt/engine/shared_memory.hpp"

#include <cstring>

#include "simt/memory/elf_file.hpp"
#include "simt/memory/modules.hpp"

namespace rafter::simt {
namespace {

template <class F>
void for_thread_local_segments(F&& f) {
  for_own_modules([&](const dl_phdr_info& info) {
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      if (info.dlpi_phdr[i].p_type == PT_TLS && info.dlpi_tls_data) f(info, info.dlpi_phdr[i]);
    }
  });
}

void add_variables(const char* path, std::size_t range, std::vector<SharedVariable>& variables) {
  ElfFile(path).for_symbols(ElfFile::Type::thread_local_variable, [&](const ElfFile::Symbol& symbol) {
    variables.push_back({symbol.name, symbol.value, symbol.bytes, range});
  });
}

}  // namespace

std::vector<SharedRange> find_shared_ranges() {
  std::vector<SharedRange> ranges;
  for_thread_local_segments([&](const dl_phdr_info& info, const ElfW(Phdr) & segment) {
    ranges.push_back({static_cast<std::byte*>(info.dlpi_tls_data), segment.p_memsz});
  });
  return ranges;
}

std::vector<SharedVariable> find_shared_variables() {
  std::vector<SharedVariable> variables;
  std::size_t range = 0;
  for_thread_local_segments(
      [&](const dl_phdr_info& info, const ElfW(Phdr)&) { add_variables(info.dlpi_name, range++, variables); });
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
