// Finds the memory region of an address, as seen by the running thread, and the shadow of that region.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "executor/engine/block.hpp"
#include "executor/engine/shared_memory.hpp"
#include "executor/memory/shadow.hpp"
#include "executor/process/finding.hpp"

namespace rafter::simt {

inline constexpr const char* dynamic_shared_name = "dynamic shared memory";

/// The shadows of one block's shared memory: the program's thread-local variables and the dynamic part.
struct BlockShadow {
  std::vector<Shadow> ranges;  // static ranges, then the dynamic one
  bool is_in_place = false;    // the block is not in a cluster
  std::uint32_t first_segment = 0;
};

struct Found {
  Shadow* shadow;
  Space space;
  std::uint32_t first_segment;
  std::byte* address;            // in the shadow's range: for shared memory in a cluster, the home address
  const Block* owner = nullptr;  // of shared memory accessed by its home address
};

/// A variable of a module with kernels.
struct ModuleVariable {
  std::string symbol;
  std::byte* base;
  std::size_t bytes;
  bool is_of_program;  // not of a library

  std::string name() const;  // without namespaces
};
std::vector<ModuleVariable> module_variables();

class Regions {
 public:
  Regions();
  /// Regions of another worker, with its own shared memory.
  explicit Regions(const Regions& of_first);

  /// Sets up or restores the shadows of `block`. Records in new shared memory are valid from `next_segment` on.
  void enter(Block& block, std::uint32_t next_segment);
  void leave(Block& block);
  void launch_began(std::uint32_t first_segment);

  /// Finds checked memory, which is global or shared. Returns nullopt for local memory, parameters and code.
  std::optional<Found> find(const void* address) {
    auto* at = static_cast<std::byte*>(const_cast<void*>(address));
    if (global_.holds(at)) return Found{&global_, Space::global, first_segment_, at};
    if (cluster_) [[unlikely]] {
      if (const auto found = find_in_cluster(at)) return found;
    } else {
      for (Shadow& range : current_->ranges) {
        if (range.holds(at)) return Found{&range, Space::shared, current_->first_segment, at};
      }
    }
    for (Shadow& range : variables_) {
      if (range.holds(at)) return Found{&range, Space::global, first_segment_, at};
    }
    return std::nullopt;
  }
  /// find() for the fast path: device memory and the running block's own shared memory. The kernel's arguments, which
  /// every thread reads, count as local.
  struct FastFound {
    Shadow* shadow;
    Space space;
    std::uint32_t first_segment;
  };
  FastFound find_fast(const std::byte* at, std::span<const std::byte> arguments) {
    if (global_.holds(at)) return {&global_, Space::global, first_segment_};
    if (static_cast<std::size_t>(at - arguments.data()) < arguments.size()) return {nullptr, Space::local, 0};
    for (Shadow& range : current_->ranges) {
      if (range.holds(at)) return {&range, Space::shared, current_->first_segment};
    }
    return {nullptr, Space::none, 0};
  }
  Shadow& global() { return global_; }
  /// Takes up modules that were loaded since the last launch. Returns whether there were any.
  bool update_modules();
  /// The shadows of the modules' data segments.
  std::span<Shadow> module_data() { return variables_; }
  void forget_accesses();

  /// Whether a kernel may access `address`, which has no shadow: its stack, its arguments, constants or code.
  bool is_harmless(const void* address) const;
  bool is_constant(const void* address) const { return is_in(ranges_.constant, address); }
  bool is_device_variable(const void* address) const { return is_in(ranges_.device, address); }
  /// Whether it is a __device__, __constant__ or __managed__ variable.
  bool is_variable(const void* address) const {
    return is_device_variable(address) || is_constant(address) || is_in(ranges_.managed, address);
  }
  /// Sets the ranges of the program's variables in device memory. All other data of the program belongs to the host.
  void set_variables(const rafter_simt::VariableRanges& ranges);
  /// Returns the variable in device memory at or just before `address`, for reports.
  Target describe_variable(const void* address) const;

  /// Whether the address is a guard variable, in which the compiler notes that a shared variable was constructed. CUDA
  /// has no such variables, because it allows only trivial constructors.
  bool is_guard(const void* address) const;
  /// Whether the address is close to the block's shared memory, but not inside it or other memory that a kernel may
  /// access.
  bool is_near_shared(const void* address) const;
  /// Returns the shared variable nearest to `address`, for reports.
  Target describe_shared(const void* address) const;

 private:
  static bool is_in(const rafter_simt::VariableRange& range, const void* address) {
    return address >= range.begin && address < range.end;
  }
  void add_modules();
  void take_up_modules();
  void set_shared_ranges(const std::vector<SharedRange>& ranges);
  std::unique_ptr<BlockShadow> make_block_shadow() const;
  BlockShadow& shadow_of(Block& block, std::uint32_t next_segment);
  void start(BlockShadow& shadow, Block& block) const;
  void clean(BlockShadow& shadow) const;
  std::optional<Found> find_in_cluster(std::byte* address);

  Shadow global_;
  std::vector<Shadow> variables_;  // data segments, with the __device__ variables; the program's comes first
  std::vector<std::pair<const std::byte*, const std::byte*>> images_;  // of all modules
  rafter_simt::VariableRanges ranges_{};
  struct Variable {
    std::string name;
    std::byte* base;
    std::size_t bytes;
  };
  std::vector<Variable> device_variables_;
  const std::byte* image_begin_ = nullptr;  // load address of the program
  unsigned long long modules_ = 0;          // version of the module list that the variables were read from
  std::vector<SharedVariable> shared_variables_;
  std::vector<SharedRange> shared_ranges_;               // of this worker
  std::vector<std::vector<std::uint8_t>> fresh_states_;  // initial states of a block, for each range
  std::unordered_map<const Block*, std::unique_ptr<BlockShadow>> blocks_;
  std::vector<std::unique_ptr<BlockShadow>> spare_;
  BlockShadow* current_ = nullptr;
  Block* current_block_ = nullptr;
  const Cluster* cluster_ = nullptr;  // of the current block; nullptr if the block is alone
  std::uint32_t first_segment_ = 1;
};

}  // namespace rafter::simt
