#include "workbench/explain/instructions.hpp"

#include <algorithm>

#include "base/ptx.hpp"

namespace rafter::explain {

bool starts(const std::string& op, std::initializer_list<const char*> all) {
  return std::any_of(all.begin(), all.end(), [&](const char* start) { return op.starts_with(start); });
}
bool has(const std::string& op, const char* part) { return op.find(part) != std::string::npos; }

bool is_wide_division(const std::string& op) { return starts(op, {"div.s64", "div.u64", "rem.s64", "rem.u64"}); }
bool is_barrier(const std::string& op) { return starts(op, {"bar.sync", "barrier.sync", "bar.red", "barrier.cta"}); }
bool is_arithmetic(const std::string& op) {
  return starts(op, {"fma.", "add.", "sub.", "mul.", "mad."}) && (op.ends_with(".f32") || op.ends_with(".f64"));
}
bool is_load(const std::string& op) { return starts(op, {"ld.", "ldu."}) && !starts(op, {"ld.param", "ld.const"}); }

bool is_global(const std::string& op) {
  for (const char* space : {".shared", ".param", ".const", ".local"}) {
    if (has(op, space)) return false;
  }
  return true;
}

namespace {

bool is_global_load(const std::string& op) { return starts(op, {"ld.", "ldu."}) && is_global(op); }

}  // namespace

Price price(const std::string& op, const Latencies& latencies) {
  using Kind = base::PtxKind;
  constexpr double alu = 4;
  const base::PtxMnemonic* known = base::find_ptx_mnemonic(op);
  const Kind kind = known == nullptr ? Kind::other : known->kind;
  if (starts(op, {"ld.param", "ld.const", "bra.uni"}) || kind == Kind::move || kind == Kind::exit) return {0, 0};
  if (kind == Kind::call) return {20, 0};
  if (is_wide_division(op)) return {12, 40};  // rarely executed: most numbers fit into 32 bits and are divided there
  if (starts(op, {"div.s32", "rem.s32"})) return {20, 60};
  if (starts(op, {"div.u32", "rem.u32"})) return {15, 50};
  if (starts(op, {"div.rn.f64", "sqrt.rn.f64"})) return {20 * latencies.fp64_slots, 120};
  if (starts(op, {"div.rn.f32", "sqrt.rn.f32", "div.full"})) return {12, 50};
  if (kind == Kind::special_function || starts(op, {"sqrt.approx", "div.approx"})) return {8, 20};
  if (is_global_load(op)) return {1, latencies.global};
  if (starts(op, {"ld.shared", "ld.volatile.shared", "ldmatrix"})) return {1, latencies.shared};
  if (starts(op, {"ld.local"})) return {1, latencies.local};
  if (starts(op, {"atom.shared"})) return {1, 2 * latencies.shared};
  if (kind == Kind::atomic) return {1, latencies.global};
  if (kind == Kind::warp) return {2, 24};
  if (is_barrier(op)) return {1, 30};
  if (starts(op, {"st."})) return {1, alu};
  if (has(op, "f64")) return {latencies.fp64_slots, std::max(8.0, latencies.fp64_slots)};
  if (is_arithmetic(op)) return {latencies.fp32_slots, alu};
  if (starts(op, {"mul.lo.s64", "mul.lo.u64", "mad.lo.s64", "mul.hi"})) return {5, 16};
  if (starts(op, {"mul.wide", "mul.lo", "mad.lo"})) return {2, alu + 1};
  if (kind == Kind::conversion) return {2, 6};
  if (has(op, "64")) return {2, 2 * alu};
  return {1, alu};
}

}  // namespace rafter::explain
