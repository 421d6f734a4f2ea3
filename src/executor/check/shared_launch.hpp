// What it takes to let several workers share a checked launch on trial (process/trial.hpp): which words each of them
// touched, and what stood in device memory before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "executor/check/tracks.hpp"
#include "executor/memory/shadow.hpp"

namespace rafter::simt {

class SharedLaunch {
 public:
  explicit SharedLaunch(Shadow& memory) : memory_(memory) {}

  /// False: there is no room for it.
  bool begin(int n_workers);
  Tracks& tracks(int worker) { return *tracks_[static_cast<std::size_t>(worker)]; }

  /// For a worker that is about to write to a page for the first time. False: that is more than can be kept.
  bool save(std::size_t page);

  /// After the launch: whether two workers touched one word, and one of them wrote it.
  bool have_met();
  /// Puts everything back.
  void undo();
  void end();

 private:
  static constexpr std::size_t page_bytes = Tracks::page_bytes;
  static constexpr std::size_t most_saved = (std::size_t{1} << 30) / page_bytes;
  struct Saved {
    std::array<std::byte, page_bytes> bytes;
    std::array<std::uint8_t, page_bytes / 4> states;
  };
  /// The part of a page that the memory's range has.
  std::size_t bytes_of(std::size_t page) const;

  Shadow& memory_;
  int n_workers_ = 0;
  std::vector<std::unique_ptr<Tracks>> tracks_;
  std::mutex mutex_;
  std::unordered_map<std::size_t, std::unique_ptr<Saved>> saved_;
};

}  // namespace rafter::simt
