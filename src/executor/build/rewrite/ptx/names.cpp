#include "executor/build/rewrite/ptx/names.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace rafter::simt::build::ptx {
namespace {

constexpr std::array<Instruction, 76> instructions{{
    {"mov", "same", 2, Form::value},
    {"cvta", "same", 2, Form::value},
    {"cvta.to", "same", 2, Form::value},
    {"add", "add", 3, Form::value},
    {"sub", "sub", 3, Form::value},
    {"mul", "mul", 3, Form::value},
    {"mul.lo", "mul", 3, Form::value},
    {"mul.hi", "mul_hi", 3, Form::value},
    {"mul.wide", "mul_wide", 3, Form::value},
    {"mul24.lo", "mul24", 3, Form::value},
    {"mad", "mad", 4, Form::value},
    {"mad.lo", "mad", 4, Form::value},
    {"mad.hi", "mad_hi", 4, Form::value},
    {"mad.wide", "mad_wide", 4, Form::value},
    {"fma", "fma", 4, Form::value},
    {"div", "div", 3, Form::value},
    {"rem", "rem", 3, Form::value},
    {"min", "min", 3, Form::value},
    {"max", "max", 3, Form::value},
    {"and", "bit_and", 3, Form::value},
    {"or", "bit_or", 3, Form::value},
    {"xor", "bit_xor", 3, Form::value},
    {"not", "bit_not", 2, Form::value},
    {"neg", "neg", 2, Form::value},
    {"abs", "abs", 2, Form::value},
    {"shl", "shl", 3, Form::value},
    {"shr", "shr", 3, Form::value},
    {"shf.l.wrap", "funnel_left", 4, Form::value},
    {"shf.r.wrap", "funnel_right", 4, Form::value},
    {"popc", "popc", 2, Form::value},
    {"clz", "clz", 2, Form::value},
    {"brev", "brev", 2, Form::value},
    {"bfind", "bfind", 2, Form::value},
    {"bfe", "bfe", 4, Form::value},
    {"bfi", "bfi", 5, Form::value},
    {"prmt", "prmt", 4, Form::value},
    {"lop3", "lop3", 5, Form::value},
    {"selp", "selp", 4, Form::value},
    {"sqrt", "sqrt", 2, Form::value},
    {"rsqrt", "rsqrt", 2, Form::value},
    {"rcp", "rcp", 2, Form::value},
    {"ex2", "ex2", 2, Form::value},
    {"lg2", "lg2", 2, Form::value},
    {"sin", "sin", 2, Form::value},
    {"cos", "cos", 2, Form::value},
    {"tanh", "tanh", 2, Form::value},
    {"add.cc", "add_cc", 3, Form::carry},
    {"addc", "addc", 3, Form::carry},
    {"addc.cc", "addc_cc", 3, Form::carry},
    {"sub.cc", "sub_cc", 3, Form::carry},
    {"subc", "subc", 3, Form::carry},
    {"subc.cc", "subc_cc", 3, Form::carry},
    {"mad.lo.cc", "mad_lo_cc", 4, Form::carry},
    {"mad.hi.cc", "mad_hi_cc", 4, Form::carry},
    {"madc.lo.cc", "madc_lo_cc", 4, Form::carry},
    {"madc.hi.cc", "madc_hi_cc", 4, Form::carry},
    {"madc.lo", "madc_lo", 4, Form::carry},
    {"madc.hi", "madc_hi", 4, Form::carry},
    {"ld", "", 2, Form::load},
    {"st", "", 2, Form::store},
    {"atom.add", "add", 3, Form::atomic},
    {"atom.and", "and", 3, Form::atomic},
    {"atom.or", "or", 3, Form::atomic},
    {"atom.xor", "xor", 3, Form::atomic},
    {"atom.min", "min", 3, Form::atomic},
    {"atom.max", "max", 3, Form::atomic},
    {"atom.exch", "exchange", 3, Form::atomic},
    {"atom.cas", "compare", 4, Form::atomic},
    {"red.add", "add", 2, Form::reduction},
    {"red.and", "and", 2, Form::reduction},
    {"red.or", "or", 2, Form::reduction},
    {"red.xor", "xor", 2, Form::reduction},
    {"red.min", "min", 2, Form::reduction},
    {"red.max", "max", 2, Form::reduction},
    {"dp4a", "dp4a", 4, Form::value},
    {"vabsdiff4.add", "vabsdiff4_add", 4, Form::value},
}};

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
