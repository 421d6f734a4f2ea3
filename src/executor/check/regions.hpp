// What an address is, seen from the thread that runs now, and the shadow of the memory it lies in.
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

/// Shadows of one block's shared memory: the program's thread-local variables, and the dynamic part.
struct BlockShadow {
  std::vector<Shadow> ranges;  // static ones, then the dynamic one
  bool is_in_place = false;    // not in a cluster
  std::uint32_t first_segment = 0;
};

struct Found {
  Shadow* shadow;
  Space space;
  std::uint32_t first_segment;
  std::byte* address;            // as the shadow counts: of shared memory in a cluster, its home
  const Block* owner = nullptr;  // of shared memory that is reached by its home
};

class Regions {
 public:
  Regions();
  /// The same for another worker, who has shared memory of its own.
  explicit Regions(const Regions& of_first);

  /// Sets up, or finds again, what belongs to `block`; new shared memory counts from `next_segment`.
  void enter(Block& block, std::uint32_t next_segment);
  void leave(Block& block);
  void launch_began(std::uint32_t first_segment);

  /// Memory that is checked: global or shared. Nothing for local memory, parameters and code.
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
  /// The same, for a find_fast: device memory and the running block's own shared memory. The kernel's arguments, which
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
  void forget_accesses();

  /// Whether a kernel may touch `address`, which no shadow covers: its own stack, its arguments, constants, code.
  bool is_harmless(const void* address) const;
  bool is_constant(const void* address) const { return is_in(ranges_.constant, address); }
  bool is_device_variable(const void* address) const { return is_in(ranges_.device, address); }
  /// Of any of the three kinds.
  bool is_variable(const void* address) const {
    return is_device_variable(address) || is_constant(address) || is_in(ranges_.managed, address);
  }
  /// A program whose variables in device memory are known: whatever else its data holds is the host's.
  void set_variables(const rafter_simt::VariableRanges& ranges);
  /// The variable in device memory at or just before `address`, for reports.
  Target describe_variable(const void* address) const;

  /// Whether the compiler keeps there whether a shared variable's constructor has run. CUDA allows only constructors
  /// that do nothing, and has no such thing.
  bool is_guard(const void* address) const;
  /// Close to the block's shared memory, but none of it, nor of what else a kernel may touch there.
  bool is_near_shared(const void* address) const;
  /// The shared variable nearest to `address`, for reports.
  Target describe_shared(const void* address) const;

 private:
  static bool is_in(const rafter_simt::VariableRange& range, const void* address) {
    return address >= range.begin && address < range.end;
  }
  void add_modules();
  void set_shared_ranges(const std::vector<SharedRange>& ranges);
  std::unique_ptr<BlockShadow> make_block_shadow() const;
  BlockShadow& shadow_of(Block& block, std::uint32_t next_segment);
  void start(BlockShadow& shadow, Block& block) const;
  void clean(BlockShadow& shadow) const;
  std::optional<Found> find_in_cluster(std::byte* address);

  Shadow global_;
  std::vector<Shadow> variables_;  // data segments, the program's first: __device__ variables
  std::vector<std::pair<const std::byte*, const std::byte*>> images_;  // of all modules
  rafter_simt::VariableRanges ranges_{};
  struct Variable {
    std::string name;
    std::byte* base;
    std::size_t bytes;
  };
  std::vector<Variable> device_variables_;
  const std::byte* image_begin_ = nullptr;  // what the program's addresses count from
  unsigned long long modules_ = 0;          // whose variables these are
  std::vector<SharedVariable> shared_variables_;
  std::vector<SharedRange> shared_ranges_;               // of the one worker
  std::vector<std::vector<std::uint8_t>> fresh_states_;  // of each, when a block starts
  std::unordered_map<const Block*, std::unique_ptr<BlockShadow>> blocks_;
  std::vector<std::unique_ptr<BlockShadow>> spare_;
  BlockShadow* current_ = nullptr;
  Block* current_block_ = nullptr;
  const Cluster* cluster_ = nullptr;  // the current block's, where it is not alone in it
  std::uint32_t first_segment_ = 1;
};

}  // namespace rafter::simt
