// Facts of a kernel without problems: 2^26 floats in, as many out, coalesced, one pass.
#pragma once

#include "workbench/explain/diagnose.hpp"

namespace rafter::explain {

inline const Gpu& h200() { return gpu_called("H200"); }

inline AccessFacts coalesced(Access kind, double requests, int line) {
  return {.at = {"copy.cu", line, "out[i] = in[i];"},
          .space = Space::global,
          .kind = kind,
          .requests = requests,
          .lanes = 32 * requests,
          .bytes = 128 * requests,
          .sectors = 4 * requests,
          .ideal_sectors = 4 * requests,
          .stride = 4};
}

inline AccessFacts shared_loads(double requests, double passes_each, int line) {
  return {.at = {"copy.cu", line, "sum += tile[k];"},
          .space = Space::shared,
          .kind = Access::load,
          .requests = requests,
          .lanes = 32 * requests,
          .bytes = 128 * requests,
          .passes = passes_each * requests,
          .ideal_passes = requests};
}

inline Facts copy_kernel() {
  Facts facts;
  facts.kernel = "copy";
  facts.blocks = 1 << 16;
  facts.grid = {1 << 16, 1, 1};
  facts.block = {256, 1, 1};
  const double warps = facts.warps(), requests = 4 * warps;  // four elements per thread
  facts.accesses = {coalesced(Access::load, requests, 3), coalesced(Access::store, requests, 4)};
  const double sectors = 4 * requests;
  facts.footprint = {.read_sectors = sectors,
                     .read_bytes = 32 * sectors,
                     .written_sectors = sectors,
                     .written_bytes = 32 * sectors,
                     .block_read_sectors = sectors,
                     .fetched_sectors = sectors,
                     .lines_per_block = 64};
  facts.passes = {{{"copy.cu", 3, ""}, warps, 32 * warps}};
  facts.compiled = CompiledFacts{.registers = 16, .code = {{.times = 1, .issue = 40, .latency = 730, .loads = 4}}};
  return facts;
}

}  // namespace rafter::explain
