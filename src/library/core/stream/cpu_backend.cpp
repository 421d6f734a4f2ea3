#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"

namespace rafter::core {

namespace {

constexpr std::int64_t small_scratch_bytes = 64 << 10;
constexpr std::int64_t huge_page_bytes = std::int64_t{2} << 20;

class CpuBackend final : public Backend {
 public:
  Device device() const noexcept override { return Device::cpu; }
  std::optional<std::string> why_unavailable() const override { return std::nullopt; }

  std::int64_t available_bytes() const override {
    std::ifstream info("/proc/meminfo");
    std::string key;
    std::int64_t kib = 0;
    std::string unit;
    while (info >> key >> kib && std::getline(info, unit)) {
      if (key == "MemAvailable:") return kib * 1024;
    }
    return sysconf(_SC_AVPHYS_PAGES) * sysconf(_SC_PAGESIZE);
  }

  /// Partial results of an op fit into a small block, which comes from the heap in a microsecond. Larger blocks suffice
  /// for rings of planes that fit the caches; their untouched pages cost nothing, but the first page alone 0.6 ms.
  std::int64_t first_scratch_bytes(std::int64_t bytes) const override {
    return bytes <= small_scratch_bytes ? small_scratch_bytes : scratch_limit();
  }
  std::int64_t scratch_limit() const override { return std::int64_t{64} << 20; }

  void* allocate(std::int64_t bytes) override {
    // Large blocks use 2 MiB pages: with 4 KiB pages, one per 64 cache lines, reading loses up to a fifth of its
    // bandwidth.
    const bool large = bytes >= huge_page_bytes;
    void* memory = nullptr;
    const auto size = static_cast<std::size_t>(bytes);
    if (posix_memalign(&memory, static_cast<std::size_t>(large ? huge_page_bytes : 256), size) != 0) {
      throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(bytes) + " bytes on the CPU");
    }
    if (large) madvise(memory, size, MADV_HUGEPAGE);
    return memory;
  }
  void deallocate(void* memory) noexcept override { std::free(memory); }

#ifdef RAFTER_WITH_CUDA
  std::optional<std::string> why_inaccessible(const void* memory) const override {
    if (!is_only_on_gpu(memory)) return std::nullopt;
    return "is in memory of a GPU, which the CPU cannot access; expected host or managed memory";
  }
#endif

  void copy_in(CUstream_st*, void* to, const void* host, std::int64_t bytes) override { copy(to, host, bytes); }
  void copy_out(CUstream_st*, void* host, const void* from, std::int64_t bytes) override { copy(host, from, bytes); }
  void fill_bytes(CUstream_st*, void* to, int byte, std::int64_t bytes) override {
    std::memset(to, byte, static_cast<std::size_t>(bytes));
  }
  void synchronize(CUstream_st*) override {}

 private:
  static void copy(void* to, const void* from, std::int64_t bytes) {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
};

}  // namespace

Backend& cpu_backend() {
  static CpuBackend backend;
  return backend;
}

}  // namespace rafter::core
