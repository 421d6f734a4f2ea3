#include "executor/check/array_names.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "executor/engine/workers/worker.hpp"
#include "executor/memory/elf_file.hpp"
#include "executor/memory/memory.hpp"
#include "executor/memory/modules.hpp"

namespace rafter::simt {
namespace {

using Names = std::vector<std::string>;

/// Returns the last component of a kernel's name, without template arguments: "b" for "a::b<float>".
std::string_view plain_name(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find_first_of("<("));
  const std::size_t last = kernel.find_last_of(":& ");
  return last == std::string_view::npos ? kernel : kernel.substr(last + 1);
}

/// The parameters' names of all kernels of the process, from the tables that build/rewrite/kernels.cpp emits.
class ParameterNames {
 public:
  /// Returns the names, or nullptr if the kernel is unknown or several kernels of this name differ in them.
  const Names* of(const char* kernel, std::size_t n_arguments) {
    if (version_ != modules_version()) read();
    const Names* found = nullptr;
    const auto [first, last] = names_.equal_range(std::string(plain_name(kernel)));
    for (auto at = first; at != last; ++at) {
      if (at->second.size() != n_arguments) continue;
      if (found && *found != at->second) return nullptr;
      found = &at->second;
    }
    return found;
  }

 private:
  void read() {
    version_ = modules_version();
    names_.clear();
    for_own_modules([&](const dl_phdr_info& info) {
      const ElfFile::Section table = ElfFile(info.dlpi_name).section("rafter_parameters");
      const auto* at = reinterpret_cast<const char*>(info.dlpi_addr + table.address);
      for (const char* end = at + table.bytes; at < end; at += std::strlen(at) + 1) add(at);
    });
  }

  void add(std::string_view entry) {
    Names names;  // one of a read-only array begins with `!`
    const std::size_t kernel = std::min(entry.find(','), entry.size());
    for (std::size_t at = kernel; at < entry.size();) {
      const std::size_t end = std::min(entry.find(',', at + 1), entry.size());
      names.emplace_back(entry.substr(at + 1, end - at - 1));
      at = end;
    }
    names_.emplace(entry.substr(0, kernel), std::move(names));
  }

  std::unordered_multimap<std::string, Names> names_;
  unsigned long long version_ = 0;
};

/// A pointer of the kernel into an allocation.
struct Pointer {
  const std::byte* to;
  std::size_t argument, element_bytes;
  bool is_typed, fits;  // fits: not a pointer to const for a write, or the reverse for a read
};

/// Returns the pointer that the address is most likely computed from: the nearest at or below it.
std::optional<Pointer> best_pointer(const rafter_simt::ArgumentList& list, const Allocation& allocation,
                                    const std::byte* address, bool writes) {
  std::optional<Pointer> best;
  const auto is_better = [&](const Pointer& a, const Pointer& b) {
    const bool a_below = a.to <= address, b_below = b.to <= address;
    if (a_below != b_below) return a_below;
    if (a.to != b.to) return a_below == (a.to > b.to);
    if (a.is_typed != b.is_typed) return a.is_typed;
    return a.fits && !b.fits;
  };
  const auto consider = [&](const Pointer& pointer) {
    const auto offset = static_cast<std::size_t>(pointer.to - allocation.base);
    if (offset < allocation.bytes && (!best || is_better(pointer, *best))) best = pointer;
  };
  for (std::size_t i = 0; i < list.n; ++i) {
    const rafter_simt::Argument& argument = list.all[i];
    if (argument.object_bytes == 0) {
      consider({static_cast<const std::byte*>(argument.value), i, argument.element_bytes, argument.element_bytes > 0,
                (argument.is_const != 0) != writes});
      continue;
    }
    for (std::size_t at = 0; at + sizeof(void*) <= argument.object_bytes; at += sizeof(void*)) {
      const std::byte* pointer = nullptr;
      std::memcpy(&pointer, static_cast<const std::byte*>(argument.value) + at, sizeof pointer);
      consider({pointer, i, 0, false, true});
    }
  }
  return best;
}

std::int64_t rounded_down(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Returns the names of a kernel's parameters, or nothing if they are unknown.
std::optional<Names> names_of(const char* kernel, std::size_t n_arguments) {
  static std::mutex& reading = *new std::mutex;
  static ParameterNames& all = *new ParameterNames;
  const std::lock_guard lock(reading);
  const Names* const names = all.of(kernel, n_arguments);
  return names ? std::optional(*names) : std::nullopt;
}

rafter_simt::ArgumentList arguments_of(const rafter_simt::Launch& launch) {
  rafter_simt::ArgumentList list{};
  const unsigned inside = std::exchange(rafter_simt_now.inside, 0u);  // no accesses of the thread
  rafter_simt_listing = &list;
  launch.list_arguments(launch.closure);
  rafter_simt_listing = nullptr;
  rafter_simt_now.inside = inside;
  return list;
}

}  // namespace

std::vector<ReadOnlyArray> written_read_only_arrays(const rafter_simt::Launch& launch) {
  std::vector<ReadOnlyArray> arrays;
  if (!launch.list_arguments) return arrays;
  const rafter_simt::ArgumentList list = arguments_of(launch);
  const std::optional<Names> names = names_of(launch.kernel, list.n);
  if (!names) return arrays;
  for (std::size_t i = 0; i < list.n; ++i) {
    if (!(*names)[i].starts_with("!") || list.all[i].object_bytes > 0) continue;
    const auto* const begin = static_cast<const std::byte*>(list.all[i].value);
    const Allocation* const allocation = memory().holds(begin) ? memory().find(begin) : nullptr;
    if (!allocation || !allocation->live) continue;
    ReadOnlyArray array{begin, allocation->base + allocation->bytes, (*names)[i].substr(1)};
    bool may_be_written = false;
    for (std::size_t other = 0; other < list.n; ++other) {
      const auto* const to = static_cast<const std::byte*>(list.all[other].value);
      if (other == i || list.all[other].object_bytes > 0 || to < allocation->base ||
          to >= allocation->base + allocation->bytes)
        continue;
      may_be_written = may_be_written || list.all[other].is_const == 0;
      if (to > begin) array.end = std::min(array.end, to);
    }
    if (may_be_written) arrays.push_back(std::move(array));
  }
  return arrays;
}

void set_element(Target& target, std::uint64_t access_bytes) {
  constexpr std::uint64_t widest = 16;  // an access of more is a copy or a structure
  const auto bytes = static_cast<std::int64_t>(access_bytes);
  const bool is_one = access_bytes > 0 && access_bytes <= widest && target.bytes > access_bytes;
  if (is_one && target.offset % bytes == 0) target.element_bytes = access_bytes;
}

void name_array(Target& target, const Allocation& allocation, const void* address, std::uint64_t access_bytes,
                bool writes) {
  set_element(target, access_bytes);
  if (!rafter_simt_now.inside) return;
  const rafter_simt::Launch& launch = this_worker()->grid().launch();
  if (!launch.list_arguments) return;
  const rafter_simt::ArgumentList list = arguments_of(launch);
  const auto* const at = static_cast<const std::byte*>(address);
  const auto pointer = best_pointer(list, allocation, at, writes);
  if (!pointer) return;
  const std::optional<Names> names = names_of(launch.kernel, list.n);
  if (!names || (*names)[pointer->argument].empty()) return;
  target.argument = (*names)[pointer->argument];
  if (target.argument.starts_with("!")) target.argument.erase(0, 1);
  if (target.argument.empty()) return;
  if (pointer->element_bytes > 0)
    target.index = rounded_down(at - pointer->to, static_cast<std::int64_t>(pointer->element_bytes));
}

}  // namespace rafter::simt
