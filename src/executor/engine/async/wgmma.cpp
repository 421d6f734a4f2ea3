// wgmma: the C functions that the PTX wrapper calls.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "executor/engine/async/async_findings.hpp"
#include "executor/engine/async/matrix.hpp"
#include "executor/engine/async/wgmma_state.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"
#include "rafter_simt/matrix.hpp"

namespace rafter::simt {
namespace {

constexpr int core_row_bytes = 16;  // of a core matrix, which has 8 rows
constexpr unsigned group_threads = 128;

struct Operand {
  const rafter_simt::MatrixDescriptor* matrix;  // nullptr: in registers
  int major;
};

struct WgmmaCall {
  rafter_simt::MmaType type;
  int columns;
  Operand a, b;
  bool adds;

  int element_bytes() const { return simt::element_bytes(type); }
  int n_k() const { return 32 / element_bytes(); }
};

/// Returns the address of an element of a described matrix: row (of a) or column (of b) `mn`, and k.
const std::byte* element_address(const rafter_simt::MatrixDescriptor& matrix, int major, int element_bytes, int mn,
                                 int k) {
  const auto start = reinterpret_cast<std::uintptr_t>(matrix.at);
  const int width =
      matrix.swizzle == 0 ? core_row_bytes : matrix.swizzle;  // bytes of a row of a core matrix or swizzle atom
  std::int64_t offset = 0;
  if (major == 0) {
    const int k_bytes = k * element_bytes;
    offset = std::int64_t{mn / 8} * matrix.stride + mn % 8 * width;
    offset += matrix.swizzle == 0 ? std::int64_t{k_bytes / width} * matrix.leading + k_bytes % width : k_bytes;
  } else {
    const int mn_bytes = mn * element_bytes;
    const int along_mn = matrix.swizzle == 0 ? matrix.stride : matrix.leading;
    const int along_k = matrix.swizzle == 0 ? matrix.leading : matrix.stride;
    offset =
        std::int64_t{mn_bytes / width} * along_mn + std::int64_t{k / 8} * along_k + k % 8 * width + mn_bytes % width;
  }
  std::uintptr_t address = start + static_cast<std::uintptr_t>(offset);
  if (matrix.swizzle != 0)
    address ^= (address >> 7 & static_cast<std::uintptr_t>(matrix.swizzle / core_row_bytes - 1)) << 4;
  return reinterpret_cast<const std::byte*>(address);
}

float element_of(const WgmmaCall& call, const Operand& operand, int mn, int k) {
  const std::byte* at = element_address(*operand.matrix, operand.major, call.element_bytes(), mn, k);
  std::uint32_t word = 0;
  std::memcpy(&word, at, static_cast<std::size_t>(call.element_bytes()));
  return element(call.type, word, 0);
}

void touch(AsyncCopy& reads, const WgmmaCall& call, const Operand& operand, int first, int n) {
  const int per_chunk = core_row_bytes / call.element_bytes();
  const int mn_step = operand.major == 0 ? 1 : per_chunk, k_step = operand.major == 0 ? per_chunk : 1;
  for (int mn = first; mn < first + n; mn += mn_step) {
    for (int k = 0; k < call.n_k(); k += k_step) {
      const std::byte* at = element_address(*operand.matrix, operand.major, call.element_bytes(), mn, k);
      reads.ranges.push_back({nullptr, at, core_row_bytes});
      if (Observer* observer = observing())
        observer->agent_access(
            {const_cast<std::byte*>(at), core_row_bytes, false, true, AccessMode::plain, true, reads.place},
            {reads.agent, Agent::Proxy::async});
    }
  }
}

using Registers = std::array<std::uint32_t, 4>;

// Returns the element in row `row` of the warp's 16; four lanes hold a row in their registers.
float element_of(const WgmmaCall& call, const std::array<Registers, 32>& lanes, int row, int k) {
  const int per_word = 4 / call.element_bytes(), t = k / per_word % 4, upper = k / (4 * per_word);
  return element(call.type,
                 lanes[static_cast<std::size_t>(row % 8 * 4 + t)][static_cast<std::size_t>(row / 8 + 2 * upper)],
                 static_cast<unsigned>(k % per_word));
}

void check_call(const WgmmaThread& thread, const WgmmaResults* pending, const float* d, std::size_t n,
                const void* place) {
  const Block& block = this_worker()->block();
  const unsigned first = rafter_simt_now.linear / group_threads * group_threads;
  if (first + group_threads > block.n_threads || block.warps[rafter_simt_now.linear / 32].live != ~0u) {
    report_wgmma(place, "starts a wgmma",
                 "a wgmma needs a whole warpgroup: four warps, the first of them a multiple of four");
    this_worker()->abandon(launch_failure);
  }
  if (thread.is_fenced || pending) return;
  const auto left =
      std::find_if(thread.left.begin(), thread.left.end(), [&](const WgmmaResults& r) { return r.d == d; });
  const bool is_untouched = left != thread.left.end() && std::memcmp(left->values.data(), d, n * sizeof(float)) == 0;
  if (!is_untouched)
    report_wgmma(place, "starts a wgmma",
                 "a wgmma.fence is missing between the last change of its accumulators and the wgmma");
}

}  // namespace

}  // namespace rafter::simt

using namespace rafter::simt;

#define RAFTER_SIMT_EXPORT extern "C" __attribute__((visibility("default")))
#define RAFTER_SIMT_HERE __builtin_return_address(0)

static WgmmaThread& my_wgmmas() {
  this_worker()->catch_up();
  return this_worker()->block().wgmmas.mine();
}

RAFTER_SIMT_EXPORT void rafter_simt_wgmma_fence() {
  if (rafter_simt_now.inside) my_wgmmas().is_fenced = true;
}

RAFTER_SIMT_EXPORT void rafter_simt_wgmma_commit() {
  if (!rafter_simt_now.inside) return;
  WgmmaThread& mine = my_wgmmas();
  mine.closed.push_back(std::exchange(mine.open, {}));
}

RAFTER_SIMT_EXPORT void rafter_simt_wgmma_wait(int later) {
  if (!rafter_simt_now.inside) return;
  WgmmaThread& mine = my_wgmmas();
  while (mine.closed.size() > static_cast<std::size_t>(later)) {
    WgmmaThread::Group group = std::move(mine.closed.front());
    mine.closed.pop_front();
    Observer* observer = observing();
    for (const CopyRange& range : group.reads.ranges) {
      auto* from = const_cast<std::byte*>(range.from);
      if (observer)
        observer->agent_joined({group.reads.agent, Agent::Proxy::async},
                               {from, range.bytes, false, true, AccessMode::plain, true, group.reads.place});
    }
    for (WgmmaResults& results : group.results) {
      if (mine.pending(results.d)) continue;  // a later wgmma accumulates into them
      std::copy(results.values.begin(), results.values.end(), results.d);
      std::erase_if(mine.left, [&](const WgmmaResults& left) { return left.d == results.d; });
      mine.left.push_back(std::move(results));
    }
    mine.is_fenced = false;
  }
}

RAFTER_SIMT_EXPORT void rafter_simt_wgmma(rafter_simt::MmaType type, int columns, float* d, const unsigned* a_registers,
                                          const rafter_simt::MatrixDescriptor* a, int major_a,
                                          const rafter_simt::MatrixDescriptor* b, int major_b, int adds) {
  if (!rafter_simt_now.inside) return;
  WgmmaThread& mine = my_wgmmas();
  if (options().capability != 90) {
    report_too_old("wgmmas", RAFTER_SIMT_HERE);
    this_worker()->abandon(launch_failure);
  }
  const WgmmaCall call{type, columns, {a, major_a}, {b, major_b}, adds != 0};
  const auto n = static_cast<std::size_t>(columns / 2);
  const WgmmaResults* pending = mine.pending(d);
  check_call(mine, pending, d, n, RAFTER_SIMT_HERE);

  Registers registers{};
  if (a_registers) std::copy_n(a_registers, 4, registers.begin());
  std::array<Registers, 32> lanes;
  this_worker()->warp_exchange(~0u, &registers, sizeof registers, lanes.data(), RAFTER_SIMT_HERE);

  const int thread = static_cast<int>(rafter_simt_now.linear % group_threads), lane = thread % 32, warp = thread / 32;
  if (lane == 0) {
    AsyncCopy& reads = mine.open.reads;
    reads.place = RAFTER_SIMT_HERE;
    if (reads.ranges.empty() && observing()) reads.agent = observing()->agent_began();
    if (a) touch(reads, call, call.a, warp * 16, 16);
    touch(reads, call, call.b, 0, columns);
  }
  WgmmaResults results{d, std::vector<float>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const int row = lane / 4 + static_cast<int>(i / 2 % 2) * 8;
    const int column = static_cast<int>(i / 4) * 8 + lane % 4 * 2 + static_cast<int>(i % 2);
    float sum = !call.adds ? 0 : pending ? pending->values[i] : d[i];
    for (int k = 0; k < call.n_k(); ++k) {
      const float left = a ? element_of(call, call.a, warp * 16 + row, k) : element_of(call, lanes, row, k);
      sum += left * element_of(call, call.b, column, k);
    }
    results.values[i] = sum;
  }
  std::fill_n(d, n, std::nanf(""));
  mine.open.results.push_back(std::move(results));
}
