// rafter run --continue: what a run that was stopped or killed has measured stays, and the rest is added.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "../workbench/lab/schema.hpp"
#include "base/files.hpp"
#include "cli.hpp"
#include "process.hpp"

namespace rafter {
namespace {

namespace fs = std::filesystem;
using cli::Outcome;
using nlohmann::json;

class Continue : public cli::Cli {
 protected:
  /// Results of a run that was killed after some of its cases.
  json killed_run() const {
    cli::Process process(RAFTER_TOOL_PATH " run sum --device cpu --rungs plain,simd --seconds 0.1 --seed 7 --json " +
                             file("r.json") + " --n 1000,1001,1002,1003",
                         file("log"));
    while (!fs::exists(file("r.json"))) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    process.send(SIGKILL);
    process.wait();
    return results();
  }
  json results() const { return json::parse(text_of(file("r.json"))); }
  void write(const json& document) const { base::write_file(file("r.json"), document.dump()); }
};

TEST_F(Continue, MeasuresTheMissingCases) {
  const json before = killed_run();
  ASSERT_GE(before["results"].size(), 2u);
  ASSERT_LT(before["results"].size(), 8u) << "it was killed too late";
  const Outcome outcome = rafter("run --continue " + file("r.json") + " --csv " + file("r.csv"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "resumes " + file("r.json")) && has(outcome.out, "(seed 7)")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "  1000  plain ") && has(outcome.out, "  1003  simd "))
      << "one table of all: " << outcome.out;

  const json after = results();
  const lab::Schema schema(json::parse(text_of(fs::path(RAFTER_DOCS_PATH) / "results.schema.json")));
  for (const std::string& complaint : schema.complaints(after)) ADD_FAILURE() << complaint;
  ASSERT_EQ(after["results"].size(), 8u);
  std::map<std::pair<int, std::string>, int> cases;
  for (const json& one : after["results"]) {
    ++cases[{one["params"]["n"], one["rung"]}];
    EXPECT_EQ(one["seed"], 7);
  }
  EXPECT_EQ(cases.size(), 8u) << "each once";
  for (std::size_t i = 0; i < before["results"].size(); ++i)
    EXPECT_EQ(after["results"][i], before["results"][i]) << "to the last sample";
  const std::string csv = text_of(file("r.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 9);

  const Outcome again = rafter("run --continue " + file("r.json"));
  EXPECT_EQ(again.code, 0);
  EXPECT_TRUE(has(again.err, "nothing is missing in " + file("r.json"))) << again.err;
  EXPECT_EQ(results(), after);
}

TEST_F(Continue, RejectsOptionsOfAnotherRun) {
  const json before = killed_run();
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    const Outcome outcome = rafter("run --continue " + file("r.json") + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, words)) << words << ": " << outcome.err;
  };
  refused(" --seed 8", "resumes the cases and options of '" + file("r.json") + "': '--seed' is for a new run");
  refused(" --n 5", "'--n' is for a new run");
  refused(" --seconds 1", "'--seconds' is for a new run");
  refused(" scan", "'scan' is for a new run");
  const auto refused_with = [&](const char* where, const json& value, const std::string& words) {
    json other = before;
    other[json::json_pointer(where)] = value;
    write(other);
    refused("", words);
    EXPECT_EQ(results(), other) << "nothing is lost";
  };
  refused_with("/machine/cpu", "Another", "cpu: \"Another\" then, ");
  refused_with("/machine/threads", 77, "threads");
  refused_with("/machine/rafter", "0.0.1", "rafter: \"0.0.1\" then, ");
  refused_with("/machine/binary", "0", "was measured by another build of rafter");
  refused_with("/format", 99, "has format 99, of a newer rafter");
  refused_with("/run/program", "rafter-plot", "it was started with --plot: add that option");
  refused_with("/run/seed", "x", "cannot be continued");
  json old = before;
  old.erase("run");
  write(old);
  refused("", "it does not contain the options of the run");
  base::write_file(file("r.json"), before.dump().substr(0, 500));
  refused("", "is not JSON, or is truncated");
  fs::remove(file("r.json"));
  refused("", "cannot read '" + file("r.json"));
}

}  // namespace
}  // namespace rafter
