#include "workbench/explain/ptx.hpp"

#include <gtest/gtest.h>

#include "workbench/explain/code.hpp"
#include "workbench/explain/compiled.hpp"
#include "workbench/explain/nsight.hpp"

namespace rafter::explain {
namespace {

// A loop that nvcc unrolled by four, with its remainder loop, as nvcc writes them.
constexpr const char* unrolled_loop = R"(
.visible .entry _Z5chainPKfPfi(
	.param .u64 _Z5chainPKfPfi_param_0,
	.param .u32 _Z5chainPKfPfi_param_2
)
{
	.reg .f32 	%f<18>;
	.loc	1 2 0
	ld.param.u64 	%rd3, [_Z5chainPKfPfi_param_0];
	.loc	1 4 3
	ld.global.f32 	%f17, [%rd3];
	.loc	1 5 3
	setp.lt.s32 	%p1, %r7, 1;
	@%p1 bra 	$L__BB0_6;

$L__BB0_3:
	fma.rn.f32 	%f10, %f17, 0f3F8147AE, 0f3F000000;
	fma.rn.f32 	%f11, %f10, 0f3F8147AE, 0f3F000000;
	fma.rn.f32 	%f12, %f11, 0f3F8147AE, 0f3F000000;
	fma.rn.f32 	%f17, %f12, 0f3F8147AE, 0f3F000000;
	add.s32 	%r13, %r13, -4;
	setp.ne.s32 	%p3, %r13, 0;
	@%p3 bra 	$L__BB0_3;

$L__BB0_5:
	.pragma "nounroll";
	fma.rn.f32 	%f17, %f17, 0f3F8147AE, 0f3F000000;
	add.s32 	%r14, %r14, -1;
	setp.ne.s32 	%p5, %r14, 0;
	@%p5 bra 	$L__BB0_5;

$L__BB0_6:
	.loc	1 6 3
	st.global.f32 	[%rd9], %f17;
	ret;
}
	.file	1 "/somewhere/a.cu"
)";

TEST(Ptx, HasKernelsWithBlocksLoopsAndLines) {
  const auto kernels = parse_ptx(unrolled_loop);
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].name, "chain");
  ASSERT_EQ(kernels[0].loops.size(), 2U);
  const PtxBlock& body = kernels[0].blocks[1];
  EXPECT_EQ(body.code.size(), 7U);
  EXPECT_EQ(body.code[0].op, "fma.rn.f32");
  EXPECT_EQ(body.code[0].line, 5);
  EXPECT_EQ(body.code[0].file, "/somewhere/a.cu");
  EXPECT_EQ(body.code[4].step, -4);
  EXPECT_EQ(body.code[1].reads, body.code[0].writes);
  EXPECT_EQ(kernels[0].blocks[0].loop, -1);
}

TEST(Ptx, NamesMatchTheSource) {
  EXPECT_EQ(kernel_name("_ZN2ns5scaleIfEEvPKT_PS1_"), "ns::scale<float>");
  EXPECT_EQ(kernel_name("plain_c"), "plain_c");
  const std::vector<std::string> names{"sum", "ns::scale<double>", "ns::scale<float>"};
  EXPECT_EQ(find_kernel(names, "ns::scale<float>"), 2);
  EXPECT_EQ(find_kernel(names, "scale<T>"), 1);
  EXPECT_EQ(find_kernel(names, "other"), -1);
}

/// Returns facts in which every warp passes line 5 1024 times.
Facts passes() {
  Facts facts;
  facts.blocks = 10;
  facts.block = {64, 1, 1};
  facts.passes = {{{"a.cu", 4, ""}, 20, 640}, {{"a.cu", 5, ""}, 20 * 1024, 640 * 1024}, {{"a.cu", 6, ""}, 20, 640}};
  return facts;
}

TEST(Code, IterationsFollowFromTheCountsOfLines) {
  const auto code = code_of(parse_ptx(unrolled_loop)[0], passes(), {});
  ASSERT_EQ(code.size(), 4U);  // prologue, loop, remainder loop, epilogue
  EXPECT_TRUE(code[1].is_loop);
  EXPECT_DOUBLE_EQ(code[1].times, 256);
  EXPECT_DOUBLE_EQ(code[2].times, 0);
  EXPECT_DOUBLE_EQ(code[3].times, 1);
}

TEST(Code, ChainsCarryOverBetweenIterations) {
  const auto code = code_of(parse_ptx(unrolled_loop)[0], passes(), {});
  EXPECT_DOUBLE_EQ(code[1].chain, 16);  // four results with a latency of four cycles each
  EXPECT_NEAR(code[1].latency, 16, 1);
  EXPECT_LT(code[1].issue, 9);
  EXPECT_LT(code[0].chain, 1);  // a load is awaited once
}

TEST(Compiled, ReadsRegistersAndSpillsFromPtxas) {
  const auto found = parse_ptxas(R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1ai' for 'sm_90'
ptxas info    : Function properties for _Z1ai
    528 bytes stack frame, 512 bytes spill stores, 640 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 528 bytes cumulative stack size, 4224 bytes smem
)");
  ASSERT_TRUE(found.contains("_Z1ai"));
  EXPECT_EQ(found.at("_Z1ai").registers, 32);
  EXPECT_EQ(found.at("_Z1ai").spill_bytes, 1152);
  EXPECT_EQ(found.at("_Z1ai").stack_bytes, 528);
  EXPECT_EQ(found.at("_Z1ai").shared_bytes, 4224);
}

TEST(Compiled, CountsSassByName) {
  const auto mixes = parse_sass(R"(
		Function : _Z1ai
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                    /* 0x00000a00ff017b82 */
        /*0010*/                   FFMA.FTZ R0, R1, R2, R3 ;                 /* 0x0000000000007919 */
        /*0020*/              @!P0 FFMA R0, R1, R2, R3 ;                     /* 0x0000000000007919 */
        /*0030*/                   NOP ;                                     /* 0x0000000000007918 */
        /*0040*/                   EXIT ;                                    /* 0x000000000000794d */
)");
  ASSERT_TRUE(mixes.contains("_Z1ai"));
  EXPECT_EQ(mixes.at("_Z1ai")[0].first, "FFMA");
  EXPECT_DOUBLE_EQ(mixes.at("_Z1ai")[0].second, 0.5);
}

TEST(Nsight, ReadsCountersByKernel) {
  const NsightCounters found = parse_ncu(R"csv(==PROF== Connected
"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","1","ns::scale(const float *, int)","gpu__time_duration.sum","ns","12,345"
"0","1","ns::scale(const float *, int)","dram__throughput.avg.pct_of_peak_sustained_elapsed","%","88.5"
)csv");
  EXPECT_TRUE(found.why_not.empty());
  Facts facts;
  facts.kernel = "scale";
  add_nsight(facts, found);
  ASSERT_TRUE(facts.nsight);
  EXPECT_EQ(facts.nsight->duration_ns, 12345);
  EXPECT_EQ(facts.nsight->memory_percent, 88.5);
}

TEST(Nsight, ReportsRefusals) {
  EXPECT_NE(parse_ncu("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission").why_not.find("may not read"),
            std::string::npos);
  EXPECT_FALSE(parse_ncu("==ERROR== Failed to initialize the profiler: LibraryNotLoaded").why_not.empty());
}

}  // namespace
}  // namespace rafter::explain
