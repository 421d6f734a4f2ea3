#include "workbench/lab/workload/cost.hpp"

#include <algorithm>
#include <cmath>

namespace rafter::lab {

const char* name(Unit unit) noexcept {
  switch (unit) {
    case Unit::fp32: return "fp32";
    case Unit::fp64: return "fp64";
    case Unit::tensor_fp16: return "tensor fp16";
    case Unit::tensor_bf16: return "tensor bf16";
    case Unit::tensor_tf32: return "tensor tf32";
    case Unit::tensor_fp8: return "tensor fp8";
    case Unit::special: return "special functions";
  }
  return "";
}

double expected_distinct(double n, double n_places) {
  if (n <= 0 || n_places <= 0) return 0;
  if (n_places <= 1) return 1;
  return -n_places * std::expm1(n * std::log1p(-1 / n_places));  // n_places * (1 - (1 - 1 / n_places)^n)
}

double RandomReads::bytes_asked() const { return expected_distinct(n, n_table) * element_bytes; }

double RandomReads::bytes_moved(double sector_bytes) const {
  if (element_bytes >= sector_bytes) return bytes_asked();
  return expected_distinct(n, n_table * element_bytes / sector_bytes) * sector_bytes;
}

}  // namespace rafter::lab
