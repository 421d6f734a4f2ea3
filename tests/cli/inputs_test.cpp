// What is no regular file, no command and no expression: refused, not waited for.
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "cli.hpp"

namespace rafter {
namespace {

namespace fs = std::filesystem;

using cli::Outcome;

class Inputs : public cli::Cli {
 protected:
  void SetUp() override {
    cli::Cli::SetUp();
    base::write_file(file("k.cu"),
                     "__global__ void k(float* x) { x[threadIdx.x] = 1; }\nvoid f(float* x) { *x = 1; }\n");
    for (const char* name : {"p", "p.cu", "p.json", "p.npy"}) mkfifo(file(name).c_str(), 0600);
  }
  /// A command that waits for a pipe gets the exit code 124.
  Outcome timed(const std::string& arguments) const { return call("timeout 60 " RAFTER_TOOL_PATH, arguments); }
};

TEST_F(Inputs, PipesAndDevicesAreRefused) {
  const std::string kernel = "--kernel k --grid 1 --block 1 --arg x=f32[32]";
  const std::pair<const char*, std::string> commands[] = {
      {"p.cu", "check FILE"},
      {"p.cu", "explain FILE"},
      {"p.cu", "try zero FILE"},
      {"p.cu", "judge zero FILE"},
      {"p.cu", "bench FILE --reference f " + kernel},
      {"p.json", "try FILE k.cu"},
      {"p.json", "explain k.cu --times FILE"},
      {"p.json", "compare FILE FILE"},
      {"p.json", "plot FILE a.svg"},
      {"p.json", "report FILE --out a.html"},
      {"p.json", "verify FILE"},
      {"p.json", "run --continue FILE"},
      {"p", "run --load FILE"},
      {"p", "list --load FILE"},
      {"p.npy", "bench k.cu --reference x=FILE " + kernel},
      {"p.npy", "check k.cu " + kernel + ":FILE"},
      {"p.npy", "solve heat --grid 9 --steps 1 --initial FILE"},
      {"p", "solve heat --grid 9 --steps 1 --config FILE"},
      {"p", "classify --weights k.cu --images FILE"},
      {"p", "forces FILE --model FILE"},
      {"p.npy", "score --model FILE --input x"},
  };
  for (const auto& [pipe, words] : commands) {
    std::string command = words;
    for (std::size_t at; (at = command.find("FILE")) != std::string::npos;) command.replace(at, 4, file(pipe));
    for (std::size_t at = 0; (at = command.find("k.cu", at)) != std::string::npos; at += file("k.cu").size())
      command.replace(at, 4, file("k.cu"));
    const Outcome refused = timed(command);
    EXPECT_EQ(refused.code, 2) << words << ": " << refused.err;
    EXPECT_TRUE(has(refused.err + refused.out, file(pipe))) << words << ": " << refused.err << refused.out;
  }
  for (const char* words : {"check /dev/zero", "run --load /dev/zero", "compare /dev/zero /dev/zero"})
    EXPECT_EQ(timed(words).code, 2) << words;
}

TEST_F(Inputs, TheFirstWordIsACommand) {
  for (const char* words : {"helf run", "ruin sum", "help ruin", "sum", "Run sum"}) {
    const Outcome refused = rafter(words);
    EXPECT_EQ(refused.code, 2) << words;
    EXPECT_TRUE(has(refused.err, "unknown subcommand")) << words << ": " << refused.err;
    EXPECT_EQ(refused.out, "") << words;
  }
  const Outcome help = rafter("help run");
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.out, rafter("run --help").out) << "nothing is measured";
}

TEST_F(Inputs, DeepExpressionsAreRefused) {
  const std::string deep(20000, '('), closed(20000, ')'), minus(20000, '-');
  std::string powers = "2", negated;
  for (int i = 0; i < 20000; ++i) powers += "^2";
  for (int i = 0; i < 10000; ++i) negated += "not ";
  for (const std::string& expression : {deep + "1" + closed, minus + "1", powers, negated + "1", deep}) {
    const Outcome refused = rafter("bench " + file("k.cu") +
                                   " --kernel k --reference f --block 1 --arg 'x=f32[1]' --grid '" + expression + "'");
    EXPECT_EQ(refused.code, 2) << expression.substr(0, 10) << ": " << refused.err.substr(0, 200);
    EXPECT_TRUE(has(refused.err, "nested too deeply"))
        << expression.substr(0, 10)
        << refused.err.substr(refused.err.size() - std::min<std::size_t>(200, refused.err.size()));
  }
}

TEST_F(Inputs, JsonGoesToAPipeAndThroughALink) {
  const std::string run = "run sum --device cpu --rungs plain --seconds 0.02 --n 1000 --json ";
  const Outcome piped =
      call("bash", "-c 'cat " + file("p") + " >" + file("read") + " & timeout 60 " RAFTER_TOOL_PATH " " + run +
                       file("p") + "; code=$?; wait; exit $code'");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_TRUE(fs::is_fifo(file("p")));
  EXPECT_EQ(nlohmann::json::parse(text_of(file("read")))["results"].size(), 1u) << "one document";
  fs::create_symlink(file("target.json"), file("link.json"));
  base::write_file(file("target.json"), "old");
  EXPECT_EQ(rafter(run + file("link.json")).code, 0);
  EXPECT_TRUE(fs::is_symlink(file("link.json")));
  EXPECT_EQ(nlohmann::json::parse(text_of(file("target.json")))["results"].size(), 1u);
}

}  // namespace
}  // namespace rafter
