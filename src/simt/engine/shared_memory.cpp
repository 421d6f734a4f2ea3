#include "simt/engine/shared_memory.hpp"

#include <cstdint>
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

void SharedImage::save(const std::vector<SharedRange>& ranges) {
  constexpr std::size_t page = 4096;
  if (homes_.empty() && !ranges.empty()) {
    std::size_t total = 0;
    for (const SharedRange& range : ranges) total += range.bytes + page;
    memory_.resize(total);
    std::byte* next = memory_.data();
    for (const SharedRange& range : ranges) {
      next += (reinterpret_cast<std::uintptr_t>(range.base) - reinterpret_cast<std::uintptr_t>(next)) % page;
      homes_.push_back({next, range.bytes});
      next += range.bytes;
    }
  }
  for (std::size_t r = 0; r < ranges.size(); ++r) std::memcpy(homes_[r].base, ranges[r].base, ranges[r].bytes);
  is_empty_ = false;
}

void SharedImage::load(const std::vector<SharedRange>& ranges) const {
  for (std::size_t r = 0; r < ranges.size(); ++r) std::memcpy(ranges[r].base, homes_[r].base, ranges[r].bytes);
}

std::optional<std::byte*> moved(const void* address, const std::vector<SharedRange>& from,
                                const std::vector<SharedRange>& to) {
  for (std::size_t r = 0; r < from.size(); ++r) {
    if (from[r].holds(address)) return to[r].base + (static_cast<const std::byte*>(address) - from[r].base);
  }
  return std::nullopt;
}

}  // namespace rafter::simt
