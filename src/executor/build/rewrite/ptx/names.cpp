#include "executor/build/rewrite/ptx/names.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/ptx.hpp"

namespace rafter::simt::build::ptx {
namespace {

constexpr auto instructions = std::to_array<Instruction>({
#define RAFTER_PTX_FORM(name, function, n_operands, form) {name, function, n_operands, Form::form},
#include "base/ptx_instructions.def"
});

constexpr bool all_have_mnemonics() {
  return std::all_of(instructions.begin(), instructions.end(),
                     [](const Instruction& one) { return base::find_ptx_mnemonic(one.name) != nullptr; });
}
static_assert(all_have_mnemonics(), "a form without its mnemonic would not be recognised as PTX");

}  // namespace

const Instruction* find_instruction(std::string_view name) {
  const auto known =
      std::find_if(instructions.begin(), instructions.end(), [&](const Instruction& one) { return one.name == name; });
  return known == instructions.end() ? nullptr : &*known;
}

const std::map<std::string_view, std::string_view>& types() {
  static const std::map<std::string_view, std::string_view> all{{"u8", "unsigned char"},
                                                                {"s8", "signed char"},
                                                                {"b8", "unsigned char"},
                                                                {"u16", "unsigned short"},
                                                                {"s16", "short"},
                                                                {"b16", "unsigned short"},
                                                                {"u32", "unsigned"},
                                                                {"s32", "int"},
                                                                {"b32", "unsigned"},
                                                                {"f32", "float"},
                                                                {"u64", "unsigned long long"},
                                                                {"s64", "long long"},
                                                                {"b64", "unsigned long long"},
                                                                {"f64", "double"},
                                                                {"pred", "bool"}};
  return all;
}

const std::map<std::string_view, std::string_view>& orders() {
  static const std::map<std::string_view, std::string_view> all{{"relaxed", "__NV_ATOMIC_RELAXED"},
                                                                {"acquire", "__NV_ATOMIC_ACQUIRE"},
                                                                {"release", "__NV_ATOMIC_RELEASE"},
                                                                {"acq_rel", "__NV_ATOMIC_ACQ_REL"}};
  return all;
}

bool is_hint(std::string_view word) {
  static const std::set<std::string_view> hints{
      "global", "nc",  "ca",   "cg",      "cs",  "cv",  "lu",  "wb",   "wt", "volatile", "weak", "rn",
      "approx", "ftz", "full", "aligned", "gpu", "cta", "sys", "sync", "L1", "L2",       "const"};
  return hints.contains(word) || word.starts_with("L1::") || word.starts_with("L2::");
}

const std::map<std::string_view, std::string_view>& special_registers() {
  static const std::map<std::string_view, std::string_view> all{
      {"laneid", "::rafter_simt::ptx::laneid()"},
      {"warpid", "::rafter_simt::ptx::warpid()"},
      {"nwarpid", "32"},
      {"smid", "0"},
      {"nsmid", "16"},
      {"clock", "(unsigned)::clock64()"},
      {"clock64", "::clock64()"},
      {"globaltimer", "::rafter_simt_global_timer()"},
      {"globaltimer_lo", "(unsigned)::rafter_simt_global_timer()"},
      {"tid.x", "threadIdx.x"},
      {"tid.y", "threadIdx.y"},
      {"tid.z", "threadIdx.z"},
      {"ntid.x", "blockDim.x"},
      {"ntid.y", "blockDim.y"},
      {"ntid.z", "blockDim.z"},
      {"ctaid.x", "blockIdx.x"},
      {"ctaid.y", "blockIdx.y"},
      {"ctaid.z", "blockIdx.z"},
      {"nctaid.x", "gridDim.x"},
      {"nctaid.y", "gridDim.y"},
      {"nctaid.z", "gridDim.z"},
      {"lanemask_lt", "((1u << ::rafter_simt::ptx::laneid()) - 1)"},
      {"lanemask_le", "((2u << ::rafter_simt::ptx::laneid()) - 1)"},
      {"lanemask_eq", "(1u << ::rafter_simt::ptx::laneid())"},
      {"lanemask_ge", "(~0u << ::rafter_simt::ptx::laneid())"},
      {"lanemask_gt", "(~1u << ::rafter_simt::ptx::laneid())"},
      {"WARP_SZ", "32"}};
  return all;
}

}  // namespace rafter::simt::build::ptx
