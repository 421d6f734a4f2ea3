// --csv: tables for programs, on an output of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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

  // With a file, the text for people stays where it is.
  const Outcome filed = rafter("profile " + file("p.cu") + " --json " + file("p.json"));
  EXPECT_TRUE(has(filed.out, "not for programs")) << filed.out << filed.err;
  EXPECT_TRUE(nlohmann::json::parse(text_of(file("p.json"))).contains("program"));
  const Outcome before_a_source = rafter("check --json " + file("p.cu"));
  EXPECT_TRUE(before_a_source.out.starts_with("{")) << "the source is not the output: " << before_a_source.err;
  const Outcome over_the_source = rafter("check --json=" + file("p.cu") + " " + file("p.cu"));
  EXPECT_EQ(over_the_source.code, 2);
  EXPECT_TRUE(has(over_the_source.err, "is an input file")) << over_the_source.err;
  EXPECT_EQ(rafter("check " + file("p.cu") + " --json /proc/nowhere/p.json").code, 2);
}

TEST_F(Csv, TablesGoToFilesWithAndWithoutTheirText) {
  for (const std::string command : {"list", "list sum", "show sum", "show sum simd"}) {
    const Outcome text = rafter(command);
    const Outcome filed = rafter(command + " --json " + file("t.json") + " --csv " + file("t.csv"));
    EXPECT_EQ(filed.code, 0) << filed.err;
    EXPECT_EQ(filed.out, text.out) << command;
    EXPECT_EQ(text_of(file("t.json")), rafter(command + " --json").out) << command;
    EXPECT_EQ(text_of(file("t.csv")), rafter(command + " --csv -").out) << command;
    const Outcome other_ending = rafter(command + " --json=" + file("t.txt") + " --csv");
    EXPECT_EQ(text_of(file("t.txt")), text_of(file("t.json")));
    EXPECT_EQ(other_ending.out, text_of(file("t.csv"))) << "text and table do not mix";
  }
  EXPECT_EQ(rafter("list --json sum").out, rafter("list sum --json -").out) << "a workload is not the output";
  const Outcome tried = rafter("try --list --json " + file("try.json"));
  EXPECT_TRUE(has(tried.out, "sum_atomic")) << tried.out;
  EXPECT_TRUE(nlohmann::json::parse(text_of(file("try.json"))).is_array());
}

}  // namespace
}  // namespace rafter
