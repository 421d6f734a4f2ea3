#include "workbench/lab/data/checksum.hpp"

#include <atomic>
#include <cstring>
#include <vector>

#include "library/core/parts.hpp"
#include "rafter/buffer.hpp"

namespace rafter::lab {

namespace {

constexpr std::int64_t word_bytes = sizeof(std::uint32_t);

std::uint64_t checksum_host(const char* bytes, std::int64_t n_words) {
  std::atomic<std::uint64_t> sum = 0;
  core::for_parts(core::default_threads(), n_words, [&](std::int64_t first, std::int64_t last) {
    std::uint64_t part = 0;
    for (std::int64_t i = first; i < last; ++i) {
      std::uint32_t word;
      std::memcpy(&word, bytes + i * word_bytes, sizeof word);
      part += checksum_share(word, i);
    }
    sum += part;
  });
  return sum;
}

}  // namespace

std::uint64_t checksum(const Stream& stream, const void* memory, std::int64_t bytes) {
  const auto* start = static_cast<const char*>(memory);
  if (stream.device() == Device::cpu && bytes % word_bytes == 0) return checksum_host(start, bytes / word_bytes);
#ifdef RAFTER_WITH_CUDA
  const bool aligned = reinterpret_cast<std::uintptr_t>(memory) % word_bytes == 0 && bytes % word_bytes == 0;
  if (stream.device() == Device::cuda && aligned)
    return checksum_cuda(stream, static_cast<const std::uint32_t*>(memory), bytes / word_bytes);
#endif
  std::vector<char> copy(static_cast<std::size_t>((bytes + word_bytes - 1) / word_bytes * word_bytes));
  if (bytes > 0) detail::copy_out(stream, copy.data(), start, bytes);
  return checksum_host(copy.data(), static_cast<std::int64_t>(copy.size()) / word_bytes);
}

}  // namespace rafter::lab
