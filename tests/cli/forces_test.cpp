// rafter forces as a user meets it: molecules in, energies and forces out, and what is said when they cannot be.
#include <sys/stat.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <tuple>

#include "apps/forces/molecules.hpp"
#include "apps/forces/xyz_text.hpp"
#include "base/files.hpp"
#include "cli.hpp"
#include "kernels/stored_tensors.hpp"
#include "process.hpp"

namespace rafter {
namespace {

using cli::Outcome;
using cli::Process;
using nlohmann::json;
namespace fs = std::filesystem;

class Forces : public cli::Cli {
 protected:
  void SetUp() override {
    cli::Cli::SetUp();
    write_forcefield_weights(file("m"), random_forcefield_weights(forces::small_painn, 3));
    put("x.xyz", forces::molecules(20));
  }

  void put(const std::string& name, const std::string& text) const { base::write_file(file(name), text); }
  std::string path(const std::string& name) const { return " " + file(name); }
  std::string command(const std::string& arguments) const {
    return RAFTER_TOOL_PATH + (" forces --device cpu" + arguments);
  }
  Outcome compute(const std::string& arguments) const { return call("", command(" --model" + path("m") + arguments)); }

  const std::string bad_ = "3\nbad\nC 0 0 0\nC 0 0 oops\nC 0 0 2\n";
};

TEST_F(Forces, WritesExtendedXyzAndASummary) {
  const Outcome outcome = compute(path("x.xyz") + " --out" + path("o.extxyz") + " --json" + path("r.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(has(outcome.out, "model      painn, ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "features 16, layers 2, radial 8 (gaussian), cutoff 4 Angstrom")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "weights    from " + file("m"))) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "20 frames, 210 atoms in ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "energy   lowest ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "force    largest ")) << outcome.out;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100 + file("").size()) << line;
  const auto read = forces::read_frames(forces::molecules(20)),
             written = forces::read_frames(text_of(file("o.extxyz")));
  ASSERT_EQ(written.frames.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(written.frames[i].elements, read.frames[i].elements);
    EXPECT_EQ(written.frames[i].positions, read.frames[i].positions);
    EXPECT_EQ(written.frames[i].other_keys, "name=m" + std::to_string(i));
  }
  const json result = json::parse(text_of(file("r.json")));
  EXPECT_EQ(result["frames"], 20);
  EXPECT_EQ(result["atoms"], 210);
  EXPECT_EQ(result["n_skipped"], 0);
  EXPECT_EQ(result["model"]["model"], "painn");
  EXPECT_TRUE(has(text_of(file("o.extxyz")), "energy=" + result["lowest_energy"]["energy"].dump() + " ")) << result;
  EXPECT_LT(result["lowest_energy"]["energy"], result["highest_energy"]["energy"]);
  EXPECT_GT(result["largest_force"]["force"], 0);
}

TEST_F(Forces, SkipsAndNamesBadFrames) {
  std::string text;
  for (int i = 0; i < 7; ++i) text += forces::molecules(1) + bad_;
  put("bad.xyz", text);
  const Outcome outcome = compute(path("bad.xyz") + " --json - --out" + path("o.extxyz"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.err,
                  "rafter: 7 of 14 frames were skipped\n"
                  "        line 7: 'oops' is not a number; expected z of an atom (frame 1, lines 4 to 8)\n"
                  "        line 15: "))
      << outcome.err;
  EXPECT_TRUE(has(outcome.err, "        and 2 more\n")) << outcome.err;
  EXPECT_EQ(forces::read_frames(text_of(file("o.extxyz"))).frames.size(), 7u);
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["frames"], 7);
  EXPECT_EQ(result["n_skipped"], 7);
  EXPECT_EQ(result["skipped"][1]["line"], 15);
  put("bad.xyz", bad_);
  const Outcome none = compute(path("bad.xyz") + " --out" + path("none.extxyz"));
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(has(none.err, "no frame is left, and nothing was written")) << none.err;
  EXPECT_FALSE(fs::exists(file("none.extxyz")));
}

TEST_F(Forces, GivesTheSameFileForAPipeAndOtherBatches) {
  ASSERT_EQ(compute(path("x.xyz") + " --out" + path("o.extxyz")).code, 0);
  const Outcome piped =
      call("bash", "-c 'cat " + file("x.xyz") + " | " + command(" - --batch-atoms 5 --threads 1 --model" + path("m")) +
                       " --out" + path("p") + "'");
  ASSERT_EQ(piped.code, 0) << piped.err;
  EXPECT_TRUE(has(piped.out, "molecules  from the standard input")) << piped.out;
  EXPECT_EQ(text_of(file("p")), text_of(file("o.extxyz")));
  const Outcome both = compute(path("x.xyz") + " --out -");
  EXPECT_EQ(both.out, text_of(file("o.extxyz")));
  EXPECT_TRUE(has(both.err, "20 frames, 210 atoms in ")) << "what people read goes to the standard error";
}

TEST_F(Forces, RandomModelsNeedNoFileAndStudentsWarn) {
  put("one.xyz", forces::molecule(3, 1));
  const auto written = [&](const std::string& arguments) {
    const Outcome outcome =
        call("", command(path("one.xyz") + " --exact-filters --out" + path("o") + " --random-model " + arguments));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(has(outcome.out, ": the results mean nothing\n  filters    exact\n")) << outcome.out;
    EXPECT_EQ(has(outcome.err, "rafter: the model is not rotation equivariant"), has(arguments, "student"));
    EXPECT_EQ(has(outcome.err, "rafter: the model is not continuous at the cutoff"), has(arguments, "student"));
    EXPECT_EQ(has(outcome.err, "rafter: the model is not smooth where"), has(arguments, "student"));
    return text_of(file("o"));
  };
  const std::string first = written("painn");
  EXPECT_EQ(written("painn --seed 1"), first);
  EXPECT_NE(written("painn --seed 2"), first);
  EXPECT_NE(written("student"), first);
  EXPECT_TRUE(has(written("painn --stress"), " virial=\""));
  EXPECT_FALSE(has(written("painn --energies-only"), "forces"));
  EXPECT_NE(written("painn --float64"), first);
  EXPECT_TRUE(
      has(call("", command(path("one.xyz") + " --random-model painn --exact-filters")).out, "filters    exact"));
}

TEST_F(Forces, AddsOffsetsAndConvertsUnits) {
  const auto energies_and_forces = [&](const std::string& arguments) {
    const Outcome outcome = compute(path("x.xyz") + " --float64 --json" + path("r.json") + arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const json result = json::parse(text_of(file("r.json")));
    return std::tuple(outcome.out, result["lowest_energy"]["energy"].get<double>(),
                      result["largest_force"]["force"].get<double>());
  };
  const auto [text, energy, force] = energies_and_forces("");
  EXPECT_TRUE(has(text, "  energies   eV: the file does not say, see --energy-unit\n")) << text;
  const auto [text_kcal, energy_kcal, force_kcal] = energies_and_forces(" --energy-unit kcal/mol");
  EXPECT_TRUE(has(text_kcal, "  energies   kcal/mol by the model, written in eV\n")) << text_kcal;
  constexpr double kcal = 0.0433641042;
  EXPECT_NEAR(energy_kcal, energy * kcal, 1e-8);
  EXPECT_NEAR(force_kcal, force * kcal, 1e-8);

  std::vector<Stored> tensors = stored_tensors(safetensors::File(fs::path(file("m"))));
  const std::vector<float> mean{-1000};
  tensors.push_back({"postprocessors.1.mean", "F32", {1}, bytes_of(mean)});
  std::vector<safetensors::Tensor> all;
  for (const Stored& t : tensors) all.push_back({t.name, t.dtype, t.shape, std::as_bytes(std::span(t.bytes))});
  safetensors::write_file(file("m"), all, {{"energy_unit", "kcal/mol"}});
  put("x.xyz", forces::molecule(3, 1));
  const auto [text_offset, energy_offset, force_offset] = energies_and_forces("");
  EXPECT_TRUE(has(text_offset, "  offsets    the mean per atom added, in kcal/mol\n")) << text_offset;
  const double n_atoms = 3;
  EXPECT_NEAR(energy_offset, -1000 * kcal * n_atoms, 10 * kcal);
  EXPECT_LT(force_offset, force_kcal * 1.001);
  const Outcome contradicts = compute(path("x.xyz") + " --energy-unit eV");
  EXPECT_EQ(contradicts.code, 2);
  EXPECT_TRUE(has(contradicts.err, "m' has energies in kcal/mol; --energy-unit cannot be eV")) << contradicts.err;
}

TEST_F(Forces, OnAGpu_cuda) {
  if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
  const Outcome on_cpu = compute(path("x.xyz") + " --json -");
  const Outcome on_gpu = rafter("forces --device cuda --model" + path("m") + path("x.xyz") + " --json -");
  ASSERT_EQ(on_gpu.code, 0) << on_gpu.err;
  const json cpu = json::parse(on_cpu.out), gpu = json::parse(on_gpu.out);
  EXPECT_NEAR(gpu["lowest_energy"]["energy"].get<double>(), cpu["lowest_energy"]["energy"].get<double>(), 1e-5);
  EXPECT_NEAR(gpu["largest_force"]["force"].get<double>(), cpu["largest_force"]["force"].get<double>(), 1e-5);
}

TEST_F(Forces, LeavesNoPartialFileAfterASignal) {
  std::string many;
  for (int i = 0; i < 3000; ++i) many += forces::molecules(10);
  put("many.xyz", many);
  put("o.extxyz", "as it was");
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    Process process(command(" --model" + path("m") + path("many.xyz") + " --out" + path("o.extxyz")), file("log"));
    const auto is_under_way = [&] {
      for (const auto& entry : fs::directory_iterator(folder_)) {
        std::error_code gone;
        const std::uintmax_t n_bytes = fs::file_size(entry.path(), gone);
        if (has(entry.path().string(), ".partial-") && !gone && n_bytes > 1000) return true;
      }
      return false;
    };
    while (!is_under_way()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    process.send(signal);
    EXPECT_EQ(process.wait(), signal == SIGKILL ? 128 + SIGKILL : 130);
    EXPECT_EQ(text_of(file("o.extxyz")), "as it was");
    if (signal == SIGKILL) break;
    EXPECT_TRUE(has(text_of(file("log")), "frames; nothing was written")) << text_of(file("log"));
    EXPECT_FALSE(is_under_way()) << "nothing is left";
  }
  ASSERT_EQ(compute(path("x.xyz") + " --out" + path("o.extxyz")).code, 0);
  EXPECT_FALSE(has(call("ls", file("")).out, ".partial-")) << "the next run has removed what was left";
}

TEST_F(Forces, StopsWhileItWaitsForAPipe) {
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  const int pipe = open(file("pipe").c_str(), O_RDWR);
  const std::string some = forces::molecules(3);
  ASSERT_EQ(write(pipe, some.data(), some.size()), std::ssize(some));
  Process process(
      "bash -c 'exec " + command(" - --model" + path("m") + " --out" + path("o.extxyz")) + " <" + file("pipe") + "'",
      file("log"));
  while (!has(text_of(file("log")), "molecules  from")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.send(SIGINT);
  EXPECT_EQ(process.wait(), 130);
  EXPECT_TRUE(has(text_of(file("log")), "nothing was written")) << text_of(file("log"));
  EXPECT_FALSE(has(call("ls", file("")).out, "o.extxyz"));
  close(pipe);
}

TEST_F(Forces, RejectsBadInputWithAdvice) {
  put("empty.xyz", "\n\n");
  put("packed.xyz", "\x1f\x8b...");
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  fs::create_symlink(file("x.xyz"), file("link.xyz"));
  const std::string model = " --model" + path("m"), good = "forces --device cpu" + model + path("x.xyz");
  const struct {
    std::string arguments, words;
  } cases[] = {
      {"forces" + model, "molecules is required"},
      {"forces" + path("x.xyz"), "expected one of --model FILE.safetensors and --random-model student or painn"},
      {good + " --random-model painn", "expected one of --model"},
      {"forces --random-model pain" + path("x.xyz"), "unknown model 'pain': did you mean 'painn'?"},
      {"forces --model nowhere" + path("x.xyz"), "cannot read 'nowhere'"},
      {"forces --model" + path("x.xyz") + path("x.xyz"), "is not a safetensors file"},
      {"forces nowhere.xyz" + model, "cannot read 'nowhere.xyz': No such file"},
      {"forces" + path("") + model, "it is a folder; expected a regular file"},
      {"forces /dev/zero" + model, "cannot read '/dev/zero': it is a device"},
      {"forces" + path("pipe") + model, "it is a pipe; expected a regular file"},
      {"forces" + path("empty.xyz") + model, "empty.xyz' holds no frames; expected XYZ"},
      {"forces" + path("packed.xyz") + model, "packed.xyz' is compressed: unpack it"},
      {good + " --out" + path("x.xyz"), "x.xyz' is an input file and cannot be the output"},
      {good + " --out" + path("link.xyz"), "link.xyz' is an input file and cannot be the output"},
      {good + " --json" + path("m"), "m' is an input file and cannot be the output"},
      {good + " --out /proc/nowhere/o", "cannot write"},
      {good + " --out - --json -", "--out and --json cannot both have the standard output"},
      {good + " --cutoff 4.5", "m' has the cutoff 4.000000; it cannot be changed to 4.500000"},
      {good + " --cutoff 0", "expected a number above 0, got '0'"},
      {good + " --energy-unit kcal", "unknown energy unit 'kcal'"},
      {good + " --energies-only --stress", "--stress needs what --energies-only leaves out"},
      {good + " --batch-atoms -3", "expected a whole number from 1 on, got '-3'"},
      {good + " --batch-atoms 0", "expected a whole number from 1 on, got '0'"},
      {"forces --device gpu" + model + path("x.xyz"), "unknown device 'gpu'"},
      {good + " --strss", "did you mean '--stress'?"},
  };
  const std::string before = text_of(file("x.xyz"));
  for (const auto& [arguments, words] : cases) {
    const Outcome outcome = rafter(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, words)) << arguments << "\n" << outcome.err;
    EXPECT_FALSE(has(outcome.out, "energy ")) << arguments;
  }
  EXPECT_TRUE(text_of(file("x.xyz")) == before);
}

}  // namespace
}  // namespace rafter
