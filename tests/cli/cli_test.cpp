// The tool as a user meets it: output, messages, exit codes, files.
#include "cli.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "../workbench/lab/schema.hpp"
#include "process.hpp"
#include "rafter/device.hpp"

namespace rafter {
namespace {

namespace fs = std::filesystem;
using cli::Cli;
using cli::Outcome;
using nlohmann::json;

/// Validates a results file with the published schema.
json results_in(const std::string& path) {
  const auto read = [](const fs::path& file) { return json::parse(std::ifstream(file)); };
  static const lab::Schema schema(read(fs::path(RAFTER_DOCS_PATH) / "results.schema.json"));
  json results = read(path);
  for (const std::string& complaint : schema.complaints(results)) ADD_FAILURE() << path << complaint;
  return results;
}

/// Plots need a library that a build may be without.
bool lacks_cairo(const Outcome& outcome) { return outcome.err.find("this build has no Cairo") != std::string::npos; }

constexpr const char* small_run = "run sum --device cpu --size 1000 --seconds 0.02 ";

TEST_F(Cli, PrintsHelpAndVersion) {
  const Outcome help = rafter("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"run", "list", "device", "show", "Examples"}) EXPECT_TRUE(has(help.out, word)) << word;
  for (const char* sub : {"run", "list", "device", "show", "try", "solve heat"}) {
    const Outcome of_sub = rafter(std::string(sub) + " --help");
    EXPECT_EQ(of_sub.code, 0);
    EXPECT_TRUE(has(of_sub.out, "--json")) << sub;
  }
  EXPECT_TRUE(has(rafter("--version").out, "rafter 1."));
}

TEST_F(Cli, HelpWithACommandPrintsTheHelpOfTheCommand) {
  for (const char* command : {"run", "solve heat", "journal start"}) {
    const Outcome help = rafter(std::string("help ") + command);
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_EQ(help.out, rafter(std::string(command) + " --help").out);
  }
  EXPECT_EQ(rafter("help").out, rafter("--help").out);
  const Outcome unknown = rafter("help rum");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown.err, "run")) << unknown.err;
}

TEST_F(Cli, VersionHasTheFactsOfTheBuild) {
  const Outcome outcome = rafter("--version");
  for (const char* fact : {"rafter 1.", "compiler: ", "CUDA: ", "CPU: "})
    EXPECT_TRUE(has(outcome.out, fact)) << outcome.out;
  EXPECT_EQ(rafter("run --version").out, outcome.out);
}

TEST_F(Cli, CompletesCommandsSubcommandsAndOptionsInBash) {
  std::ofstream(file("completion")) << rafter("completion bash").out;
  const auto completed = [&](const std::string& words) {
    return call("bash", "-c 'source " + file("completion") + "; COMP_WORDS=(" + words +
                            "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rafter; echo ${COMPREPLY[@]}'")
        .out;
  };
  EXPECT_EQ(completed("rafter rep"), "report\n");
  EXPECT_EQ(completed("rafter help rep"), "report\n");
  EXPECT_EQ(completed("rafter journal sta"), "start\n");
  EXPECT_EQ(completed("rafter solve heat --steps 10 --spac"), "--spacing\n");
  EXPECT_EQ(completed("rafter run sum --js"), "--json\n");
  EXPECT_EQ(rafter("completion tcsh").code, 2);
}

TEST_F(Cli, CompletionOfOtherShellsNamesAllCommands) {
  for (const char* shell : {"zsh", "fish"}) {
    const std::string script = rafter(std::string("completion ") + shell).out;
    for (const char* word : {"run", "journal", "forces", "spacing"}) EXPECT_TRUE(has(script, word)) << shell << word;
  }
}

TEST_F(Cli, WritesAManPageForEachCommand) {
  EXPECT_EQ(rafter("man " + file("man")).code, 0);
  for (const char* page : {"rafter", "rafter-run", "rafter-solve-heat", "rafter-journal-start"}) {
    const std::string text = text_of(file(std::string("man/") + page + ".1"));
    EXPECT_TRUE(text.starts_with(".TH " + std::string(page) + " 1")) << page;
    EXPECT_TRUE(has(text, ".SH NAME") && has(text, "\\-\\-help")) << text;
  }
  EXPECT_TRUE(has(rafter("man").out, ".TH rafter 1"));
}

TEST_F(Cli, PrintsAtMost100Columns) {
  for (const char* arguments : {"--help", "run --help", "exec --help", "check --help", "profile --help", "try --help",
                                "solve --help", "solve heat --help", "plot --help", "forces --help", "try --list",
                                "list", "list rows", "show sum", small_run}) {
    std::istringstream lines(rafter(arguments).out);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("Results:")) continue;  // a path is as long as it is
      const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
      EXPECT_LE(columns, 100) << arguments << ": " << line;
    }
  }
}

TEST_F(Cli, FitsTablesToANarrowTerminal) {
  for (const char* arguments : {"list", "list rows", "show sum", "device", "solve heat --help", "run --help",
                                "run sum --device cpu --rungs plain --size 1000 --seconds 0.02 --regimes"}) {
    const Outcome outcome = call("COLUMNS=80 " RAFTER_TOOL_PATH, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("Results:") || line.starts_with("  rafter ")) continue;  // what is copied stays in one line
      const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
      EXPECT_LE(columns, 80) << arguments << ": " << line;
    }
  }
}

TEST_F(Cli, NamesTheResultsFileOfAStoppedRun) {
  std::string sizes = "1000";
  for (int i = 0; i < 1000; ++i) sizes += "," + std::to_string(2000 + i);
  cli::Process process(
      RAFTER_TOOL_PATH " run sum --device cpu --rungs plain --seconds 0.1 --json " + file("r.json") + " --n " + sizes,
      file("log"));
  while (!fs::exists(file("r.json"))) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.send(SIGINT);
  EXPECT_EQ(process.wait(), 130);
  const std::string log = text_of(file("log"));
  EXPECT_TRUE(has(log, "of 1001 cases, which are in " + file("r.json"))) << log;
  EXPECT_TRUE(has(log, "  1000  plain ")) << log;
  EXPECT_GE(json::parse(text_of(file("r.json")))["results"].size(), 1u);
}

TEST_F(Cli, ReportsConcurrentRuns) {
  const std::string quick = "run sum --device cpu --rungs plain --seconds 0.02 --json ";
  std::string sizes = "1000";
  for (int i = 0; i < 1000; ++i) sizes += "," + std::to_string(2000 + i);
  cli::Process first(RAFTER_TOOL_PATH " " + quick + file("o.json") + " --n " + sizes, file("log"));
  while (!fs::exists(file("o.json"))) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const Outcome second = rafter(quick + file("r.json") + " --n 1000,2000");
  EXPECT_EQ(second.code, 0);
  EXPECT_TRUE(has(second.err, "another rafter is running on this machine: run sum on cpu (process ")) << second.err;
  const std::string log = text_of(file("log"));
  EXPECT_TRUE(has(log, "another rafter has started on this machine: run sum on cpu (process ")) << log;
  first.send(SIGKILL);
  first.wait();
  EXPECT_EQ(rafter(quick + file("r.json") + " --n 1000").err, "");
}

TEST_F(Cli, SuggestsSimilarNamesForUnknownOnes) {
  const std::array<std::pair<const char*, const char*>, 19> cases{{
      {"rnu", "unknown subcommand 'rnu': did you mean 'run'?"},
      {"rnu run", "unknown subcommand 'rnu': did you mean 'run'?"},
      {"--versoin run", "unknown option '--versoin': did you mean '--version'?"},
      {"solve heta heat", "unknown equation 'heta': did you mean 'heat'?"},
      {"compare /dev/zero /dev/zero", "cannot read '/dev/zero'"},
      {"report /dev/zero --out x.html", "cannot read '/dev/zero'"},
      {"run smu", "unknown workload 'smu': did you mean 'sum'?"},
      {"run sum --devcie cpu", "unknown option '--devcie': did you mean '--device'?"},
      {"run --devcie cpu", "unknown option '--devcie': did you mean '--device'?"},
      {"run sum --dtpye float64", "unknown option '--dtpye': did you mean '--dtype'?"},
      {"run sum --device cpuu", "unknown device 'cpuu': did you mean 'cpu'?"},
      {"run sum --device cpu --rungs simdd", "unknown rung of sum on cpu 'simdd': did you mean 'simd'?"},
      {"run sum --set dtypo=float32", "unknown parameter 'dtypo': did you mean 'dtype'?"},
      {"run sum --set dtype=float23", "unknown dtype 'float23': did you mean 'float32' or 'float64' or 'float16'?"},
      {"run sum --device gpu", "unknown device 'gpu': did you mean 'cuda'?"},
      {"show sum --device gpu", "unknown device 'gpu': did you mean 'cuda'?"},
      {"run sum --threads 0", "--threads: expected a whole number from 1 on, got '0'"},
      {"run sum --size ''", "--size was given without a value"},
      {"show rows by_shap", "unknown rung of rows 'by_shap': did you mean 'by_shape'?"},
  }};
  for (const auto& [arguments, message] : cases) {
    const Outcome outcome = rafter(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, message)) << arguments << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(Cli, SaysWhatWasExpectedForBadValues) {
  const std::array<std::pair<const char*, const char*>, 19> cases{{
      {"run sum --seconds 0", "--seconds"},
      {"run sum --device simt --stages", "--stages shows times, and the executor has none"},
      {"run sum --n 10,many", "'many' is not a whole number"},
      {"run sum --dtype", "--dtype takes a value, or several"},
      {"run sum rows --dtype float32,float64", "dtype is given as a list, which makes a sweep of one workload"},
      {"run sum --n 10,20 --plot sum.gif", "FILE.png, FILE.svg or FILE.pdf, not 'sum.gif'"},
      {"plot none.json sum.svg --kind pie", "--kind"},
      {"run sum --n 10,20 --plot /dev/null/sum.svg", "cannot write"},
      {"run sum --size many", "'many' is not a whole number"},
      {"run sum --size -5", "-5"},
      {"run rows --size 100", "--size of rows is rowsxcols"},
      {"run sum --set n", "--set takes NAME=VALUE"},
      {"run --size 100", "need a workload"},
      {"run sum --size 1e18 --device cpu", "has"},
      {"run sum --regime hot", "--regime"},
      {"run sum --device cpu --regime graph", "device cpu has no regime graph"},
      {"run sum --device cpu --threads 100000", "--threads must be from 1 to"},
      {"run sum --device cpu --seed -1", "'-1' is not a whole number"},
      {"run sum --device cpu --size=-2^2", "'-2^2' is not a whole number"},
  }};
  for (const auto& [arguments, message] : cases) {
    const Outcome outcome = rafter(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    if (lacks_cairo(outcome)) continue;
    EXPECT_TRUE(has(outcome.err, message)) << arguments << ": " << outcome.err;
  }
}

TEST_F(Cli, FailsOnClosedAndFullOutputs) {
  EXPECT_EQ(rafter("list bogus 2>&- #").code, 2);
  EXPECT_EQ(rafter("list >/dev/full").code, 2);
  EXPECT_EQ(rafter("--version >/dev/full").code, 2);
}

TEST_F(Cli, ReportsAMissingDeviceAndUsesNoOther) {
  if (!why_unavailable(Device::cuda)) GTEST_SKIP() << "there is a GPU";
  const Outcome outcome = rafter("run sum --device cuda");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "device cuda cannot be used")) << outcome.err;
}

TEST_F(Cli, VerifiesOnTheExecutorWithoutTimes) {
  const Outcome outcome =
      rafter("run sum --device simt --size 1000 --rungs block_tree,last_block --json " + file("s.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "block_tree          1 verified, no errors found")) << outcome.out;
  const json results = results_in(file("s.json"));
  ASSERT_EQ(results["results"].size(), 2);
  EXPECT_TRUE(results["results"][0]["verified"].get<bool>());
  EXPECT_FALSE(results["results"][0].contains("median_ns"));
}

TEST_F(Cli, PrintsAndWritesStagesOfARung) {
  const Outcome outcome = rafter(
      "run spectral --device cpu --batch 8 --rungs plain,batched --stages --seconds 0.05 --json " + file("s.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "  stages of batched: ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "speedup at most ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "  without stages: plain")) << outcome.out;
  const json results = results_in(file("s.json"))["results"];
  EXPECT_EQ(results[0]["stages"].size(), 0);
  double shares = 0;
  for (const json& stage : results[1]["stages"]) {
    EXPECT_GT(stage["ns"].get<double>(), 0) << stage["name"];
    shares += stage["share"].get<double>();
  }
  EXPECT_NEAR(shares, 1, 1e-9);
}

TEST_F(Cli, VerifiesTimesAndWritesResults) {
  const Outcome outcome = rafter(std::string(small_run) + "--seed 7 --json " + file("r.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "chunked"));
  EXPECT_EQ(outcome.err, "");  // no progress in a pipe
  const json results = results_in(file("r.json"));
  EXPECT_FALSE(results["machine"]["cpu"].get<std::string>().empty());
  EXPECT_GT(results["roofs"]["read_bytes_per_s"].get<double>(), 0);
  EXPECT_GT(results["roofs"]["start"]["copy_bytes_per_s"].get<double>(), 0);
  EXPECT_GT(results["roofs"]["end"]["read_bytes_per_s"].get<double>(), 0);
  EXPECT_TRUE(results["roofs"]["beaten"].is_array());
  bool found = false;
  for (const json& r : results["results"]) {
    if (r["rung"] != "chunked") continue;
    found = true;
    EXPECT_EQ(r["workload"], "sum");
    EXPECT_EQ(r["params"]["n"], 1000);
    EXPECT_EQ(r["device"], "cpu");
    EXPECT_EQ(r["kind"], "rung");
    EXPECT_EQ(r["seed"], 7);
    EXPECT_TRUE(r["verified"].get<bool>());
    EXPECT_GT(r["median_ns"].get<double>(), 0);
    EXPECT_GT(r["floor_ns"].get<double>(), 0);
    EXPECT_EQ(r["floor_limit"], "memory");
    EXPECT_EQ(r["samples_ns"].size(), r["n"].get<std::size_t>());
  }
  EXPECT_TRUE(found);
}

TEST_F(Cli, WritesALineOfCsvForEachRung) {
  const Outcome outcome = rafter(std::string(small_run) + "--rungs plain,chunked --csv -");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("workload,params,device,regime,rung,kind,status,detail,median_ns,")) << line;
  for (const char* rung : {"plain", "chunked"}) {
    std::getline(lines, line);
    EXPECT_TRUE(line.starts_with(std::string("sum,n=1000 dtype=float32,cpu,cold,") + rung + ",rung,verified,")) << line;
  }
  EXPECT_FALSE(std::getline(lines, line)) << line;
  EXPECT_TRUE(has(outcome.err, "chunked")) << "the table";
  EXPECT_TRUE(has(rafter("run sum --json - --csv -").err, "cannot both have the standard output"));
}

TEST(ResultsSchema, RejectsInvalidDocuments) {
  const lab::Schema schema(json::parse(std::ifstream(fs::path(RAFTER_DOCS_PATH) / "results.schema.json")));
  const auto complains = [&](const json& document, const std::string& of) {
    const auto complaints = schema.complaints(document);
    return std::any_of(complaints.begin(), complaints.end(), [&](const std::string& c) { return c.find(of) == 0; });
  };
  EXPECT_TRUE(complains(json::array(), "it: is not \"object\""));
  EXPECT_TRUE(complains(json::object(), "it: has no \"machine\""));
  EXPECT_TRUE(complains({{"results", {{{"verified", 1}}}}}, "/results/0/verified: is not \"boolean\""));
  EXPECT_TRUE(complains({{"results", {{{"device", "gpu"}}}}}, "/results/0/device: \"gpu\" is not one of"));
  EXPECT_TRUE(complains({{"results", {{{"colour", 1}}}}}, "/results/0/colour: is not in the schema"));
  EXPECT_TRUE(complains({{"results", {{{"interval_ns", {1}}}}}}, "/results/0/interval_ns: violates minItems 2"));
}

// The main job must not fail on right kernels, whatever else runs on the machine.
TEST_F(Cli, PassesRightRungsUnderLoad) {
  std::ofstream(file("load.sh")) << "for i in 1 2 3 4; do while :; do :; done & done; \"$@\"; code=$?; "
                                    "kill $(jobs -p); exit $code\n";
  const Outcome outcome = call("XDG_CACHE_HOME=" + file("cache") + " bash " + file("load.sh") + " " RAFTER_TOOL_PATH,
                               "run fill --device cpu --size 2^20 --quick --json " + file("r.json"));
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(has(outcome.out, "roofs at the end relative to the start")) << outcome.out;
  for (const json& r : results_in(file("r.json"))["results"]) EXPECT_NE(r["status"], "INVALID") << r;
}

TEST_F(Cli, MakesOneTableAndAPlotOfAListOfValues) {
  const Outcome outcome = rafter("run sum --device cpu --rungs plain,simd --seconds 0.02 --n 1000,2^11 --json " +
                                 file("r.json") + " --plot " + file("sum.svg"));
  if (lacks_cairo(outcome)) GTEST_SKIP() << outcome.err;
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "sum  dtype=float32   on cpu, by n\n")) << outcome.out;
  for (const char* line : {"     n  rung ", "  1000  floor (memory) ", "  1000  plain ", "  2^11  simd "}) {
    EXPECT_TRUE(has(outcome.out, line)) << line << outcome.out;
  }
  EXPECT_TRUE(has(outcome.out, "Plot:    " + file("sum.svg")));
  EXPECT_TRUE(has(text_of(file("sum.svg")), "</svg>"));
  const json results = results_in(file("r.json"));
  EXPECT_EQ(results["sweep"]["parameter"], "n");
  ASSERT_EQ(results["results"].size(), 4u);
  EXPECT_EQ(results["results"][3]["params"]["n"], 2048);

  EXPECT_EQ(rafter("plot " + file("r.json") + " " + file("again.svg")).code, 0);
  EXPECT_EQ(text_of(file("again.svg")), text_of(file("sum.svg")));
  EXPECT_EQ(rafter("plot " + file("none.json") + " " + file("a.svg")).code, 2);
  EXPECT_TRUE(has(rafter("plot " + file("sum.svg") + " " + file("a.svg")).err, "is not JSON"));
}

TEST_F(Cli, ChecksASweepOnTheExecutor) {
  const Outcome outcome = rafter("run sum --device simt --n 10,1000 --rungs block_tree --json " + file("s.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "2 verified, no errors found")) << outcome.out;
  EXPECT_TRUE(has(rafter("run sum --device simt --n 10,1000 --plot a.svg").err, "the executor has none"));
}

TEST_F(Cli, WritesOnlyJsonToStandardOutput) {
  const Outcome outcome = rafter(std::string(small_run) + "--json -");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(json::parse(outcome.out)["results"].empty());
}

TEST_F(Cli, RunsSizesZeroAndOne) {
  EXPECT_EQ(rafter("run sum --device cpu --size 0,1 --seconds 0.02").code, 0);
  EXPECT_EQ(rafter("run rows --device cpu --size 0x3,3x0,1x1 --seconds 0.02").code, 0);
}

TEST_F(Cli, RejectsUnwritableResultsBeforeMeasuring) {
  std::ofstream(file("plain")) << "kept";
  const Outcome below_a_file = rafter(std::string(small_run) + "--json " + file("plain/r.json"));
  EXPECT_EQ(below_a_file.code, 2);
  EXPECT_TRUE(has(below_a_file.err, "cannot write")) << below_a_file.err;
  EXPECT_EQ(below_a_file.out, "");
  EXPECT_EQ(text_of(file("plain")), "kept");
  EXPECT_EQ(rafter(std::string(small_run) + "--json " + folder_.string()).code, 2);
}

TEST_F(Cli, KeepsALinkToAResultsFile) {
  fs::create_symlink("real.json", file("link.json"));
  EXPECT_EQ(rafter(std::string(small_run) + "--json " + file("link.json")).code, 0);
  EXPECT_TRUE(fs::is_symlink(file("link.json")));
  EXPECT_FALSE(results_in(file("real.json"))["results"].empty());
}

TEST_F(Cli, WritesOneDocumentToADevice) {
  const Outcome outcome = rafter("run sum --device cpu --size 10,20 --seconds 0.02 --json /dev/stdout");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(json::parse(outcome.out)["results"].size() % 2, 0u);
}

TEST_F(Cli, ReportsAFullDisk) {
  const Outcome outcome = rafter(std::string(small_run) + "--json /dev/full");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "No space left on device")) << outcome.err;
}

TEST_F(Cli, PrintsListShowAndDeviceAsJson) {
  const json list = json::parse(rafter("list --json").out);
  ASSERT_GE(list.size(), 2u);
  for (const json& workload : list) {
    for (const json& rung : workload["rungs"]) EXPECT_FALSE(rung["idea"].get<std::string>().empty());
  }
  const json show = json::parse(rafter("show sum last_block --json").out);
  EXPECT_TRUE(has(show[0]["source"], "__global__"));
  EXPECT_EQ(show.size(), 1u) << "on a GPU and on the executor it is the same source";
  EXPECT_EQ(json::parse(rafter("show sum last_block --device simt --json").out)[0]["device"], "simt");
  const json devices = json::parse(rafter("device --json").out);
  EXPECT_EQ(devices[0]["device"], "cpu");
  EXPECT_GT(devices[0]["roofs"]["copy_bytes_per_s"].get<double>(), 0);
}

TEST_F(Cli, EveryRungHasASource) {
  for (const json& workload : json::parse(rafter("list --json").out)) {
    for (const json& rung : json::parse(rafter("show " + workload["name"].get<std::string>() + " --json").out)) {
      EXPECT_TRUE(has(rung["source"], rung["name"])) << rung["path"];
    }
  }
}

TEST_F(Cli, DistinguishesPlantedWrongAndSlowRungs) {
  const Outcome outcome = planted("run doubling --device cpu --json " + file("p.json"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.err, "did not pass")) << outcome.err;
  const json results = results_in(file("p.json"))["results"];
  const std::map<std::string, std::string> details{{"short_tail", "first at [999]"},
                                                   {"past_the_end", "past the end"},
                                                   {"nan", "first at [500]"},
                                                   {"refuses", "only for even Tuesdays"}};
  double right_ns = 0;
  double slow_ns = 0;
  for (const json& r : results) {
    const auto rung = r["rung"].get<std::string>();
    const bool good = rung == "right" || rung == "slow";
    EXPECT_EQ(r["verified"].get<bool>(), good) << rung << ": " << r["detail"];
    EXPECT_EQ(r.contains("median_ns"), good) << rung;  // no number for what did not verify
    const auto detail = r["detail"].get<std::string>();
    if (rung == "right") right_ns = r["median_ns"];
    if (rung == "slow") slow_ns = r["median_ns"];
    const auto expected = details.find(rung);
    EXPECT_TRUE(expected == details.end() || has(detail, expected->second)) << rung << ": " << detail;
  }
  EXPECT_GE(slow_ns, 3e6);  // it sleeps for 3 ms
  EXPECT_GT(right_ns, 0);
  EXPECT_TRUE(has(outcome.out, "WRONG"));
}

}  // namespace
}  // namespace rafter
