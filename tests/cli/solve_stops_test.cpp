// rafter solve heat, interrupted in every way: killed, stopped, twice at once, moved, its checkpoint damaged, its disk
// full.
#include <chrono>
#include <random>
#include <thread>

#include "apps/solve/checkpoint.hpp"
#include "process.hpp"
#include "solve_fixture.hpp"

namespace rafter {
namespace {

using cli::Outcome;
using cli::Process;
namespace fs = std::filesystem;

TEST_F(Solve, ResumesToTheSameBitsAfterAKill) {
  const std::string problem =
      "--grid 25,26,27 --steps 600 --order 4 --initial random --seed 5 --every 40 --format " + format() + " --out ";
  ASSERT_EQ(heat(problem + file("whole")).code, 0);
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int n_kills = 0, n_resumed = 0;
  for (bool finished = false; !finished;) {
    const bool is_there = fs::exists(file("run/heat.checkpoint"));
    Process process(is_there ? command("--resume " + file("run/heat.checkpoint"))
                             : command(problem + file("run") + " --checkpoint-every 1 --overwrite"),
                    file("log"));
    n_resumed += is_there ? 1 : 0;
    if (n_kills < 12) {
      // On a busy machine the first checkpoint takes its time.
      const unsigned longer = is_there ? 0 : 150u * static_cast<unsigned>(n_kills);
      std::this_thread::sleep_for(std::chrono::milliseconds(40 + random() % 160 + longer));
      process.send(SIGKILL);
    }
    const int code = process.wait();
    finished = code == 0;
    ASSERT_TRUE(finished || code == 128 + SIGKILL) << code << text_of(file("log"));
    n_kills += finished ? 0 : 1;
    if (fs::exists(file("run"))) n_whole_fields(file("run"));
  }
  EXPECT_GT(n_kills, 2);
  EXPECT_GT(n_resumed, 0);
  EXPECT_EQ(n_whole_fields(file("run")), 16);
  for (const char* step : {"00000000", "00000040", "00000320", "00000600"}) {
    EXPECT_TRUE(text_of(field("run", step)) == text_of(field("whole", step))) << step;
  }
  EXPECT_EQ(text_of(file("run/heat.xdmf")), text_of(file("whole/heat.xdmf")));
  for (const auto& entry : fs::directory_iterator(file("run"))) {
    EXPECT_FALSE(has(entry.path().string(), ".partial-")) << "left behind by a kill";
  }
}

// However the second one names them: the folder, the checkpoint in it, the run that goes on.
TEST_F(Solve, RejectsASecondRunIntoTheSameFolder) {
  const std::string run = "--grid 20 --order 2 --report-every 1 --format npy --out ";
  Process first(command(run + file("run") + " --steps 100000000"), file("log"));
  while (!has(text_of(file("log")), "\n         3  ")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  for (const std::string& second :
       {run + file("run") + " --steps 3 --overwrite --checkpoint " + file("elsewhere"),
        run + file("other/../run") + " --steps 3 --overwrite",
        run + file("other") + " --steps 3 --overwrite --checkpoint " + file("run/heat.checkpoint")}) {
    const Outcome refused = heat(second);
    EXPECT_EQ(refused.code, 2) << second;
    EXPECT_TRUE(has(refused.err, "another run is writing '")) << refused.err;
    EXPECT_EQ(refused.out, "");
  }
  const Outcome beside = heat(run + file("other") + " --steps 3 --overwrite");
  EXPECT_EQ(beside.code, 0) << beside.err;
  EXPECT_TRUE(has(beside.err, "another rafter is running on this machine: solve heat (process ")) << beside.err;

  first.send(SIGINT);
  EXPECT_EQ(first.wait(), 130);
  EXPECT_FALSE(fs::exists(file("run/rafter.lock")));
  Process going_on(command("--resume " + file("run/heat.checkpoint")), file("log"));
  while (!has(text_of(file("log")), "cell steps/s")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const Outcome refused = heat("--resume " + file("run/heat.checkpoint"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.err, "another run is writing '")) << refused.err;
  going_on.send(SIGKILL);  // its lock files remain, but lock nothing
  going_on.wait();
  EXPECT_TRUE(fs::exists(file("run/rafter.lock")));
  const Outcome last = heat(run + file("run") + " --steps 3 --overwrite");
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(last.err, "");
}

TEST_F(Solve, StopsCleanlyAfterASignal) {
  const std::string problem = "--grid 20 --order 2 --steps 1000 --boundary periodic --checkpoint ";
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    fs::remove(file("c"));
    Process process(command(problem + file("c") + " --report-every 1"), file("log"));
    while (!has(text_of(file("log")), "\n         3  ")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    process.send(signal);
    EXPECT_EQ(process.wait(), 130);
    const std::string log = text_of(file("log"));
    EXPECT_TRUE(has(log, "continue with: rafter solve heat --resume " + file("c"))) << log;
    EXPECT_GE(solve::read_checkpoint(file("c")).about["step"].get<int>(), 3);
  }
  const Outcome rest = heat("--resume " + file("c") + " --report-every 100");
  ASSERT_EQ(rest.code, 0) << rest.err;
  ASSERT_EQ(heat(problem + file("w")).code, 0);
  EXPECT_TRUE(solve::read_checkpoint(file("c")).field.values == solve::read_checkpoint(file("w")).field.values);

  Process unkept(command("--grid 20 --order 2 --steps 100000 --report-every 1"), file("log"));
  while (!has(text_of(file("log")), "\n         3  ")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  unkept.send(SIGINT);
  EXPECT_EQ(unkept.wait(), 130);
  EXPECT_TRUE(has(text_of(file("log")), "--checkpoint FILE keeps it"));
}

TEST_F(Solve, KeepsTheProblemOfAResumedRun) {
  ASSERT_EQ(heat("--grid 9 --steps 4 --alpha 2 --checkpoint " + file("c")).code, 0);
  const std::string resume = "--resume " + file("c");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"--alpha 3", "--alpha 3 differs from the checkpoint's 2: a resumed run keeps its problem"},
      {"--grid 10", "differs from the checkpoint's 9 x 9 x 9"},
      {"--spacing 2", "--spacing"},
      {"--order 2", "differs from the checkpoint's 8"},
      {"--boundary periodic", "differs from the checkpoint's frozen"},
      {"--dt 0.001", "--dt"},
      {"--dtype float64", "differs from the checkpoint's float32"},
      {"--initial random", "--initial is for new runs"},
      {"--steps 3", "is already at step 4"},
  };
  for (const auto& [arguments, message] : cases) {
    const Outcome outcome = heat(resume + " " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, message)) << arguments << ": " << outcome.err;
  }
  EXPECT_EQ(heat(resume + " --alpha 2 --grid 9 --dtype float32 --order 8").code, 0);
  EXPECT_EQ(heat(resume + " --steps 8").code, 0);
  EXPECT_EQ(solve::read_checkpoint(file("c")).about["step"], 8);
}

TEST_F(Solve, ResumesInAMovedFolder) {
  ASSERT_EQ(heat("--grid 9 --steps 6 --every 2 --format npy --out " + file("here")).code, 0);
  fs::rename(file("here"), file("there"));
  ASSERT_EQ(heat("--resume " + file("there/heat.checkpoint") + " --steps 10").code, 0);
  EXPECT_TRUE(fs::exists(file("there/heat_00000010.npy")));
  EXPECT_FALSE(fs::exists(file("here")));
  EXPECT_EQ(n_whole_fields(file("there")), 6);
}

TEST_F(Solve, ReportsADamagedCheckpoint) {
  ASSERT_EQ(heat("--grid 9 --steps 4 --checkpoint " + file("c")).code, 0);
  std::string bytes = text_of(file("c"));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] + 1);
  std::ofstream(file("c"), std::ios::binary) << bytes;
  const Outcome outcome = heat("--resume " + file("c"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "is a damaged checkpoint: its checksum is wrong")) << outcome.err;
}

TEST_F(Solve, ResumesTheCheckpointBeforeADamagedOne) {
  const std::string run = "--grid 9 --steps 8 --checkpoint-every 4 --checkpoint ";
  ASSERT_EQ(heat(run + file("whole")).code, 0);
  ASSERT_EQ(heat(run + file("c")).code, 0);
  std::ofstream(file("c"), std::ios::app) << "x";
  const Outcome damaged = heat("--resume " + file("c"));
  EXPECT_EQ(damaged.code, 2);
  EXPECT_TRUE(has(damaged.err, "--resume " + file("c.previous"))) << damaged.err;
  const Outcome older = heat("--resume " + file("c.previous"));
  ASSERT_EQ(older.code, 0) << older.err;
  EXPECT_TRUE(has(older.out, "from     step 4 of")) << older.out;
  EXPECT_TRUE(text_of(file("c")).size() == text_of(file("whole")).size());
  EXPECT_TRUE(solve::read_checkpoint(file("c")).field.values == solve::read_checkpoint(file("whole")).field.values);
}

TEST_F(Solve, ReportsAFullDiskAndTheLastCheckpoint) {
  // A limit on file sizes simulates a full disk: small fields fit, the larger one of the resumed run does not.
  ASSERT_EQ(heat("--grid 20 --steps 4 --checkpoint " + file("c")).code, 0);
  const Outcome outcome = call(
      "bash", "-c 'trap \"\" XFSZ; ulimit -f 20; exec " +
                  command("--resume " + file("c") + " --steps 8 --out " + file("run") + " --format " + format()) + "'");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "cannot write '" + field("run", "00000008"))) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "the run stopped at step 8 of 8; resume it from its checkpoint of step 4"))
      << outcome.err;
  EXPECT_EQ(solve::read_checkpoint(file("c")).about["step"], 4);
}

}  // namespace
}  // namespace rafter
