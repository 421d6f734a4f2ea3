#include "executor/count/request.hpp"

#include <algorithm>
#include <vector>

namespace rafter::simt {
namespace {

constexpr std::uintptr_t sector_bytes = 32;
constexpr unsigned n_banks = 32;

template <class T>
unsigned n_distinct(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  return static_cast<unsigned>(std::unique(values.begin(), values.end()) - values.begin());
}

// Lanes that the banks serve in one pass: 32 for up to 4 bytes per lane, 16 for 8, 8 for 16.
unsigned lanes_at_once(std::uint32_t bytes) { return bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8; }

}  // namespace

std::uint64_t Request::bytes() const {
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += lanes[i].bytes;
  return sum;
}

unsigned Request::sectors() const {
  std::vector<std::uintptr_t> all;
  for (unsigned i = 0; i < n; ++i) {
    const auto first = reinterpret_cast<std::uintptr_t>(lanes[i].address) / sector_bytes;
    const auto last = (reinterpret_cast<std::uintptr_t>(lanes[i].address) + lanes[i].bytes - 1) / sector_bytes;
    for (auto sector = first; sector <= last; ++sector) all.push_back(sector);
  }
  return n_distinct(all);
}

std::uint64_t Request::distinct_bytes() const {
  std::vector<std::uintptr_t> starts;
  for (unsigned i = 0; i < n; ++i) starts.push_back(reinterpret_cast<std::uintptr_t>(lanes[i].address));
  return std::uint64_t{n_distinct(starts)} * lanes[0].bytes;
}

unsigned Request::ideal_sectors() const {
  return static_cast<unsigned>((distinct_bytes() + sector_bytes - 1) / sector_bytes);
}

unsigned Request::wavefronts() const {
  unsigned passes = 0;
  const unsigned at_once = lanes_at_once(lanes[0].bytes);
  for (unsigned first = 0; first < n; first += at_once) {
    std::vector<std::uintptr_t> words;
    for (unsigned i = first; i < std::min(n, first + at_once); ++i) {
      const auto address = reinterpret_cast<std::uintptr_t>(lanes[i].address);
      for (auto word = address / 4; word <= (address + lanes[i].bytes - 1) / 4; ++word) words.push_back(word);
    }
    words.resize(n_distinct(words));
    std::array<unsigned, n_banks> per_bank{};
    for (auto word : words) ++per_bank[word % n_banks];
    passes += *std::max_element(per_bank.begin(), per_bank.end());
  }
  return passes;
}

unsigned Request::ideal_wavefronts() const {
  const unsigned at_once = lanes_at_once(lanes[0].bytes);
  return (n + at_once - 1) / at_once;
}

unsigned Request::atomic_wavefronts() const {
  unsigned passes = 0;
  const unsigned at_once = lanes_at_once(lanes[0].bytes);
  for (unsigned first = 0; first < n; first += at_once) {
    std::array<unsigned, n_banks> per_bank{};
    for (unsigned i = first; i < std::min(n, first + at_once); ++i)
      ++per_bank[reinterpret_cast<std::uintptr_t>(lanes[i].address) / 4 % n_banks];
    passes += *std::max_element(per_bank.begin(), per_bank.end());
  }
  return passes;
}

unsigned Request::atomic_sectors() const {
  unsigned sum = 0;
  std::array<unsigned, 32> rounds{};  // for each lane, the number of earlier lanes at its address
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned j = 0; j < i; ++j) rounds[i] += lanes[j].address == lanes[i].address;
  }
  for (unsigned round = 0, n_done = 0; n_done < n; ++round) {
    Request together;
    for (unsigned i = 0; i < n; ++i) {
      if (rounds[i] == round) together.lanes[together.n++] = lanes[i];
    }
    n_done += together.n;
    sum += together.sectors();
  }
  return sum;
}

Request Request::piece(std::uint32_t offset, std::uint32_t bytes_each) const {
  Request part;
  for (unsigned i = 0; i < n; ++i) {
    if (offset < lanes[i].bytes) part.lanes[part.n++] = {lanes[i].address + offset, bytes_each};
  }
  return part;
}

std::int64_t Request::stride() const {
  if (n < 2) return 0;
  const std::int64_t first = lanes[1].address - lanes[0].address;
  for (unsigned i = 2; i < n; ++i) {
    if (lanes[i].address - lanes[i - 1].address != first) return 0;
  }
  return first;
}

unsigned Request::most_at_one_address() const {
  unsigned most = 0;
  for (unsigned i = 0; i < n; ++i) {
    unsigned same = 0;
    for (unsigned j = 0; j < n; ++j) same += lanes[j].address == lanes[i].address;
    most = std::max(most, same);
  }
  return most;
}

}  // namespace rafter::simt
