// Races by meaning: two accesses to one word, at least one a write, not both atomic, with nothing that orders them,
// whatever the order they happened to run in.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "simt/check/findings.hpp"
#include "simt/check/hand_over.hpp"
#include "simt/check/observer.hpp"
#include "simt/check/sites.hpp"
#include "simt/engine/block.hpp"
#include "simt/engine/grid.hpp"
#include "simt/memory/shadow.hpp"

namespace rafter::simt {

class RaceChecker {
 public:
  void launch_began(Grid& grid);
  void block_entered(Block& block) { block_ = &block; }
  /// Records of a block's own shared memory older than this are of other blocks.
  std::uint32_t next_segment() const { return first_segment_ + static_cast<std::uint32_t>(segments_.size()); }
  std::uint32_t first_segment() const { return first_segment_; }

  void access(const Access& access, Shadow& shadow, std::uint32_t first_segment, Space space);
  void atomic_done(const void* address, bool stored);
  void fence(rafter_simt::Scope scope);
  void arrived(const Barrier& barrier);
  void some_met(Block& block, const Barrier& barrier);
  void grid_barrier_released(const Block& block);

  /// A write that raced with a write waits to be compared: did it change anything?
  void settle() {
    if (pending_.bytes) compare_written();
  }

 private:
  struct Earlier {
    const Record& record;
    bool writes;
  };
  struct Pending {
    Finding finding;
    const std::byte* address = nullptr;
    std::uint32_t bytes = 0;
    std::array<std::byte, 32> before{};
  };

  /// What a thread is known to have been handed over of another one: all of it until then.
  struct Known {
    std::uint64_t reader, writer;  // block << 32 | thread
    std::uint64_t until;           // epoch << 32 | time
  };

  std::uint32_t me();
  Moment now() const;
  const Segment& segment_of(const Record& record) const { return segments_[record.segment() - first_segment_]; }
  bool is_ordered(const Record& record) const;
  bool is_handed_over(const Record& record);
  static std::uint64_t pair_of(const Record& a, const Record& b);
  bool may_overlap(const Record& record, const Record& mine) const;
  void check_cell(Cell& cell, const Record& mine, const Access& access, std::uint32_t first_segment, Space space);
  void check_bytes(Cell& cell, const Record& mine, const Access& access, std::uint32_t first_segment, Space space);
  void conflict(const Earlier& earlier, const Record& mine, const Access& access, Space space);
  void note_read(Cell& cell, const Record& mine, std::uint32_t first_segment);
  void compare_written();

  Sites sites_;
  HandOver hand_over_;
  std::vector<Known> known_;  // of the last searches; a place for each hash
  Grid* grid_ = nullptr;
  Block* block_ = nullptr;
  std::uint32_t first_segment_ = 1;
  std::vector<Segment> segments_;
  std::unordered_map<const Cell*, std::array<Cell, 4>> bytes_;        // words whose bytes have different pasts
  std::unordered_map<std::uint32_t, std::uint32_t> at_grid_barrier_;  // block -> its epoch at the last one
  Pending pending_;
  bool reported_ = false;                          // one finding per access is enough
  std::unordered_set<std::uint64_t> known_pairs_;  // of places that raced in this launch
};

}  // namespace rafter::simt
