#include "workbench/explain/occupancy.hpp"

#include <algorithm>
#include <cmath>

namespace rafter::explain {

namespace {

constexpr int warp = 32, register_unit = 256, shared_unit = 128;

int rounded_up(int n, int unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

Occupancy occupancy(const BlockNeeds& needs, const Gpu& gpu) {
  const int warps = rounded_up(std::max(needs.threads, 1), warp) / warp;
  const int most_warps = gpu.threads_per_sm / warp;
  Occupancy found{std::min(most_warps / warps, gpu.blocks_per_sm), 0, Limiter::threads};
  if (gpu.blocks_per_sm < most_warps / warps) found.limiter = Limiter::blocks;
  // Each of four parts of the register file serves whole warps.
  const int of_warp = rounded_up(std::max(needs.registers, 1) * warp, register_unit);
  const int warps_by_registers = gpu.registers_per_sm / 4 / of_warp * 4;
  if (warps_by_registers / warps < found.blocks) found = {warps_by_registers / warps, 0, Limiter::registers};
  const auto shared = static_cast<int>(needs.shared_bytes) + gpu.reserved_shared_bytes;
  const int by_shared = gpu.shared_bytes_per_sm / rounded_up(shared, shared_unit);
  if (by_shared < found.blocks) found = {by_shared, 0, Limiter::shared_memory};
  found.share = static_cast<double>(found.blocks * warps) / most_warps;
  return found;
}

BlockNeeds needs_of(const Facts& facts) {
  BlockNeeds needs{static_cast<int>(facts.threads_per_block()), 16, facts.dynamic_shared_bytes};
  if (facts.compiled) {
    needs.registers = facts.compiled->registers;
    needs.shared_bytes += facts.compiled->static_shared_bytes;
  }
  return needs;
}

}  // namespace rafter::explain
