// rafter journal as a user meets it: commands add steps by themselves, and it becomes a log.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "cli.hpp"

namespace rafter {
namespace {

namespace fs = std::filesystem;
using cli::Outcome;
using nlohmann::json;

class JournalCli : public cli::Cli {
 protected:
  void SetUp() override {
    cli::Cli::SetUp();
    fs::create_directories(folder_ / "work/below");
    before_ = fs::current_path();
    fs::current_path(folder_ / "work/below");
  }
  void TearDown() override {
    fs::current_path(before_);
    cli::Cli::TearDown();
  }
  Outcome journal(const std::string& arguments) const { return rafter("journal " + arguments); }
  /// A rung of the planted tool, as a step.
  Outcome measured(const std::string& arguments) const { return planted("run --device cpu --quick " + arguments); }
  std::size_t n_entries() const {
    const auto files = fs::directory_iterator(folder_ / "work/rafter-journal");
    return static_cast<std::size_t>(
        std::count_if(begin(files), end(files), [](const auto& file) { return file.path().extension() == ".json"; }));
  }

  fs::path before_;
};

TEST_F(JournalCli, KeepsEachRunAndExportsALog) {
  const Outcome started = journal("start .. --target 1.5x --title 'My <doubling>'");
  EXPECT_EQ(started.code, 0) << started.err;
  EXPECT_TRUE(has(started.out, "Journal: " + file("work/rafter-journal"))) << started.out;

  const Outcome slow = measured("doubling --rungs slow -m 'Where it begins'");
  EXPECT_EQ(slow.code, 0) << slow.err;
  EXPECT_TRUE(has(slow.err, "Journal: step 1, slow ")) << slow.err;
  const Outcome right = measured("doubling --rungs right --json - --message='No sleep' --predict 2x");
  EXPECT_TRUE(has(right.err, "over the previous step")) << right.err;
  EXPECT_TRUE(json::parse(right.out).contains("results")) << "the standard output is the results' alone";
  EXPECT_EQ(journal("add --verdict wrong -m 'Too short'").code, 0);

  const Outcome shown = journal("show");
  EXPECT_EQ(shown.code, 0) << shown.err;
  for (const char* part : {"My <doubling>\n", "Where it begins", " 2x ", "No sleep", "WRONG: Too short",
                           "target 1.5x: reached with step 2"})
    EXPECT_TRUE(has(shown.out, part)) << part << "\n" << shown.out;
  const std::string csv = journal("show --csv").out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4) << csv;
  EXPECT_EQ(json::parse(journal("show --json").out)["steps"].size(), 3u);
  const std::string second = journal("show 2").out;
  EXPECT_TRUE(has(second, "rafter run --device cpu --quick doubling --rungs right --json -\n"))
      << "without -m: " << second;
  EXPECT_TRUE(has(second, "predicted 2x, measured ")) << second;

  EXPECT_EQ(journal("note 1 --next 'Sleep less'").code, 0);
  EXPECT_TRUE(has(journal("show 1").out, "Sleep less"));
  const Outcome ended = journal("end -m 'Fast enough.'");
  EXPECT_TRUE(has(ended.out, "Fast enough.\n") && has(ended.out, " of the floor of ")) << ended.out;
  const Outcome late = journal("add --unasked --verdict right");
  EXPECT_EQ(late.out + late.err, "") << "it has ended";
  EXPECT_EQ(n_entries(), 6u);

  EXPECT_EQ(journal("export " + file("log.md")).code, 0);
  EXPECT_TRUE(has(text_of(file("log.md")), "# My \\<doubling\\>\n"));
  const Outcome page = journal("export " + file("log.html"));
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_TRUE(has(text_of(file("log.html")), "<h1>My &lt;doubling&gt;</h1>"));
  EXPECT_EQ(rafter("report --journal . --out " + file("r.html")).code, 0);
  EXPECT_TRUE(has(text_of(file("r.html")), "<h2 id=\"section-1\">My &lt;doubling&gt;</h2>"));
}

TEST_F(JournalCli, KeepsTheChangeFromBenchToBench) {
  journal("start ..");
  const std::string command =
      "bench my.cu --device simt --kernel mine --reference naive --set n=512 --grid 2 --block 256 "
      "--arg 'in=f32[n]:random' --arg 'out=f32[n]' --json r.json ";
  const auto write = [](const std::string& index) {
    base::write_file("my.cu",
                     "__global__ void naive(const float* in, float* out, int n) { int i = blockIdx.x * 256 + "
                     "threadIdx.x; out[i] = 2 * in[i]; }\n__global__ void mine(const float* in, float* out, "
                     "int n) { int i = " +
                         index + "; out[i] = 2 * in[i]; }\n");
  };
  write("threadIdx.x * 2 + blockIdx.x");
  const Outcome first = rafter(command + "-m 'Threads side by side in blocks'");
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(has(first.err, "Journal: step 1, right")) << first.err;
  write("threadIdx.x");
  EXPECT_EQ(rafter(command).code, 1);
  const std::string shown = journal("show 2").out;
  for (const char* part : {"  wrong\n", "-__global__ void mine(", "{ int i = threadIdx.x; out[i]"})
    EXPECT_TRUE(has(shown, part)) << part << "\n" << shown;
  EXPECT_TRUE(has(journal("show 1").out, "mine: its warps move")) << "what was counted";
}

TEST_F(JournalCli, AddsResultsFromElsewhere) {
  journal("start .. --target 36ms");
  base::write_file("my.cu", "one\n");
  base::write_file("r.json",
                   R"({"format": 1, "machine": {"gpu": {"name": "NVIDIA H200"}}, "results": [{"workload": "heat",
    "params": {"n": 600}, "device": "cuda", "rung": "mine", "kind": "rung", "verified": true, "status": "verified",
    "regime": "cold", "median_ns": 4e7, "floor_ns": 1e7, "floor_limit": "fp32"}]})");
  const Outcome added = journal("add r.json --source my.cu -m 'on the GPU' --said 'Waits for memory.'");
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_TRUE(has(added.out, "step 1, mine 40.0 ms; target 36.0 ms")) << added.out;
  base::write_file("my.cu", "two\n");
  EXPECT_TRUE(has(journal("add r.json --source my.cu").out, "source +1 -1 lines"));
  EXPECT_TRUE(has(journal("show 1").out, "Waits for memory."));
}

TEST_F(JournalCli, RejectsBadInputAndChangesNothing) {
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    const Outcome outcome = journal(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, words)) << arguments << ": " << outcome.err;
  };
  refused("show", "there is no journal in '");
  refused("start nowhere", "'nowhere' is not a folder");
  refused("start .. --target 5", "--target takes a factor such as 5x or a time such as 36ms");
  refused("start .. --source none.cu", "cannot read 'none.cu'");
  EXPECT_FALSE(fs::exists(folder_ / "work/rafter-journal")) << "nothing begins with an error";
  refused("strat", "unknown subcommand 'strat': did you mean 'start'?");
  journal("start ..");
  refused("start ..", "a journal is active in");
  refused("show 3", "there is no step 3; there are none yet");
  refused("note", "the note is empty: -m");
  refused("export log.txt", "a log is FILE.md or FILE.html");
  base::write_file("half.json", "{\"results\": [");
  refused("add half.json", "is not JSON, or is truncated");
  base::write_file("other.json", "{\"format\": 3, \"results\": []}");
  refused("add other.json", "has format 3 of a newer rafter");
  refused("add --verdict perhaps", "a verdict must be right, wrong or 'could not run'");
  refused("add --predict soon", "--predict takes a factor");
  EXPECT_EQ(planted("run doubling --device cpu --quick --predict soon").code, 2) << "before anything is measured";
  EXPECT_EQ(n_entries(), 1u);

  const std::string long_sentence(4000, 'x');
  EXPECT_EQ(journal("note -m 'short'").code, 0);
  const Outcome full =
      call("bash", "-c 'trap \"\" XFSZ; ulimit -f 2; exec " RAFTER_TOOL_PATH " journal note -m " + long_sentence + "'");
  EXPECT_EQ(full.code, 2);
  EXPECT_TRUE(has(full.err, "cannot write '" + file("work/rafter-journal/0003.json"))) << full.err;
  EXPECT_EQ(n_entries(), 2u);

  base::write_file(folder_ / "work/rafter-journal/0002.json", "{\"format\":");
  const Outcome damaged = journal("show");
  EXPECT_EQ(damaged.code, 1);
  EXPECT_TRUE(has(damaged.err, "0002.json' is not JSON, or is truncated; it is left out")) << damaged.err;
  journal("stop -m done");
  refused("stop", "was ended before");
  refused("add --verdict right", "was ended; 'rafter journal start");
}

}  // namespace
}  // namespace rafter
