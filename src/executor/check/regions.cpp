#include "executor/check/regions.hpp"

#include <cxxabi.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>

#include "executor/engine/workers/worker.hpp"
#include "executor/memory/elf_file.hpp"
#include "executor/memory/memory.hpp"
#include "executor/memory/modules.hpp"

namespace rafter::simt {
namespace {

using Range = std::pair<const std::byte*, const std::byte*>;

// Collects all loaded segments of all modules, and the writable segments of the program and of each module with
// kernels. The program comes first.
void find_images(std::vector<Range>& all, std::vector<Range>& data, const std::byte*& program) {
  struct Both {
    std::vector<Range>& all;
    std::vector<Range>& data;
    const std::byte*& program;
    bool is_program = true;
  } both{all, data, program};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        auto& found = *static_cast<Both*>(to);
        if (found.is_program) found.program = reinterpret_cast<const std::byte*>(info->dlpi_addr);
        Range writable{nullptr, nullptr};
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          const auto* begin = reinterpret_cast<const std::byte*>(info->dlpi_addr + segment.p_vaddr);
          const Range range{begin, begin + segment.p_memsz};
          found.all.push_back(range);
          if (segment.p_flags & PF_W) writable = range;
        }
        if (found.is_program || needs_runtime(*info)) found.data.push_back(writable);
        found.is_program = false;
        return 0;
      },
      &both);
}

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // `x` would be demangled to "long long"
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string plain = text ? text : name;
  std::free(text);
  const auto last = plain.rfind("::");  // "kernel(float*)::tile"
  return last == std::string::npos ? plain : plain.substr(last + 2);
}

bool is_alone(const Block& block) { return !block.cluster || block.cluster->size() == 1; }

std::byte* aligned_to_word(std::byte* address) { return address - reinterpret_cast<std::uintptr_t>(address) % 4; }

bool names_guard(const std::string& name) { return name.starts_with("_ZGV"); }

}  // namespace

Regions::Regions() {
  if (!global_.reserve(memory().base(), memory().range_bytes()))
    throw std::runtime_error(
        "not enough address space for shadow memory: raise ulimit -v, or set vm.overcommit_memory to 0 or 1");
  add_modules();
}

/// Adds all modules that are loaded now, including those already known.
void Regions::add_modules() {
  modules_ = modules_version();
  std::vector<Range> data;
  images_.clear();
  find_images(images_, data, image_begin_);
  for (const Range& range : data) {
    const std::byte *begin = range.first, *end = range.second;
    if (std::any_of(variables_.begin(), variables_.end(), [&](const Shadow& known) { return known.holds(begin); }))
      continue;
    const auto bytes = static_cast<std::size_t>(end - begin);
    Shadow& shadow = variables_.emplace_back();
    shadow.reserve(const_cast<std::byte*>(begin), bytes);
    shadow.set(Shadow::Part::exists, begin, bytes, true);
    shadow.set(Shadow::Part::written, begin, bytes, true);
  }
  shared_variables_ = find_shared_variables();
  // Padding after the kernel's variables, added by a driver program, is not a variable.
  std::erase_if(shared_variables_,
                [](const auto& v) { return v.name.find("rafter_simt_padding") != std::string::npos; });
}

bool Regions::update_modules() {
  if (modules_ == modules_version()) return false;
  take_up_modules();
  return true;
}

/// Adds the modules and forgets the layout of shared memory, which depends on them.
void Regions::take_up_modules() {
  add_modules();
  for (auto& shadow : spare_) {
    for (Shadow& range : shadow->ranges) range.drop();
  }
  spare_.clear();
  shared_ranges_.clear();
}

Regions::Regions(const Regions& of_first)
    : global_(of_first.global_),
      variables_(of_first.variables_),
      images_(of_first.images_),
      ranges_(of_first.ranges_),
      device_variables_(of_first.device_variables_),
      image_begin_(of_first.image_begin_),
      shared_variables_(of_first.shared_variables_) {}

void Regions::set_variables(const rafter_simt::VariableRanges& ranges) {
  ranges_ = ranges;
  const ElfFile program("");
  const auto* loaded_at = image_begin_;
  Shadow& of_program = variables_.front();
  // Host variables do not exist for kernels. The rest of the segment (pointer tables, linker data) may be read by any
  // code.
  for (const char* name : {".data", ".bss"}) {
    const ElfFile::Section section = program.section(name);
    of_program.set(Shadow::Part::exists, loaded_at + section.address, section.bytes, false);
  }
  for (const auto& [begin, end] : {ranges.device, ranges.constant, ranges.managed}) {
    if (begin != end) of_program.set(Shadow::Part::exists, begin, static_cast<std::size_t>(end - begin), false);
  }
  program.for_symbols(ElfFile::Type::variable, [&](const ElfFile::Symbol& symbol) {
    auto* base = const_cast<std::byte*>(loaded_at) + symbol.value;
    if (!is_variable(base)) return;
    device_variables_.push_back({symbol.name, base, symbol.bytes});
    of_program.set(Shadow::Part::exists, base, symbol.bytes, true);
  });
}

std::string ModuleVariable::name() const { return demangled(symbol); }

std::vector<ModuleVariable> module_variables() {
  std::vector<ModuleVariable> all;
  for_own_modules([&](const dl_phdr_info& module) {
    if (!needs_runtime(module)) return;
    auto* const loaded_at = reinterpret_cast<std::byte*>(module.dlpi_addr);
    ElfFile(module.dlpi_name).for_symbols(ElfFile::Type::variable, [&](const ElfFile::Symbol& symbol) {
      all.push_back({symbol.name, loaded_at + symbol.value, symbol.bytes, *module.dlpi_name == '\0'});
    });
  });
  return all;
}

namespace {

/// Describes a variable of a library, which has no ranges that tell the kinds of variables apart. Every occurrence of a
/// finding is described before it is known to be one of many, so the symbols are read once.
Target describe_module_variable(const std::byte* at) {
  static std::mutex reading;
  static unsigned long long version = 0;
  static std::vector<ModuleVariable> all;
  const std::lock_guard lock(reading);
  if (version != modules_version()) all = module_variables();
  version = modules_version();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ModuleVariable& variable) {
    return at >= variable.base && at < variable.base + variable.bytes;
  });
  if (found == all.end()) return {"a variable", 0, 0, nullptr, nullptr};
  return {"variable " + found->name(), found->bytes, at - found->base, nullptr, nullptr};
}

}  // namespace

Target Regions::describe_variable(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  const Variable* best = nullptr;
  for (const Variable& v : device_variables_) {
    if (v.base <= at && (!best || v.base > best->base)) best = &v;
  }
  if (!best) return describe_module_variable(at);
  const char* kind = is_constant(best->base)          ? "__constant__ "
                     : is_device_variable(best->base) ? "__device__ "
                                                      : "__managed__ ";
  return {kind + demangled(best->name), best->bytes, at - best->base, nullptr, nullptr};
}

std::unique_ptr<BlockShadow> Regions::make_block_shadow() const {
  auto shadow = std::make_unique<BlockShadow>();
  for (const SharedRange& range : shared_ranges_) {
    Shadow part;
    if (!part.reserve(range.base, range.bytes))
      throw std::runtime_error(
          "not enough address space for shadow memory: raise ulimit -v, or set vm.overcommit_memory to 0 or 1");
    shadow->ranges.push_back(part);
  }
  shadow->ranges.emplace_back();
  return shadow;
}

// In a new block no shared memory is written, and the variables of the symbol table exist. All kernels of the program
// share this layout, so the initial states are computed once and copied for each block.
void Regions::set_shared_ranges(const std::vector<SharedRange>& ranges) {
  shared_ranges_ = ranges;
  fresh_states_.clear();
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    const bool is_stripped = std::none_of(shared_variables_.begin(), shared_variables_.end(),
                                          [r](const SharedVariable& v) { return v.range == r; });
    std::byte* base = aligned_to_word(ranges[r].base);
    const std::size_t bytes = ranges[r].bytes + static_cast<std::size_t>(ranges[r].base - base);
    auto& state = fresh_states_.emplace_back(bytes / 4 + 1, static_cast<std::uint8_t>(is_stripped ? 0xf0 : 0));
    Shadow fresh{.base = base, .bytes = bytes, .state = state.data()};
    for (const SharedVariable& v : shared_variables_) {
      if (v.range == r && !names_guard(v.name)) {
        fresh.set(Shadow::Part::exists, ranges[r].base + v.offset, v.bytes, true);
      }
    }
  }
}

void Regions::start(BlockShadow& shadow, Block& block) const {
  shadow.is_in_place = is_alone(block);
  for (std::size_t r = 0; r < shared_ranges_.size(); ++r) {
    Shadow& part = shadow.ranges[r];
    std::byte* base = is_alone(block) ? shared_ranges_[r].base : block.shared_image.ranges()[r].base;
    part.base = base - (shared_ranges_[r].base - aligned_to_word(shared_ranges_[r].base));
    std::copy(fresh_states_[r].begin(), fresh_states_[r].end(), part.state);
  }
  Shadow& dynamic = shadow.ranges.back();
  std::byte* base = block.dynamic_base();
  const std::size_t needed_bytes = rafter_simt_now.shared_bytes + shared_redzone_bytes;
  if (dynamic.bytes < needed_bytes) {
    dynamic.drop();
    if (!dynamic.reserve(base, needed_bytes))
      throw std::runtime_error(
          "not enough address space for shadow memory: raise ulimit -v, or set vm.overcommit_memory to 0 or 1");
  }
  dynamic.base = base;
  std::memset(dynamic.state, 0, dynamic.bytes / 4 + 1);
  dynamic.set(Shadow::Part::exists, base, rafter_simt_now.shared_bytes, true);
}

// Zeroes the shared memory that a block wrote when the block ends, so that an uninitialised read in the next block does
// not depend on the block that ran before.
void Regions::clean(BlockShadow& shadow) const {
  if (!shadow.is_in_place) return;
  for (const Shadow& part : shadow.ranges) {
    constexpr std::size_t many = 8;  // states tested together
    const std::size_t n_words = part.bytes / 4;
    for (std::size_t word = 0; word < n_words; word += many) {
      std::uint64_t states = 0;
      const std::size_t n = std::min(many, n_words - word);
      std::memcpy(&states, part.state + word, n);
      if (states & 0x0f0f0f0f0f0f0f0f) {
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t byte = 0; byte < 4; ++byte) {
            if (states >> (8 * i + byte) & 1) part.base[4 * (word + i) + byte] = {};
          }
        }
      }
    }
  }
}

BlockShadow& Regions::shadow_of(Block& block, std::uint32_t next_segment) {
  auto& shadow = blocks_[&block];
  if (!shadow) {
    if (spare_.empty()) spare_.push_back(make_block_shadow());
    shadow = std::move(spare_.back());
    spare_.pop_back();
    shadow->first_segment = next_segment;
    start(*shadow, block);
  }
  return *shadow;
}

void Regions::enter(Block& block, std::uint32_t next_segment) {
  if (modules_ != this_worker()->modules()) take_up_modules();  // first block of the launch
  if (shared_ranges_.empty()) set_shared_ranges(this_worker()->shared_ranges());
  current_ = &shadow_of(block, next_segment);
  current_block_ = &block;
  cluster_ = is_alone(block) ? nullptr : block.cluster.get();
  if (!cluster_) return;
  for (unsigned rank = 0; rank < cluster_->size(); ++rank) shadow_of(cluster_->block(rank), next_segment);
}

std::optional<Found> Regions::find_in_cluster(std::byte* address) {
  std::byte* at = home_address(address);
  for (unsigned rank = 0; rank < cluster_->size(); ++rank) {
    Block& block = cluster_->block(rank);
    BlockShadow& shadow = *blocks_.at(&block);
    for (Shadow& range : shadow.ranges) {
      if (!range.holds(at)) continue;
      // The running block uses the memory in place; its home address is for the other blocks.
      const bool is_own = &block == current_block_ && (at != address || &range == &shadow.ranges.back());
      return Found{&range, Space::shared, shadow.first_segment, at, is_own ? nullptr : &block};
    }
  }
  return std::nullopt;
}

// The blocks of an aborted launch never ended.
void Regions::launch_began(std::uint32_t first_segment) {
  first_segment_ = first_segment;
  for (auto& [block, shadow] : blocks_) {
    clean(*shadow);
    spare_.push_back(std::move(shadow));
  }
  blocks_.clear();
}

void Regions::leave(Block& block) {
  const auto at = blocks_.find(&block);
  if (at == blocks_.end()) return;
  clean(*at->second);
  spare_.push_back(std::move(at->second));
  blocks_.erase(at);
}

void Regions::forget_accesses() {
  global_.forget_accesses();
  for (Shadow& shadow : variables_) shadow.forget_accesses();
  for (auto& shadow : spare_) {
    for (Shadow& range : shadow->ranges) range.forget_accesses();
  }
  for (auto& [block, shadow] : blocks_) {
    for (Shadow& range : shadow->ranges) range.forget_accesses();
  }
}

bool Regions::is_harmless(const void* address) const {
  Worker& worker = *this_worker();
  const auto* at = static_cast<const std::byte*>(address);
  const auto& launch = worker.grid().launch();
  if (static_cast<std::size_t>(at - static_cast<const std::byte*>(launch.closure)) < launch.closure_bytes) return true;
  if (worker.fibers().holds(address)) return true;
  const auto* now = reinterpret_cast<const std::byte*>(&rafter_simt_now);
  if (static_cast<std::size_t>(at - now) < sizeof rafter_simt_now) return true;
  for (const auto& [begin, end] : images_) {
    if (at >= begin && at < end) return true;
  }
  return memory().is_registered(address);
}

bool Regions::is_near_shared(const void* address) const {
  constexpr std::ptrdiff_t margin = 64 << 10;
  const auto* at = static_cast<const std::byte*>(address);
  const auto is_near = [&](const std::byte* base, std::size_t bytes) {
    return bytes > 0 && at - base >= -margin && at - base < static_cast<std::ptrdiff_t>(bytes) + margin;
  };
  return is_near(static_cast<const std::byte*>(rafter_simt_now.dynamic_shared), rafter_simt_now.shared_bytes) ||
         std::any_of(shared_ranges_.begin(), shared_ranges_.end(),
                     [&](const SharedRange& range) { return is_near(range.base, range.bytes); });
}

bool Regions::is_guard(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  return std::any_of(shared_variables_.begin(), shared_variables_.end(), [&](const SharedVariable& v) {
    return names_guard(v.name) && static_cast<std::size_t>(at - (shared_ranges_[v.range].base + v.offset)) < v.bytes;
  });
}

Target Regions::describe_shared(const void* address) const {
  if (Block* owner = cluster_ ? this_worker()->owner_of(address) : nullptr; owner && owner != current_block_) {
    const unsigned own_rank = cluster_->rank_of(*current_block_);
    Target target = describe_shared(this_worker()->map_shared(address, own_rank, nullptr));
    target.what += " of the block of rank " + std::to_string(cluster_->rank_of(*owner));
    return target;
  }
  const auto* at = static_cast<const std::byte*>(address);
  const auto* dynamic = static_cast<const std::byte*>(rafter_simt_now.dynamic_shared);
  const std::size_t dynamic_bytes = rafter_simt_now.shared_bytes;
  const auto base_of = [&](const SharedVariable& v) { return shared_ranges_[v.range].base + v.offset; };
  const auto distance = [&](const std::byte* base, std::size_t bytes) {
    return at < base ? base - at : std::max<std::ptrdiff_t>(at - base - static_cast<std::ptrdiff_t>(bytes) + 1, 0);
  };
  const SharedVariable* best = nullptr;
  for (const SharedVariable& v : shared_variables_) {
    if (names_guard(v.name)) continue;
    if (!best || distance(base_of(v), v.bytes) < distance(base_of(*best), best->bytes)) best = &v;
  }
  if (!best || distance(dynamic, dynamic_bytes) < distance(base_of(*best), best->bytes)) {
    return {dynamic_shared_name, dynamic_bytes, at - dynamic, nullptr, nullptr};
  }
  return {"__shared__ " + demangled(best->name), best->bytes, at - base_of(*best), nullptr, nullptr};
}

}  // namespace rafter::simt
