// The switch between stacks: a few inlined instructions, after which the code of another stack continues where it
// switched away. To the compiler the switch clobbers all registers, so it saves exactly the values that are live, and
// nothing is saved twice: in the runtime the callee-saved registers, in a kernel its variables. Nothing is pushed, so
// the memory below the stack pointer (x86-64's red zone) stays intact.
// //
// Floating-point modes such as the rounding are not switched; they belong to the OS thread. Code that changes them
// restores them before it waits.
#pragma once

#include <cstddef>

namespace rafter_simt {

/// The state of suspended code that the compiler cannot save by itself.
struct Context {
  void* stack = nullptr;
  void* frame = nullptr;  // the frame pointer, or whatever the compiler uses its register for
  const void* place = nullptr;
};
static_assert(offsetof(Context, stack) == 0 && offsetof(Context, frame) == 8 && offsetof(Context, place) == 16,
              "the switch relies on this layout");

/// The switch that an arriving thread has to perform: none if `to` is null, otherwise to another thread.
struct ContextSwitch {
  Context* from;
  const Context* to;
};

#if defined(__x86_64__)

#if defined(__AVX512F__)
#define RAFTER_MORE_REGISTERS                                                                                   \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
      "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define RAFTER_MORE_REGISTERS
#endif

/// Continues at `to`, and returns when another switch continues at `from`. The two may be the same. The continued code
/// receives `carried` in a register.
__attribute__((always_inline)) inline void* switch_context(Context& from, const Context& to, void* carried) {
  auto* leaves = &from;
  auto* comes = &to;
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, 0(%%rdi)\n\t"
      "movq %%rbp, 8(%%rdi)\n\t"
      "movq %%rax, 16(%%rdi)\n\t"
      "movq 0(%%rsi), %%rsp\n\t"
      "movq 8(%%rsi), %%rbp\n\t"
      "jmpq *16(%%rsi)\n"
      "1:\n\t"
      : "+D"(leaves), "+S"(comes), "+d"(carried)
      :
      : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3",
        "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st",
        "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "cc", "memory" RAFTER_MORE_REGISTERS);
  return carried;
}

#elif defined(__aarch64__)

#if defined(__ARM_FEATURE_SVE)
#define RAFTER_MORE_REGISTERS \
  , "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15"
#else
#define RAFTER_MORE_REGISTERS
#endif

/// Continues at `to`, and returns when another switch continues at `from`. The two may be the same. The continued code
/// receives `carried` in a register.
__attribute__((always_inline)) inline void* switch_context(Context& from, const Context& to, void* carried) {
  register auto* leaves asm("x0") = &from;
  register auto* comes asm("x1") = &to;
  register void* brought asm("x2") = carried;
  // x16 and hint 36 (bti j) permit the indirect jump where branch protection is on. x30 = 0 ends unwinding in a
  // function that starts on a new stack.
  asm volatile(
      "adr x16, 1f\n\t"
      "mov x17, sp\n\t"
      "stp x17, x29, [x0]\n\t"
      "str x16, [x0, 16]\n\t"
      "ldp x17, x29, [x1]\n\t"
      "ldr x16, [x1, 16]\n\t"
      "mov x30, xzr\n\t"
      "mov sp, x17\n\t"
      "br x16\n"
      "1:\n\t"
      "hint 36\n\t"
      : "+r"(leaves), "+r"(comes), "+r"(brought)
      :
      : "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19",
        "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6",
        "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22",
        "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "cc", "memory" RAFTER_MORE_REGISTERS);
  return brought;
}

#else
#error "The executor switches stacks on x86-64 and aarch64 only; another CPU needs its switch_context here."
#endif

#undef RAFTER_MORE_REGISTERS

}  // namespace rafter_simt
