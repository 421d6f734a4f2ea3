// What `rafter check` gives to CI systems: SARIF, JUnit's XML, suppressions, --fail-on and rafter_check_target(). One
// program is compiled for all tests.
#include <set>

#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

/// A race in one kernel, a note and no finding in another, and host code with a finding.
constexpr const char* checked_source = R"(
__global__ void races(int* out) { out[0] = threadIdx.x; }
__global__ void clean(int* out) {
  if (threadIdx.x >= 40) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  races<<<1, 64>>>(out);
  clean<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return cudaFree(out) == cudaSuccess;
}
)";

class CiReports : public ToolTest {
 protected:
  void SetUp() override { file("a program.cu", checked_source); }
  Outcome check(const std::string& options) const { return rafter("check 'a program.cu' " + options); }
  json json_of(const std::string& name) const { return json::parse(text_of(folder_.path() / name), nullptr, false); }
};

std::string kind_list(const json& results) {
  std::multiset<std::string> kinds;
  for (const json& one : results) kinds.insert(one.contains("kind") ? one["kind"] : one["ruleId"]);
  std::string list;
  for (const std::string& kind : kinds) list += (list.empty() ? "" : " ") + kind;
  return list;
}

/// Checks the properties that the schema of SARIF 2.1.0 requires, and the types of those that are used.
void expect_valid(const json& sarif) {
  ASSERT_TRUE(sarif.is_object());
  EXPECT_EQ(sarif["version"], "2.1.0");
  ASSERT_TRUE(sarif["runs"].is_array());
  for (const json& run : sarif["runs"]) {
    const json& driver = run["tool"]["driver"];
    ASSERT_TRUE(driver["name"].is_string());
    std::set<std::string> ids;
    for (const json& rule : driver["rules"]) {
      EXPECT_TRUE(ids.insert(rule["id"]).second) << "ids of rules must differ: " << rule["id"];
      EXPECT_TRUE(rule["shortDescription"]["text"].is_string());
    }
    for (const json& invocation : run["invocations"]) EXPECT_TRUE(invocation["executionSuccessful"].is_boolean());
    ASSERT_TRUE(run["results"].is_array());
    for (const json& result : run["results"]) {
      EXPECT_TRUE(result["message"]["text"].is_string());
      EXPECT_EQ(driver["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
      EXPECT_TRUE((std::set<std::string>{"none", "note", "warning", "error"}).contains(result["level"]));
      EXPECT_GE(result["occurrenceCount"].get<int>(), 1);
      ASSERT_TRUE(result["partialFingerprints"].is_object());
      for (const json& print : result["partialFingerprints"]) EXPECT_TRUE(print.is_string());
      for (const char* list : {"locations", "relatedLocations"}) {
        if (!result.contains(list)) continue;
        ASSERT_TRUE(result[list].is_array());
        for (const json& location : result[list]) {
          const json& place = location["physicalLocation"];
          const std::string uri = place["artifactLocation"]["uri"];
          EXPECT_EQ(uri.find_first_of(" \\\"<>"), std::string::npos) << uri;
          EXPECT_GE(place["region"]["startLine"].get<int>(), 1);
          EXPECT_GE(location.value("id", 0), 0);
          EXPECT_TRUE(!location.contains("message") || location["message"]["text"].is_string());
        }
      }
      if (!result.contains("suppressions")) continue;
      for (const json& one : result["suppressions"]) {
        EXPECT_TRUE((std::set<std::string>{"inSource", "external"}).contains(one["kind"]));
        EXPECT_TRUE(one["justification"].is_string());
      }
    }
  }
}

TEST_F(CiReports, WritesSarifWithLocationsAndSuppressions) {
  file("accepted", "# known\nrace kernel=races file=*.cu line=2 -- the last thread wins on purpose\n");
  const Outcome outcome = check("--sarif out.sarif --suppress accepted");
  EXPECT_EQ(outcome.code, 1) << outcome.all();
  const json sarif = json_of("out.sarif");
  expect_valid(sarif);
  const json& results = sarif["runs"][0]["results"];
  EXPECT_EQ(kind_list(results), "double_free exited_before_barrier race");
  for (const json& result : results) {
    EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20program.cu");
    EXPECT_EQ(result.contains("suppressions"), result["ruleId"] == "race");
    EXPECT_EQ(result["level"] == "error", result["ruleId"] == "double_free");
    if (result["ruleId"] != "race") continue;
    EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    EXPECT_EQ(result["suppressions"][0]["justification"], "the last thread wins on purpose");
    EXPECT_EQ(result["relatedLocations"].size(), 1u);
  }
  EXPECT_EQ(sarif["runs"][0]["invocations"][0]["exitCode"], 1);
}

TEST_F(CiReports, WritesATestPerKernelForJunit) {
  EXPECT_EQ(check("--junit out.xml").code, 1);
  const std::string text = text_of(folder_.path() / "out.xml");
  EXPECT_TRUE(has(text, "tests=\"3\" failures=\"2\"")) << text;
  EXPECT_TRUE(has(text, "name=\"clean\"/>")) << text;
  EXPECT_TRUE(has(text, "name=\"races\">\n    <failure message=\"race\">")) << text;
  EXPECT_TRUE(has(text, "name=\"host code\">\n    <failure message=\"double_free\">")) << text;
  EXPECT_FALSE(has(text, "out[0] = threadIdx.x; }\n        <")) << "text must be escaped: " << text;
}

TEST_F(CiReports, SuppressesWithReasonsAndReportsEntriesThatMatchNothing) {
  file("accepted",
       "race kernel=r*s -- on purpose\n\ndouble_free -- freed by a library, too\nrace kernel=clean -- no longer "
       "there\n");
  const Outcome outcome = check("--suppress accepted");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "nothing found, 1 note, in 2 kernels")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "rafter check: 2 findings suppressed\n")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "rafter check: accepted:4: this suppression matches nothing\n")) << outcome.out;
  EXPECT_EQ(check("--suppress accepted --fail-on findings,unused_suppression").code, 1);
  const json report = check("--suppress accepted --json").report();
  EXPECT_EQ(kind_list(report["suppressed"]), "double_free race");
  EXPECT_EQ(report["unused_suppressions"], json::array({"accepted:4"}));
}

TEST_F(CiReports, RefusesMalformedSuppressions) {
  for (const char* entry : {"race kernel=a", "race -- ", "rice -- why", "race line=0 -- why", "race line=2x -- why",
                            "race size=3 -- why", "race kernel -- why"}) {
    file("accepted", std::string(entry) + "\n");
    const Outcome outcome = check("--suppress accepted");
    EXPECT_EQ(outcome.code, 2) << entry;
    EXPECT_TRUE(has(outcome.err, "accepted:1: ")) << outcome.err;
  }
  EXPECT_EQ(check("--suppress missing").code, 2);
}

TEST_F(CiReports, FailsOnTheGivenKindsOnly) {
  EXPECT_EQ(check("--fail-on misaligned").code, 0);
  EXPECT_EQ(check("--fail-on none").code, 0);
  EXPECT_EQ(check("--fail-on misaligned,race").code, 1);
  EXPECT_EQ(check("--fail-on exited_before_barrier").code, 1);
  EXPECT_EQ(check("--fail-on notes").code, 1);
  const Outcome outcome = check("--fail-on rice");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "there is no kind 'rice'")) << outcome.err;
}

TEST_F(CiReports, ChecksTargetsOfAProject) {
  file("CMakeLists.txt", R"(
cmake_minimum_required(VERSION 3.25)
project(checked CXX)
enable_testing()
include(${CHECK})
file(COPY_FILE "${CMAKE_SOURCE_DIR}/a program.cu" "${CMAKE_BINARY_DIR}/program.cpp")
add_executable(program ${CMAKE_BINARY_DIR}/program.cpp)
target_include_directories(program PRIVATE include "include/with space")
target_compile_definitions(program PRIVATE VALUE=3 OTHER="a b")
set_target_properties(program PROPERTIES CXX_STANDARD 20)
rafter_check_target(alone SOURCES "a program.cu" OPTIONS --fail-on misaligned ARGUMENTS 1 "2 3")
rafter_check_target(program NAME shown)
)");
  const auto run = [&](const std::string& command) { return shell(folder_.path(), command); };
  const fs::path package = fs::path(RAFTER_TOOL_PATH).parent_path() / "rafter-check.cmake";
  const Outcome made = run("cmake -S . -B build -DCHECK=" + package.string());
  ASSERT_EQ(made.code, 0) << made.all();
  const Outcome passed =
      run("ctest --test-dir build -R rafter.alone -L rafter_check --no-tests=error --output-on-failure");
  EXPECT_EQ(passed.code, 0) << passed.all();
  const Outcome shown = run("ctest --test-dir build -R shown -N -V");
  for (const char* word : {"program.cpp\"", "\"-I", "/include/with space\"", "\"-DVALUE=3\"", "\"-std=c++20\""})
    EXPECT_TRUE(has(shown.out, word)) << word << "\n" << shown.out;
}

TEST_F(CiReports, ExploresSchedulesAndNamesTheSeed) {
  // The defect needs the second warp to be first.
  file("order.cu", R"(
__global__ void k(int* ticket, int* out) {
  __shared__ int first;
  if (threadIdx.x % 32 == 0 && atomicAdd(ticket, 1) == 0) first = threadIdx.x / 32;
  __syncthreads();
  if (first == 1 && threadIdx.x < 2) out[0] = threadIdx.x;
}
int main() {
  int* m;
  cudaMalloc(&m, 8);
  cudaMemset(m, 0, 8);
  k<<<1, 64>>>(m, m + 1);
  cudaDeviceSynchronize();
  cudaFree(m);
}
)");
  EXPECT_EQ(rafter("check order.cu").code, 0);
  const Outcome outcome = rafter("check order.cu --schedules 8 --json");
  EXPECT_EQ(outcome.code, 1) << outcome.all();
  const json report = outcome.report();
  EXPECT_EQ(report["n_schedules"], 8);
  ASSERT_EQ(kind_list(report["findings"]), "race");
  const json& seeds = report["findings"][0]["schedules"];
  ASSERT_FALSE(seeds.empty());
  EXPECT_LT(seeds.size(), 8u);
  EXPECT_EQ(rafter("check order.cu --schedule " + std::to_string(seeds[0].get<int>())).code, 1)
      << "the seed replays it";
  const Outcome text = rafter("check order.cu --schedules 8");
  EXPECT_TRUE(has(text.out, "not in the natural order; with --schedule ")) << text.out;
  EXPECT_TRUE(has(text.out, "explored the natural order and 8 schedules (seeds 1 to 8)")) << text.out;
}

}  // namespace
}  // namespace rafter::simt::test
