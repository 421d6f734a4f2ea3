#include "executor/engine/shared_memory.hpp"

#include <cstdint>
#include <cstring>

#include "executor/memory/elf_file.hpp"
#include "executor/memory/modules.hpp"

/// The argument of the dynamic linker's function that returns, and allocates if necessary, the calling thread's copy of
/// a module's thread-local variables.
struct ModuleOffset {
  unsigned long module, offset;
};
extern "C" void* __tls_get_addr(ModuleOffset* place);

namespace rafter::simt {
namespace {

struct ThreadLocalSegment {
  unsigned long module;
  std::size_t bytes;
  std::string path;
};

/// Returns the thread-local segments of all modules, including modules loaded later with variables that the calling
/// thread has not accessed yet.
std::vector<ThreadLocalSegment> thread_local_segments() {
  std::vector<ThreadLocalSegment> segments;
  for_own_modules([&](const dl_phdr_info& info) {
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = info.dlpi_phdr[i];
      if (segment.p_type == PT_TLS && info.dlpi_tls_modid != 0)
        segments.push_back({info.dlpi_tls_modid, segment.p_memsz, info.dlpi_name});
    }
  });
  return segments;
}

void add_variables(const std::string& path, std::size_t range, std::vector<SharedVariable>& variables) {
  ElfFile(path.c_str()).for_symbols(ElfFile::Type::thread_local_variable, [&](const ElfFile::Symbol& symbol) {
    variables.push_back({symbol.name, symbol.value, symbol.bytes, range});
  });
}

}  // namespace

std::vector<SharedRange> find_shared_ranges() {
  std::vector<SharedRange> ranges;
  for (const ThreadLocalSegment& segment : thread_local_segments()) {
    ModuleOffset start{segment.module, 0};
    ranges.push_back({static_cast<std::byte*>(__tls_get_addr(&start)), segment.bytes});
  }
  return ranges;
}

std::vector<SharedVariable> find_shared_variables() {
  std::vector<SharedVariable> variables;
  std::size_t range = 0;
  for (const ThreadLocalSegment& segment : thread_local_segments()) add_variables(segment.path, range++, variables);
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
