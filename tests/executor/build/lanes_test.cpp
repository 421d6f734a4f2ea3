// Selection of the kernels that are vectorised, and of their values that stay scalar.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "plain_build.hpp"

namespace rafter::simt::build {
namespace {

/// Returns the vectorised body that a plain build generates, or an empty string.
std::string in_lanes(const std::string& body, const std::string& before = "", bool all = true) {
  const std::string text =
      before + "__global__ void k(float* p, const float* q, const float4* v, int n, unsigned m) { " + body + " }\n";
  const std::string rewritten =
      test::rewritten_for_plain_builds(text, all ? test::Lanes::wherever_they_can : test::Lanes::where_they_gain);
  const std::size_t begin = rewritten.find("in_lanes("), end = rewritten.find("#endif\n#line");
  return begin == std::string::npos ? "" : rewritten.substr(begin, end - begin);
}

const std::string index = "const int i = blockIdx.x * blockDim.x + threadIdx.x; ";

TEST(Lanes, VectorisesOnlyKernelsWithLoops) {
  EXPECT_EQ(in_lanes(index + "p[i] = 1;"), "");
  for (const char* body :
       {"for (int j = 0; j < n; ++j) p[i] += q[j];", "float s = 0; while (s < p[i]) s += q[i]; p[i] = s;",
        "float s = 0; do { s += q[i]; } while (s < 9); p[i] = s;",
        "if (i >= n) return; for (int j = i; j < n; j += 32) p[j] = v[j].x + v[0].y;",
        "\n#pragma unroll 4\nfor (int j = 0; j < 4; ++j) { if (q[j] > p[i]) break; if (j == i) continue; p[i] = 1; }\n",
        "float a = 1, b = 2; for (; a < b; a *= 2, b = b - 1) if (q[i] < a) return; p[i] = a;",
        "const float4 me = v[i]; float4 sum = make_float4(0, 0, 0, 0); for (int j = 0; j < n; ++j) sum.x += me.y; p[i] "
        "= sum.x;",
        "for (int j = 0; j < n; ++j) p[i] = (float(j) + 1);",
        "unsigned s = m >> 3; for (int j = 0; j < (int)n; ++j) s = s << 1 >> j; p[i] = static_cast<float>(s);"})
    EXPECT_NE(in_lanes(index + body), "") << body;
}

TEST(Lanes, AcceptsAliasesOfArithmeticTypes) {
  const auto in_lanes_of = [](const std::string& before, const std::string& type) {
    const std::string text = before + "__global__ void t(" + type + "* p, int n) { " + index + type +
                             " s = 0; for (int j = 0; j < n; ++j) s += (" + type + ")j; p[i] = s; }\n";
    const std::string rewritten = test::rewritten_for_plain_builds(text);
    return rewritten.find("LanesOf<" + type + "> s") != std::string::npos ||
           rewritten.find("\n" + type + " s = 0") != std::string::npos;
  };
  EXPECT_TRUE(in_lanes_of("template <class T>\n", "T"));
  EXPECT_TRUE(in_lanes_of("template <int n_rows, typename Real = float>\n", "Real"));
  EXPECT_TRUE(in_lanes_of("#define REAL unsigned long long\n", "REAL"));
  EXPECT_TRUE(in_lanes_of("typedef double real;\n", "real"));
  EXPECT_TRUE(in_lanes_of("using real = float; using number = real;\n", "number"));
  EXPECT_FALSE(in_lanes_of("struct Pair { float a, b; };\n", "Pair"));
  EXPECT_FALSE(in_lanes_of("class Big { };\n", "Big"));
  EXPECT_FALSE(in_lanes_of("struct Pair { float a, b; }; typedef Pair Other;\n", "Other"));
}

TEST(Lanes, RefusesUnknownConstructs) {
  for (const char* body :
       {"float a[4]; for (int j = 0; j < 4; ++j) a[j] = q[j]; p[i] = a[i & 3];",
        "const float* row = q + i * n; for (int j = 0; j < n; ++j) p[i] += row[j];",
        "for (int j = 0; j < n; ++j) *(p + i) += q[j];", "int j = 0; while (j++ < n) p[i] += q[j];",
        "for (int j = 0; j < n; ++j) switch (j) { case 1: p[i] = 1; }",
        "float s; for (int j = 0; j < n; ++j) sincosf(q[j], &s, p + i);",
        "auto f = [&](int j) { return q[j]; }; for (int j = 0; j < n; ++j) p[i] += f(j);",
        "for (int j = 0; j < n; ++j) { float& x = p[i]; x += 1; }", "for (int j = 0; j < n; ++j) printf(\"%d\", i);",
        "for (n = i; n > 0; --n) p[n] = 1;", "char c = 0; for (int j = 0; j < n; ++j) c += 1; p[i] = c;",
        "float x = 0, y; for (int j = 0; j < n; ++j) p[i] = (x = q[j], x);"})
    EXPECT_EQ(in_lanes(index + body), "") << body;
  const std::string changes = "__device__ float next(float& x) { return x += 1; }\n";
  EXPECT_EQ(in_lanes(index + "float x = p[i]; for (int j = 0; j < n; ++j) p[i] += next(x);", changes), "");
  EXPECT_EQ(in_lanes(index + "for (int j = 0; j < N; ++j) p[i] += q[j];", "#define N (blockDim.x + 1)\n"), "");
  EXPECT_NE(in_lanes(index + "for (int j = 0; j < N; ++j) p[i] += q[j];", "#define N (4 * 16)\n"), "");
}

/// Its operands would be grouped differently in the vectorised form.
TEST(Lanes, RefusesNumberMacrosWithoutParentheses) {
  const std::string body = index + "int s = i; for (int j = 0; j < n; ++j) s = s - N * j; p[i] = s;";
  EXPECT_EQ(in_lanes(body, "#define N 4 + 1\n"), "");
  EXPECT_EQ(in_lanes(body, "#define N (4) + (1)\n"), "");
  EXPECT_EQ(in_lanes(body, "#ifdef A\n#define N 4 + 1\n#else\n#define N 5\n#endif\n"), "");
  EXPECT_NE(in_lanes(body, "#define N (4 + 1)\n"), "");
  EXPECT_NE(in_lanes(body, "#ifndef N\n#define N -1\n#endif\n"), "");
}

/// Lanes promote elements to int and have bool masks, so another overload could be selected.
TEST(Lanes, RefusesOverloadsSelectedByElements) {
  const std::string overloads = "__device__ int f(int x) { return x; }\n__device__ int f(short x) { return 2; }\n";
  const std::string generic = "template <class T> __device__ int f(T x) { return sizeof(x); }\n";
  for (const std::string& before : {overloads, generic}) {
    EXPECT_EQ(in_lanes(index + "for (int j = 0; j < n; ++j) p[i] += f(q[i]);", before), "");
    EXPECT_EQ(in_lanes(index + "for (int j = 0; j < n; ++j) { auto x = q[i]; p[i] += f(x); }", before), "");
    EXPECT_EQ(in_lanes(index + "for (int j = 0; j < n; ++j) p[i] += f((i < j) & (j < n));", before), "");
    EXPECT_NE(in_lanes(index + "for (int j = 0; j < n; ++j) p[i] += f(i + j);", before), "");
  }
  EXPECT_NE(in_lanes(index + "for (int j = 0; j < n; ++j) p[i] += f(q[i]);", "__device__ int f(int x) { return x; }\n"),
            "");
}

/// A load in the second operand of && must not run if no lane needs it.
TEST(Lanes, DefersLoadsByFunction) {
  const std::string text = in_lanes(index + "for (int j = 0; j < n; ++j) if (j < 3 && __ldg(q + j) > i) p[i] += 1;");
  EXPECT_NE(text.find("and_then("), std::string::npos) << text;
}

TEST(Lanes, KeepsUniformValuesScalar) {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  // A loop counter and the elements it indexes.
  EXPECT_TRUE(has(in_lanes(index + "float s = 0; for (int j = 0; j < n; ++j) s += q[j]; p[i] = s;"), "q[j]"));
  // Also if lanes leave the loop at different times.
  const std::string leaves =
      in_lanes(index + "float s = 0; for (int j = 0; j < n; ++j) { if (s > 9) break; s += q[j]; } p[i] = s;");
  EXPECT_TRUE(has(leaves, "int j = 0") && has(leaves, "q[j]"));
  // But not if it is read after the loop.
  const std::string asks = in_lanes(index + "int j = 0; for (; j < n; ++j) if (q[i] > j) break; p[i] = j;");
  EXPECT_TRUE(has(asks, "LanesOf<int> j")) << asks;
  // A variable that is assigned while some lanes are inactive.
  EXPECT_TRUE(
      has(in_lanes(index + "int c = 0; for (int j = 0; j < n; ++j) if (q[i] > j) c = 1; p[i] = c;"), "LanesOf<int> c"));
  EXPECT_TRUE(
      has(in_lanes(index + "int c = 0; for (int j = 0; j < n; ++j) if (m > 7) c = 1; p[i] = c;"), "\nint c = 0"));
  EXPECT_TRUE(
      has(in_lanes(index + "int c = 0; for (int j = 0; j < n; ++j) { if (q[i] > j) continue; c = 1; } p[i] = c;"),
          "LanesOf<int> c"));
}

TEST(Lanes, SkipsLoopsThatWouldBeSlower) {
  const auto gains = [](const std::string& body) {
    return in_lanes(index + body, "__device__ float f(float x) { return x; }\n", false) != "";
  };
  for (const char* body :
       // a uniform element, consecutive elements
       {"float s = 0; for (int j = 0; j < n; ++j) s += q[j] * q[j * n + i]; p[i] = s;",
        "for (int j = i; j < n; j += m) p[j] = q[j] + 1;",
        "float s = q[i * n]; for (int j = 0; j < n; ++j) s *= 2; p[i] = f(s);",
        "float s = 1; for (int j = 0; j < n; ++j) s = 1 / (s + i); p[i] = s;",
        "int s = i; while (s != 1) s = s % 2 == 0 ? s / 2 : 3 * s + 1; p[i] = s;"})
    EXPECT_TRUE(gains(body)) << body;
  for (const char* body : {"float s = 0; for (int j = 0; j < n; ++j) s += q[i * n + j]; p[i] = s;",
                           "for (int j = 0; j < n; ++j) p[i * n + j] = 1;",
                           "float s = 0; for (int j = 0; j < n; ++j) s += f(i + j); p[i] = s;",
                           "int s = 0; for (int j = 1; j < n; ++j) s += n / (i + j); p[i] = s;",
                           "float s = 0; for (int j = 0; j < n; ++j) s += v[j * n + i].x; p[i] = s;",
                           "float s = 0; for (int j = (int)q[i]; j < n; ++j) s += q[j]; p[i] = s;"})
    EXPECT_FALSE(gains(body)) << body;
}

/// The programs that compare lanes with the host would also pass without lanes, so this checks that they use them.
TEST(Lanes, VectorisesTheKernelsOfTheLaneTests) {
  const auto n_in_lanes = [](const char* program) {
    std::ifstream file(std::string(RAFTER_SIMT_PROGRAMS "/") + program);
    return test::n_in_lanes(std::string(std::istreambuf_iterator<char>(file), {}));
  };
  EXPECT_EQ(n_in_lanes("lanes.cu"), 5);
  EXPECT_EQ(n_in_lanes("lanes_that_do_not_fit.cu"), 1);
}

TEST(Lanes, RefusesKernelsInMacroArguments) {
  const std::string kernel = "__global__ void k(float* p, int n) { for (int j = 0; j < n; ++j) p[threadIdx.x] += 1; }";
  const auto is_in_lanes = [](const std::string& text) {
    return test::rewritten_for_plain_builds(text).find("in_lanes(") != std::string::npos;
  };
  EXPECT_TRUE(is_in_lanes(kernel));
  EXPECT_FALSE(is_in_lanes("#define SAME(x) x\nSAME(" + kernel + ")\n"));
}

TEST(Lanes, KeepsSourceLines) {
  const std::string text = in_lanes(index + "\nfor (int j = 0; j < n; ++j)\np[i] += q[j];\n");
  EXPECT_NE(text.find("#line 3\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace rafter::simt::build
