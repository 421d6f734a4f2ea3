// Detects kernels that are correct only if the lanes of a warp run in lockstep, such as a volatile reduction of the
// last warp without __syncwarp. A plain run executes the lanes one after the other, so these kernels compute wrong
// results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "executor/process/finding.hpp"

namespace rafter::simt {

class Block;
class Worker;

/// Returns a number that changes at every barrier of the warp and of its block.
std::uint64_t warp_phase(const Block& block, unsigned warp);

/// Follows the volatile accesses of a worker's lanes in the first launch of each kernel. It reports a lane that read a
/// word too early: it had passed a store which another lane then executed on that word, so in lockstep the store would
/// have come first. It also reports a lane that read a word too late: the other lane had executed the same read before
/// its store, so in lockstep all reads would have come first. Loops that poll a word, accesses with a barrier between
/// them, and lanes that order themselves by atomics or fences are not reported.
class LockstepWatch {
 public:
  /// Called before a volatile access of the running thread.
  void access(Worker& worker, const void* address, bool writes, const void* place);
  /// Called when the running thread executes an atomic or a fence.
  void synchronised(Worker& worker);
  /// Called when the running thread executes __nanosleep.
  void sleeps(Worker& worker);

 private:
  static constexpr std::size_t n_words = 1024, n_visits = 24;
  static constexpr int accesses_per_launch = 1 << 18;

  struct Access {
    const void* place = nullptr;
    std::uint32_t time = 0;
    unsigned lane = 0;
    bool is_repeated = false;  // the lane polls the word
  };
  /// The accesses of one warp to a word since its last barrier.
  struct Word {
    const void* address = nullptr;
    std::uint64_t phase = 0;
    std::array<Access, 2> readings{};  // of the last two lanes that read it; the latest is first
    Access store{};                    // the last
    unsigned read_by = 0;              // one bit per lane
  };
  /// A lane's first execution of an access.
  struct Visit {
    const void* place = nullptr;
    std::uint32_t time = 0;
  };
  /// A read that may be too late for a store.
  struct LateRead {
    const void *word = nullptr, *place = nullptr;
    Access store{};
  };
  /// The accesses of a lane since its warp's last barrier.
  struct Lane {
    std::uint64_t phase = 0;
    bool synchronises = false, sleeps = false;
    unsigned n_places = 0;
    std::array<Visit, n_visits> visits{};
    LateRead late{};
  };

  bool is_watching(Worker& worker);
  Lane& running_lane(Worker& worker);
  Word& word_at(const void* address, std::uint64_t phase);
  static Visit* visit_of(Lane& lane, const void* place);
  static bool has_passed(Lane& lane, std::uint64_t phase, const void* place, std::uint32_t time);
  void check_read(const Word& word, unsigned number, const void* place);
  void report(const Side& first, const Side& second, const char* lockstep);
  void check_store(const Block& block, const Word& word, unsigned number, const void* place);

  std::uint64_t launch_ = 0;
  int left_ = 0;  // accesses that are still followed
  std::uint32_t time_ = 0;
  std::vector<Word> words_;
  std::vector<Lane> lanes_;
};

}  // namespace rafter::simt
