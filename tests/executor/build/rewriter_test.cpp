// The rewriter's output: line numbers, refusals, blocks that may wait for each other.
#include "executor/build/rewrite/rewriter.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace rafter::simt::build {
namespace {

std::string refused(const std::string& text) {
  std::string list;
  for (const Refusal& refusal : rewrite(text, "a.cu").refusals)
    list += std::to_string(refusal.line) + " " + refusal.what + "; ";
  return list;
}

TEST(Rewriter, KeepsEveryLineNumber) {
  const std::string text =
      "// one\n"
      "__global__ void k(int a,\n  int b) {\n  extern __shared__\n    float s[];\n}\n"
      "#define GO(x) \\\n  k<<<1,   \\\n      2>>>(x, \\\n           3)\n"
      "void f() {\n  k<<<1,\n     2>>>(\n    1,  // first\n    g(\n      2));\n}\nint last_line = 18;\n";
  const std::string out = rewrite(text, "dir/a.cu").text;
  EXPECT_TRUE(out.starts_with("#line 1 \"dir/a.cu\"\n"));
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), std::count(text.begin(), text.end(), '\n') + 1);
  const std::size_t place = out.find("int last_line");
  EXPECT_EQ(std::count(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(place), '\n'), 18);
}

TEST(Rewriter, CountsIterationsOfLoopsWithABarrier) {
  const std::string out = rewrite(
                              "__global__ void k(int n) {\n  for (int i = 0; i < n; ++i) {\n    while (n) { f(); }\n"
                              "    do {\n      if (__syncthreads_or(i)) break;\n    } while (n);\n  }\n}\n",
                              "a.cu")
                              .text;
  const auto count = [&](const std::string& word) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = out.find(word, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  EXPECT_EQ(count("RAFTER_SIMT_COUNT_ITERATIONS("), 2u) << out;
  EXPECT_EQ(count("RAFTER_SIMT_NEXT_ITERATION("), 2u) << out;
  EXPECT_EQ(count("__syncthreads_or(i, RAFTER_SIMT_AT_ITERATION(rafter_simt_iteration_"), 1u) << out;
  for (const char* text : {"void f() {\n  while (x) { __syncthreads(); }\n}\n",
                           "__global__ void k() {\n  while (x) { y(); }\n  __syncthreads();\n}\n",
                           "#define LOOP while (x) { __syncthreads(); }\n"}) {
    EXPECT_FALSE(rewrite(text, "a.cu").changed) << text;
  }
}

std::string checked(const std::string& text) {
  RewriteOptions options;
  options.structures = true;
  return rewrite(text, "a.cu", options).text;
}

TEST(Rewriter, MarksWhereThreadsLeaveAKernel) {
  const std::string out = checked(
      "__global__ void k(int n) {\n  if (n) return;\n  if (n > 1) { __syncthreads(); } else { return; }\n"
      "  for (;;) { if (n) return; auto f = [] { return; }; }\n}\n"
      "__device__ void g() { return; }\n");
  const auto has = [&](const std::string& part) { return out.find(part) != std::string::npos; };
  EXPECT_TRUE(has("if (n) return ::rafter_simt_departs(12, 0, 0, \"\");")) << out;
  EXPECT_TRUE(has("else { return ::rafter_simt_departs(28, 0, 0, \"19 26 \"); }"))
      << "the branch with the barrier: " << out;
  EXPECT_TRUE(has("__syncthreads(RAFTER_SIMT_AT_TOKEN(21))")) << "between 19 and 26: " << out;
  EXPECT_TRUE(has("if (n) return ::rafter_simt_departs(41, 31, 54, \"\");")) << "in a loop: " << out;
  EXPECT_TRUE(has("[] { return; }")) << "not the kernel's: " << out;
  EXPECT_TRUE(has("::rafter_simt_reaches_end(); }")) << out;
  EXPECT_TRUE(has("g() { return; }")) << out;
  EXPECT_EQ(rewrite("__global__ void k(int n) { if (n) return; }\n", "a.cu").text.find("departs"), std::string::npos);
}

TEST(Rewriter, LeavesReturnsUnmarkedInTextThatItDoesNotUnderstand) {
  const std::string out =
      checked("__global__ void k(int n) {\n#ifdef A\n  if (n) {\n#else\n  if (!n) {\n#endif\n  return; }\n}\n");
  EXPECT_EQ(out.find("departs"), std::string::npos) << out;
}

TEST(Rewriter, MarksTheUsesOfShuffledVariables) {
  const std::string out =
      checked("__global__ void k(int* p) {\n  const int o = __shfl_down_sync(1, *p, 2);\n  if (*p) *p += o;\n}\n");
  EXPECT_NE(out.find("o = (::rafter_simt_shuffles_into(13), __shfl_down_sync(1, *p, 2));"), std::string::npos) << out;
  EXPECT_NE(out.find("*p += (::rafter_simt::uses(13), o);"), std::string::npos) << out;
  for (const char* body :
       {"int o; o = __shfl_down_sync(1, *p, 2);", "*p += __shfl_xor_sync(1, *p, 2);",
        "int o = __shfl_down_sync(1, *p, 2), q = o;", "int o = __shfl_sync(1, *p, 2); { int o = 3; *p = o; }",
        "int o = __shfl_sync(1, *p, 2); auto f = [o] { return o; };"}) {
    const std::string text = checked(std::string("__global__ void k(int* p) {\n") + body + "\n}\n");
    EXPECT_EQ(text.find("shuffles_into"), std::string::npos) << body;
  }
}

TEST(Rewriter, CountsOnlyLoopsThatAreCompiledWithTheBarrier) {
  const std::string out = rewrite(
                              "__global__ void k(int n) {\n  while (n) {\n#ifdef A\n    for (;;) {\n#else\n"
                              "    for (; n;) {\n#endif\n    __syncthreads();\n    }\n  }\n}\n",
                              "a.cu")
                              .text;
  EXPECT_EQ(out.find("COUNT_ITERATIONS"), out.rfind("COUNT_ITERATIONS")) << out;
  EXPECT_NE(out.find(") while (n) {"), std::string::npos) << out;
}

TEST(Rewriter, AddsTheKeywordTemplate) {
  const auto in_function = [](const std::string& code) {
    return rewrite("template <class T> __device__ void f(T* t) { " + code + " }", "a.cu").text;
  };
  EXPECT_NE(in_function("A<T>::g<4>(t);").find("A<T>::template g<4>(t)"), std::string::npos);
  for (const char* same : {"A<T>::template g<4>(t);", "A<T>::g(t);", "x = A<T>::n < 4;", "A<T>::g<4> x;", "g<4>(t);"})
    EXPECT_NE(in_function(same).find(same), std::string::npos) << in_function(same);
}

TEST(Rewriter, LetsOtherThreadsRunInLoopsThatOnlyWait) {
  const auto body = [](const std::string& code) {
    return rewrite("__global__ void k(int* p, int n) {\n  " + code + "\n}\n", "a.cu").text;
  };
  for (const char* code : {"while (*p == 0) {}", "while (*p == 0);", "while ((n = *p) == 0) {}", "for (; p[1] < n;) {}",
                           "do {} while (*p != n);", "do ; while (*p != n);", "if (n) while (*p) {}"}) {
    EXPECT_NE(body(code).find("::rafter_simt_yield(0)"), std::string::npos) << body(code);
    EXPECT_TRUE(rewrite("__device__ void f(int* p, int n) { " + std::string(code) + " }", "a.cu").inter_block) << code;
  }
  for (const char* code :
       {"while (p[n++]) {}", "for (n = 0; p[n]; n++) {}", "while (atomicCAS(p, 0, 1) != 0) {}", "while (true) {}",
        "do { f(); } while (*p);", "do f(); while (*p);", "while (*p) f();", "while (*(volatile int*)p == 0) {}"}) {
    EXPECT_EQ(body(code).find("rafter_simt_yield"), std::string::npos) << body(code);
  }
  EXPECT_EQ(rewrite("void f(int* p) { while (*p) {} }", "a.cu").text.find("rafter_simt_yield"), std::string::npos);
}

TEST(Rewriter, HandlesDiscardedResultNextToLaunch) {
  const std::string text =
      rewrite("__global__ void k(int) {}\nvoid f(int* p) {cudaFree(p);k<<<1, 1>>>(1);}\n", "a.cu").text;
  const std::size_t dropped = text.find("cudaFree(p), ::rafter_simt_ignored();");
  ASSERT_NE(dropped, std::string::npos) << text;
  EXPECT_GT(text.find("launch"), dropped) << text;
}

TEST(Rewriter, LeavesOrdinaryCodeUnchanged) {
  for (const char* text :
       {"int x = a << b >> c;\n", "std::vector<std::vector<std::vector<int>>> v;\n", "// k<<<1, 1>>>();\n",
        "const char* s = \"k<<<1, 1>>>()\";\n", "const char* s = R\"x(k<<<1, 1>>>())x\";\n",
        "template <> std::ostream& operator<<<int>(std::ostream&, int);\n", "#if 0\nk<<<1, 1>>>();\n#endif\n",
        "extern float f[];\n", "#define FORCE inline __attribute__((always_inline))\n#define SAME inline\n",
        "#error don't\nint a;\n", "int n = 1'000'000; char c = '\"';\n", "__device__ int f(int x);\n",
        "__host__ __device__ constexpr float pi = 3;\n"}) {
    const Rewritten result = rewrite(text, "a.cu");
    EXPECT_FALSE(result.changed) << result.text;
    EXPECT_EQ(result.text, std::string("#line 1 \"a.cu\"\n") + text);
  }
}

TEST(Rewriter, DropsCastsOfKernels) {
  const auto out = [](const std::string& text) { return rewrite(text, "a").text.substr(12); };
  EXPECT_EQ(out("cudaLaunchKernel((void*)k, g, b, args, 0, s);"), "cudaLaunchKernel(k, g, b, args, 0, s);");
  EXPECT_EQ(out("cudaLaunchKernel((const void *)k<int>, g);"), "cudaLaunchKernel(k<int>, g);");
  EXPECT_EQ(out("cudaFuncSetAttribute(reinterpret_cast<const void*>(k), x, 1);"), "cudaFuncSetAttribute((k), x, 1);");
  EXPECT_EQ(out("cudaOccupancyMaxPotentialBlockSize(&a, &b, (void*)k);"),
            "cudaOccupancyMaxPotentialBlockSize(&a, &b, k);");
  EXPECT_EQ(out("cudaLaunchKernel(k, g, b, (void**)args);"), "cudaLaunchKernel(k, g, b, (void**)args);");
  EXPECT_EQ(out("cudaFree((void*)p);"), "cudaFree((void*)p);");
  EXPECT_EQ(out("p.func = (void*)k<int>;"), "p.func = (void*)::rafter_simt::known_kernel(k<int>);");
  EXPECT_EQ(out("p.func = reinterpret_cast<void*>(&n::k);"),
            "p.func = reinterpret_cast<void*>(::rafter_simt::known_kernel(&n::k));");
  EXPECT_EQ(out("__global__ void k(int); P p = {(void *)k, g, (void *)data};"),
            "__global__ void k(int); P p = {(void *)::rafter_simt::known_kernel(k), g, (void *)data};");
}

TEST(Rewriter, MarksCastsToWideTypesInKernels) {
  const auto body = [](const std::string& text) {
    const std::string out = rewrite("__device__ void f() { " + text + " }", "a").text.substr(12);
    return out.substr(22, out.size() - 24);
  };
  EXPECT_EQ(body("*(float4*)&s[1] = v;"), "*(float4*)RAFTER_SIMT_CAST_FROM &s[1] = v;");
  EXPECT_EQ(body("p = (const unsigned long long *)(s + 1);"),
            "p = (const unsigned long long *)RAFTER_SIMT_CAST_FROM (s + 1);");
  EXPECT_EQ(body("v = reinterpret_cast<double&>(s[1]);"), "v = RAFTER_SIMT_REINTERPRET_CAST<double&>(s[1]);");
  for (const char* text : {"n = sizeof(float4*) * k;", "g((float*)s);", "p = (Base*)q;", "void h(double*);",
                           "p = reinterpret_cast<char*>(s);", "x = (double)y * z;", "f<void(float4*)>(a);"}) {
    EXPECT_EQ(body(text), text);
  }
  EXPECT_EQ(rewrite("#define FETCH(x) (*(int4*)&(x))\n", "a").text.substr(12),
            "#define FETCH(x) (*(int4*)RAFTER_SIMT_CAST_FROM &(x))\n");
  EXPECT_FALSE(rewrite("void host() { p = (double*)malloc(8); }", "a").changed);
}

RewriteOptions for_side(Side side) {
  RewriteOptions options;
  options.side = side;
  return options;
}

TEST(Rewriter, EvaluatesTestsOfTheArchitecture) {
  const auto out = [](const std::string& text) { return rewrite(text, "a").text.substr(12); };
  EXPECT_EQ(out("__device__ int k() {\n#if __CUDA_ARCH__ >= 700\n f();\n#endif\n}\n"),
            "__device__ int k() {\n#if 900 >= 700\n f();\n#endif\n}\n");
  EXPECT_EQ(out("#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 600)\n#endif\n"), "#if 1 && (900 < 600)\n#endif\n");
  EXPECT_EQ(out("__global__ void k() {\n#ifdef __CUDA_ARCH__\n f();\n#endif\n}\n"),
            "__global__ void k() {\n#if 1\n f();\n#endif\n}\n");
  EXPECT_EQ(out("__device__ int k() { return __CUDA_ARCH__; }"), "__device__ int k() { return 900; }");
  EXPECT_EQ(out("#if defined(__CUDACC__) || defined(__NVCC__)\n#endif\n"),
            "#if defined(RAFTER_SIMT_REWRITTEN) || defined(RAFTER_SIMT_REWRITTEN)\n#endif\n");
  // A choice between PTX that is not translated and an alternative.
  const std::string choice =
      rewrite("#ifdef __CUDA_ARCH__\nasm(\"mov.u32 %0, %envreg1;\" : \"=r\"(x));\n#else\nf();\n#endif\n", "a",
              for_side(Side::device))
          .text;
  EXPECT_NE(choice.find("#ifdef __CUDA_ARCH__\n"), std::string::npos) << choice;
}

TEST(Rewriter, FindsCodeThatDependsOnTheSide) {
  for (const char* text :
       {"#ifndef __CUDA_ARCH__\n#include <vector>\n#endif\n", "#if __CUDA_ARCH__ >= 700\n#endif\n",
        "__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n return 1;\n#else\n return 2;\n#endif\n}\n",
        "#define IS_DEVICE defined(__CUDA_ARCH__)\n", "#if defined(X) && !defined(__CUDA_ARCH__)\n#endif\n",
        "#if X\n#elif \\\n  defined(__CUDA_ARCH__)\n#endif\n",
        "#ifdef __CUDA_ARCH__\nasm(\"mov.u32 %0, %laneid;\" : \"=r\"(x));\n#else\nf();\n#endif\n"}) {
    EXPECT_TRUE(rewrite(text, "a").depends_on_side) << text;
    const std::string on_host = rewrite(text, "a", for_side(Side::host)).text;
    EXPECT_NE(on_host.find("__CUDA_ARCH__"), std::string::npos) << on_host;
    const std::string on_device = rewrite(text, "a", for_side(Side::device)).text;
    EXPECT_EQ(on_device.find("__CUDA_ARCH__"), std::string::npos) << on_device;
  }
  for (const char* text : {"#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600\n#else\nf();\n#endif\n",
                           "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600\nf();\n#endif\n",
                           "#if 0 && defined(__CUDA_ARCH__)\n#endif\n", "#if 0\n#ifdef __CUDA_ARCH__\n#endif\n#endif\n",
                           "__device__ int f() {\n#ifdef __CUDA_ARCH__\n return 1;\n#endif\n}\n",
                           "__device__ int f() { return __CUDA_ARCH__; }\n", "#ifdef __CUDACC__\n#endif\n"}) {
    EXPECT_FALSE(rewrite(text, "a").depends_on_side) << text;
  }
  EXPECT_NE(rewrite("__device__ int f(int);\n", "a", for_side(Side::device))
                .text.find("__device__ RAFTER_SIMT_DEVICE_FUNCTION int f"),
            std::string::npos);
}

TEST(Rewriter, RefusesPtxButNotHostAssembly) {
  EXPECT_EQ(refused("\nasm(\"mov.u32 %0, %envreg1;\" : \"=r\"(x));"), "2 inline PTX (mov.u32); ");
  EXPECT_NE(refused("asm volatile(\"{\\n\\t.reg .b128 p;\\n\\tmov.b128 p, %0;\\n\\t}\" :: \"l\"(x));"), "");
  EXPECT_NE(refused("asm volatile(\"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 %0, %1;\" : \"+r\"(a));"), "");
  EXPECT_NE(refused("#define NOW(x) asm volatile(\"mov.u64 %0, \" NAME \";\" : \"=l\"(x))"), "");
  EXPECT_EQ(refused("asm volatile(\"\" ::: \"memory\");"), "");
  EXPECT_EQ(refused("asm volatile(\"mov %%eax, %0\" : \"=r\"(x)); asm(\"rdtsc\" : \"=a\"(lo), \"=d\"(hi));"), "");
  EXPECT_EQ(
      refused("asm volatile(\"mrs %0, cntvct_el0\" : \"=r\"(x)); asm(\"yield\"); asm(\"dmb ish\" ::: \"memory\");"),
      "");
  EXPECT_EQ(refused("// asm(\"mov.u32 %0, %laneid;\")\n#if 0\nasm(\"bar.sync 0;\");\n#endif\n"), "");
}

TEST(Rewriter, CopiesElidedReturnValues) {
  const auto out = [](const std::string& text) { return rewrite(text, "a").text.substr(12); };
  const std::string head = "::rafter_simt::returned([&]() -> decltype(auto) { return ";
  EXPECT_EQ(out("__device__ void k() { new (p) T<int>(n::f(1)); }"),
            "__device__ void k() { new (p) T<int>(" + head + "n::f(1); })); }");
  EXPECT_EQ(out("struct S { __device__ S(int i) : a(f(i)), b{i}, c(g(i), 1) {} };"),
            "struct S { __device__ S(int i) : a(" + head + "f(i); })), b{i}, c(g(i), 1) {} };");
  for (const char* text : {"void h() { new (p) T(f()); }", "struct S { S(int i) : a(f(i)) {} };",
                           "__device__ void k() { x = (a) ? (b) : c(d); new (p) T(f() + 1); new (p) T; }"})
    EXPECT_EQ(out(text), text);
}

TEST(Rewriter, TranslatesCommonPtx) {
  const auto is_known = [](const std::string& statement) {
    const Rewritten result = rewrite("__device__ void f() { " + statement + " }", "a");
    return result.refusals.empty() && result.uses_ptx &&
           result.text.find("#include \"rafter_simt/ptx.hpp\"") < result.text.find("#line");
  };
  const auto out = [](const std::string& text) { return rewrite(text, "a").text; };
  EXPECT_NE(
      out("void f() { asm(\"add.u32 %0, %1, 5;\" : \"=r\"(x[g(1)]) : \"r\"(y)); }")
          .find("rafter_simt_v0 = ::rafter_simt::ptx::add<unsigned>(rafter_simt_v1, ::rafter_simt::ptx::Bits(5ll)); "
                "} ::rafter_simt::ptx::set(rafter_simt_0, rafter_simt_v0); }((x[g(1)]), (y)); }"),
      std::string::npos);
  for (const char* statement :
       {"asm(\"mov.u32 %0, %laneid;\" : \"=r\"(x));", "asm(\"mul24.lo.u32 %0, %1, 3;\" : \"=r\"(x) : \"r\"(y));",
        "asm volatile(\"membar.gl;\" ::: \"memory\");",
        "asm volatile(\"{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.global.u32 [%1], 1; }\" :: \"r\"(x), \"l\"(y));",
        "__asm__ __volatile__(\"cp.async.cg.shared.global [%0], [%1], 16;\\n\" :: \"r\"(a), \"l\"(b));"})
    EXPECT_TRUE(is_known(statement)) << statement;
  for (const char* statement :
       {"asm(\"add.u32 %0, %1;\" : \"=r\"(x) : \"r\"(y));", "asm(\"add.u32 %0, %1, %2;\" : \"=r\"(x) : \"r\"(y));",
        "asm(\"add.u32 %0, undeclared, 1;\" : \"=r\"(x));", "asm(\"add.rp.u32 %0, %0, 1;\" : \"+r\"(x));",
        "asm(\"L: bra L;\\n mov.u32 %0, 1;\" : \"=r\"(x));"})
    EXPECT_FALSE(is_known(statement)) << statement;
}

TEST(Rewriter, RefusesUnimplementedLibraries) {
  EXPECT_EQ(refused("#include <cublas_v2.h>\n#include <cusparse.h>\n#include \"cufft.h\"\n"), "2 cuSPARSE; 3 cuFFT; ");
  EXPECT_EQ(refused("texture<float, 2> t;"), "1 texture references; ");
  EXPECT_EQ(refused("surface<void, 2> s;"), "1 surface references; ");
  EXPECT_EQ(refused("cudaBindTexture2D(0, t, p, d, w, h, n);"), "1 texture references (cudaBindTexture2D); ");
  EXPECT_EQ(refused("x = tex2D<float>(t, u, v); cudaTextureObject_t t; surf2Dwrite(v, s, x, y);"), "");
  EXPECT_EQ(refused("float surface(int x); int texture = 3; if (texture < 4 && y > 2) s.tex2D(1);"), "");
  EXPECT_EQ(refused("#define TWO __cluster_dims__(2)\n"), "1 __cluster_dims__ on a declaration without a body; ");
  EXPECT_EQ(refused("cudaGraphLaunch(g, s); cudaGraphsManual();"), "");
  EXPECT_EQ(refused("cudaGraphicsMapResources(1, &r, s);"), "1 cudaGraphicsMapResources; ");
}

TEST(Rewriter, RefusesHostCodeInKernels) {
  const auto in_kernel = [](const std::string& body) {
    return refused("__global__ void k(float* x, int rand) { " + body + " }");
  };
  EXPECT_EQ(in_kernel("std::vector<float> v;"), "1 std::vector in a kernel; ");
  EXPECT_EQ(in_kernel("exit(1);"), "1 exit() in a kernel; ");
  EXPECT_EQ(refused("using namespace std;\n__device__ void f() { cout << 1; }"), "2 std::cout in a kernel; ");
  for (const char* good : {"x[0] = std::sqrt(2.f);", "x[0] = rand;", "cuda::std::vector<float> v;", "a.exit(1);",
                           "float exit(1);", "my::vector<float> v;", "printf(\"std::cout\");", "vector v;"})
    EXPECT_EQ(in_kernel(good), "") << good;
  const std::string all_of_std = "using namespace std;\n__global__ void k(int n) { ";
  EXPECT_EQ(refused(all_of_std + "int thread = 1, list = 2; if (thread < n) list = n; }"), "");
  EXPECT_EQ(refused(all_of_std + "list<int> l; }"), "2 std::list in a kernel; ");
  EXPECT_EQ(refused("void f() { std::vector<float> v; exit(1); }"), "");
  EXPECT_EQ(refused("__host__ __device__ void f() { std::vector<float> v; }"), "");
}

TEST(Rewriter, RefusesHostFunctionsInKernels) {
  const auto refused_in_project = [](const std::string& text) {
    RewriteOptions options;
    const Tokens tokens(text);
    collect_macros(tokens, options.macros);
    options.callees.add(tokens, Scopes(tokens));
    options.callees.propagate(options.macros);
    std::string list;
    for (const Refusal& refusal : rewrite(text, "a.cu", options).refusals) list += refusal.what + "; ";
    return list;
  };
  const std::string kernel = "__global__ void k(float* x) { x[0] = f(1); }";
  EXPECT_EQ(refused_in_project("float f(float x) { return x; }\n" + kernel), "f() in a kernel; ");
  EXPECT_EQ(refused_in_project("template <class T> T f(T x) { return x; }\n" + kernel), "f() in a kernel; ");
  for (const std::string good :
       {"constexpr float f(float x) { return x; }", "#define D __device__\nD float f(float x) { return x; }",
        "ANY_DEVICE float f(float x) { return x; }",
        "__device__ float f(int x) { return x; } float f(float x) { return x; }", "struct f { float x; };",
        "struct S { float f(float x) { return x; } };"})
    EXPECT_EQ(refused_in_project(good + "\n" + kernel), "") << good;
  EXPECT_EQ(refused_in_project("float f(float x) { return x; }\n"
                               "__global__ void k(float* x) { auto f = [](float y) { return y; }; x[0] = f(1); }"),
            "");
  EXPECT_EQ(refused_in_project("float f(float x) { return x; }\nvoid host() { f(1); }"), "");
}

TEST(Rewriter, PutsAnErrorAtEachRefusal) {
  const std::string out = rewrite("asm(\"bar.red.popc.u32 %0, 1, p;\" : \"=r\"(n));", "a.cu").text;
  EXPECT_NE(out.find("_Pragma(\"GCC error \\\"rafter refuses inline PTX (bar.red.popc.u32): "), std::string::npos)
      << out;
}

TEST(Rewriter, TranslatesNamedBarriers) {
  const auto out = [](const std::string& code) {
    return rewrite("__device__ void f(int n) { asm volatile(\"" + code + "\" :: \"r\"(n)); }", "a").text;
  };
  const auto has = [&](const std::string& code, const std::string& call) {
    return out(code).find(call) != std::string::npos;
  };
  EXPECT_TRUE(has("bar.sync 0;", "::__syncthreads()"));
  EXPECT_TRUE(has("barrier.sync.aligned 3;", "::rafter_simt_barrier((int)::rafter_simt::ptx::Bits(3ll), (int)0, "))
      << out("barrier.sync.aligned 3;");
  EXPECT_TRUE(
      has("bar.cta.sync 1, %0;", "::rafter_simt_barrier((int)::rafter_simt::ptx::Bits(1ll), (int)rafter_simt_v0, "))
      << out("bar.cta.sync 1, %0;");
  EXPECT_TRUE(
      has("bar.arrive 1, 64;",
          "::rafter_simt_barrier_arrive((int)::rafter_simt::ptx::Bits(1ll), (int)::rafter_simt::ptx::Bits(64ll))"))
      << out("bar.arrive 1, 64;");
  for (const char* code : {"bar.arrive 1;", "barrier.cluster.arrive;", "bar.red.or.pred p, 1, q;", "bar.sync;"})
    EXPECT_FALSE(rewrite("__device__ void f() { asm volatile(\"" + std::string(code) + "\"); }", "a").refusals.empty())
        << code;
}

TEST(Rewriter, DetectsBlocksThatMayWaitForEachOther) {
  for (const char* text : {"atomicAdd(&x, 1);", "__threadfence();", "volatile int* flag;", "auto g = cg::this_grid();",
                           "cuda::atomic<int> a;", "atomicCAS_system(p, 0, 1);", "cuda::atomic_ref<int> r(x);"})
    EXPECT_TRUE(rewrite(text, "a.cu").inter_block) << text;
  for (const char* text : {"asm volatile(\"\");", "// atomicAdd(\n", "__syncthreads();", "int atomic = 1;"})
    EXPECT_FALSE(rewrite(text, "a.cu").inter_block) << text;
}

TEST(Rewriter, ListsNamesLocalToATranslationUnit) {
  const Rewritten result = rewrite(
      "__device__ int f(int x) { return x; }\n__host__ __device__ int g();\n__device__ float table[4];\n"
      "__global__ void k();\n__constant__ int c;\n",
      "a.cu");
  EXPECT_EQ(result.device_names, (std::set<std::string>{"c", "f", "table"}));
}

TEST(Rewriter, MakesDeviceNamesStaticOnRequest) {
  RewriteOptions options;
  options.local_device_names = true;
  const auto out = [&](const std::string& text) { return rewrite(text, "a", options).text.substr(12); };
  EXPECT_EQ(out("__device__ int f(int x) { return x; }"), "static __device__ int f(int x) { return x; }");
  EXPECT_EQ(out("int __device__ f();"), "static int __device__ f();");
  EXPECT_EQ(out("__device__ float2 operator+(float2 a);"), "static __device__ float2 operator+(float2 a);");
  EXPECT_EQ(out("__constant__ int c[3];"), "static __constant__ RAFTER_SIMT_CONSTANT_VARIABLE int c[3];");
  for (const char* text :
       {"__global__ void k();", "__host__ __device__ int f();", "static __device__ int f();",
        "__device__ void A::f() {}", "template <class T> __device__ T f();", "__device__ inline int f();",
        "struct A { __device__ int f(); };", "extern \"C\" __device__ int f();"})
    EXPECT_EQ(out(text), text);
}

TEST(Rewriter, TakesTheAddressOfDynamicSharedMemory) {
  const auto rewritten = [](const std::string& use) {
    return rewrite("__global__ void k() { extern __shared__ char s[]; " + use + " }\n", "a.cu").text;
  };
  EXPECT_TRUE(rewritten("f((int*)&s);").find("f((int*)s);") != std::string::npos) << rewritten("f((int*)&s);");
  EXPECT_TRUE(rewritten("f(&s[1]);").find("f(&s[1]);") != std::string::npos);
  EXPECT_TRUE(rewritten("f(reinterpret_cast<T&>(s));").find("<T&>(*s)") != std::string::npos);
  EXPECT_TRUE(rewritten("f(reinterpret_cast<T*>(s));").find("<T*>(s)") != std::string::npos);
}

TEST(Rewriter, EmitsStructureSizesOnRequest) {
  RewriteOptions options;
  options.structures = true;
  const auto emitted = [&](const std::string& text) { return rewrite(text, "a.cu", options).text; };
  const auto emits = [&](const std::string& text, const std::string& name) {
    return emitted(text).find("{sizeof(" + name + "),") != std::string::npos;
  };
  EXPECT_TRUE(emits("struct A { float x; };\n", "struct A"));
  EXPECT_TRUE(emits("namespace n { class alignas(16) A final : public B { float x; }; }\n", "struct A"));
  EXPECT_TRUE(emits("typedef struct { float x; } A;\n", "A"));
  EXPECT_TRUE(emits("typedef struct tag { float x; } A;\n", "A"));
  const std::string of_template = emitted("template <class T> struct A { T x; };\n");
  EXPECT_EQ(of_template.find("sizeof"), std::string::npos) << of_template;
  EXPECT_NE(of_template.find("{0, 8}"), std::string::npos) << "a 16-byte instance may be at a multiple of 8";
  for (const char* text : {"struct A;\nstruct A* f();\n", "enum class A { x };\n",
                           "struct A { struct B { int x; }; } a;\n", "void f() { struct A { int x; }; }\n",
                           "#define TYPE struct A { int x; };\n", "struct A f(struct A a) { return a; }\n"}) {
    EXPECT_EQ(emitted(text).find("rafter_types"), std::string::npos) << text;
  }
  EXPECT_EQ(rewrite("struct A { float x; };\n", "a.cu").changed, false);
}

TEST(Rewriter, RedirectsIncludes) {
  RewriteOptions options;
  options.redirect = [](const Include& include) -> std::optional<std::string> {
    if (include.angled) return std::nullopt;
    return "/copy/" + include.name;
  };
  const Rewritten result = rewrite("#include \"a.cuh\"\n#  include <b.h>\n#include MACRO\n", "a.cu", options);
  EXPECT_EQ(result.text, "#line 1 \"a.cu\"\n#include \"/copy/a.cuh\"\n#  include <b.h>\n#include MACRO\n");
  EXPECT_TRUE(result.has_computed_include);
}

}  // namespace
}  // namespace rafter::simt::build
