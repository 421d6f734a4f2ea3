// --csv: tables for programs, on an output of their own.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.hpp"
#include "cli.hpp"

namespace rafter {
namespace {

using cli::Outcome;

class Csv : public cli::Cli {
 protected:
  /// A table's lines, each with as many commas outside of quotes as its head.
  void expect_table(const std::string& arguments, const std::string& head, const std::string& part) const {
    const Outcome outcome = rafter(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments << ": " << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with(head + "\n")) << outcome.out.substr(0, 200);
    EXPECT_TRUE(has(outcome.out, part)) << arguments << "\n" << outcome.out.substr(0, 2000);
    const auto n_fields = std::count(head.begin(), head.end(), ',') + 1;
    bool is_quoted = false;
    long n = 1;
    for (const char c : outcome.out) {
      is_quoted ^= c == '"';
      n += c == ',' && !is_quoted;
      if (c != '\n' || is_quoted) continue;
      EXPECT_EQ(n, n_fields) << arguments;
      n = 1;
    }
  }
};

TEST_F(Csv, ExistsForEveryTable) {
  expect_table("list --csv", "workload,device,kind,rung,built,idea,source", "\nsum,cpu,rung,plain,yes,");
  expect_table("list sum --csv", "parameter,default,size,choices,meaning", "\nn,67108864,yes,,");
  expect_table("show sum --csv", "rung,device,kind,idea,path", "\nsimd,cpu,rung,");
  expect_table("device --csv", "device,roof,working_set_bytes,value,unit", "\ncpu,launch,,");
  base::write_file(file("p.cu"), R"(#include <cstdio>
__global__ void halve(float* x) { x[2 * threadIdx.x] = 1; }
int main() {
  float* x;
  cudaMalloc(&x, 256 * sizeof(float));
  halve<<<1, 128>>>(x);
  std::puts("not for programs");
  return cudaDeviceSynchronize();
}
)");
  expect_table("profile " + file("p.cu") + " --csv",
               "kernel,file,line,space,access,requests,lanes,bytes,distinct_bytes,sectors,ideal_sectors,passes,"
               "ideal_passes,share,most_at_one_address,advice",
               ",2,global,store,4,128,512,512,32,16,");
  const Outcome both = rafter("list --csv --json");
  EXPECT_EQ(both.code, 2);
  EXPECT_TRUE(has(both.err, "--csv")) << both.err;
}

}  // namespace
}  // namespace rafter
