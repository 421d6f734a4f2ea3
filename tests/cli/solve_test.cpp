// rafter solve heat as a physicist meets it: whole runs, and what is said when it cannot be.
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/npy.hpp"
#include "solve_fixture.hpp"
#include "workbench/draw/render.hpp"

namespace rafter {
namespace {

using cli::Outcome;
using nlohmann::json;
namespace fs = std::filesystem;

TEST_F(Solve, FollowsTheEquation) {
  const Outcome outcome =
      heat("--grid 32 --spacing 0.5 --alpha 2 --time 0.5 --boundary periodic --dtype float64 --json " + file("r.json") +
           " --out " + file("run") + " --every 20 --format " + format());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");  // no progress in a pipe
  EXPECT_TRUE(has(outcome.out, "32 x 32 x 32, spacing 0.5, float64"));
  EXPECT_TRUE(has(outcome.out, "memory"));
  EXPECT_TRUE(has(outcome.out, "free in"));
  const json result = json::parse(text_of(file("r.json")));
  EXPECT_EQ(result["ending"], "finished");
  EXPECT_NEAR(result["time"].get<double>(), 0.5, 1e-14);
  EXPECT_NEAR(result["last"]["total"].get<double>(), result["first"]["total"].get<double>(), 1e-11);
  EXPECT_GT(result["cell_steps_per_s"].get<double>(), 0);
  // A gaussian stays one: its width squared grows by 2 alpha t, its peak falls. The middle is between the cells.
  const double w2 = 1.6 * 1.6, r2 = 3 * 0.25 * 0.25;
  const double wider = w2 + 2 * 2 * 0.5;
  EXPECT_NEAR(result["last"]["max"].get<double>(), std::pow(w2 / wider, 1.5) * std::exp(-r2 / (2 * wider)), 1e-5);
  EXPECT_EQ(n_whole_fields(file("run")), result["series"]["n_fields"].get<int>());
}

// Between 0 and 10 a straight line stays, and on a flat grid it is the same in every row.
TEST_F(Solve, ConvergesToALineBetweenTwoValues) {
  const Outcome outcome = heat(
      "--grid 4,10 --spacing 0.1 --alpha 0.5 --time 4 --boundary zero-flux,x-=value:0,x+=value:10 --dtype float64 "
      "--format npy --out " +
      file("run"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "1 x 4 x 10")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "faces    zero-flux,x-=value:0,x+=value:10")) << outcome.out;
  fs::path last;
  for (const auto& entry : fs::directory_iterator(file("run"))) {
    if (entry.path().extension() == ".npy") last = std::max(last, entry.path());
  }
  const auto field = std::get<std::vector<double>>(solve::read_npy(last).values);
  for (int i = 0; i < 40; ++i) EXPECT_NEAR(field[static_cast<std::size_t>(i)], i % 10 + 0.5, 1e-7);
}

TEST_F(Solve, BalancesHeatWithSourcesAndFluxes) {
  std::vector<float> alpha(6 * 7, 1.f), source(6 * 7, 0.f);
  alpha[9] = 0.25f;
  source[20] = 3;
  base::write_npy<float>(file("a.npy"), {6, 7}, alpha);
  base::write_npy<float>(file("s.npy"), {6, 7}, source);
  const std::string run = "--grid 6,7 --alpha " + file("a.npy") + " --source " + file("s.npy") +
                          " --steps 40 --boundary zero-flux,y+=flux:0.5 --dtype float64";
  const Outcome outcome = heat(run + " --checkpoint " + file("c") + " --json " + file("r.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "alpha 1 at most, order 2")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "source   3 per time in all")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "sources and fluxes brought 6.5")) << outcome.out;  // (3 + 7 * 0.5) * 40 * 0.025
  const json result = json::parse(text_of(file("r.json")));
  EXPECT_NEAR(result["last"]["total"].get<double>() - result["first"]["total"].get<double>(), 6.5, 1e-11);

  // It goes on with the same fields alone.
  ASSERT_EQ(heat("--resume " + file("c") + " --steps 50").code, 0);
  EXPECT_TRUE(has(heat("--resume " + file("c") + " --alpha 2").err, "differs from the checkpoint's: a field"));
  alpha[9] = 0.5f;
  base::write_npy<float>(file("a.npy"), {6, 7}, alpha);
  const Outcome changed = heat("--resume " + file("c") + " --steps 60");
  EXPECT_EQ(changed.code, 2);
  EXPECT_TRUE(has(changed.err, "a.npy has other values than the run of the checkpoint started with")) << changed.err;

  alpha[9] = -1;
  base::write_npy<float>(file("a.npy"), {6, 7}, alpha);
  source[13] = std::nanf("");
  base::write_npy<float>(file("s.npy"), {6, 7}, source);
  EXPECT_TRUE(has(heat(run).err, "must be finite and not negative, is -1 in cell (0, 1, 2)")) << heat(run).err;
  EXPECT_TRUE(has(heat("--grid 6,7 --order 2 --steps 3 --source " + file("s.npy")).err, "nan in cell (0, 1, 6)"));
  EXPECT_TRUE(has(heat("--grid 7,7 --order 2 --steps 3 --source " + file("s.npy")).err, "has 1 x 6 x 7 cells, but"));
}

// Others' readers, where they are: a mesh, its cells in their places, and a value in each.
TEST_F(Solve, WritesAMeshThatMeshioReads) {
  if (solve::why_no_hdf5()) GTEST_SKIP() << *solve::why_no_hdf5();
  ASSERT_EQ(heat("--grid 3,4,5 --spacing 1,2,3 --order 2 --initial random --seed 2 --boundary zero-flux --steps 4 "
                 "--every 2 --format hdf5+mesh --out " +
                 file("run"))
                .code,
            0);
  EXPECT_EQ(text_of(file("run/heat_mesh.xdmf")).find("3DCoRectMesh"), std::string::npos);
  if (call("python3", "-c 'import meshio, h5py'").code != 0)
    GTEST_SKIP() << "NOT READ BACK: python3 has no meshio and h5py (pip install meshio h5py)";
  std::ofstream(file("read.py")) << R"(
import sys, meshio, h5py
folder = sys.argv[1]
with meshio.xdmf.TimeSeriesReader(folder + "/heat_mesh.xdmf") as series:
    points, cells = series.read_points_cells()
    assert series.num_steps == 3 and len(points) == 4 * 5 * 6 and cells[0].data.shape == (60, 8)
    time, _, values = series.read_data(2)
    meshio.Mesh(points, cells, cell_data=values)
    field = h5py.File(folder + "/heat_00000004.h5")["temperature"][()]
    middles = points[cells[0].data].mean(axis=1)
    for i, (value, middle) in enumerate(zip(values["temperature"][0], middles)):
        z, y, x = i // 20, i // 5 % 4, i % 5
        assert value == field[z, y, x] and tuple(middle) == ((x + 0.5) * 3, (y + 0.5) * 2, z + 0.5)
)";
  const Outcome outcome = call("python3", file("read.py") + " " + file("run"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(Solve, WritesOnlyJsonToStandardOutput) {
  const Outcome outcome = heat("--grid 9 --steps 2 --json -");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["step"], 2);
}

TEST_F(Solve, JsonMeansTheSameAsInOtherCommands) {
  const std::string run = "--grid 9,9 --steps 2 --json";
  for (const char* target : {"", " -", " /dev/stdout", "=-"}) {
    const Outcome outcome = heat(run + target);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("{")) << target << outcome.out;
    EXPECT_EQ(rafter(std::string("list --json") + target).out, rafter("list --json").out) << target;
    EXPECT_EQ(rafter(std::string("list sum --csv") + target).out, rafter("list sum --csv").out) << target;
  }
  const Outcome before_another = rafter("solve heat --json --grid 9,9 --steps 2 --device cpu");
  EXPECT_TRUE(before_another.out.starts_with("{")) << before_another.err;
  EXPECT_TRUE(rafter("list --json -").out.starts_with("{") || rafter("list --json -").out.starts_with("["));
}

TEST_F(Solve, PrintsAtMost100Columns) {
  const Outcome outcome =
      heat("--grid 9 --steps 2000000000 --dt 1e-9 --resume nothing; " +
           command("--grid 10,11,12 "
                   "--spacing 1e-5,2e-5,3e-5 --alpha 1e-7 --steps 20 --initial random --amplitude 1e-30"));
  std::istringstream lines(outcome.out);
  int n = 0;
  for (std::string line; std::getline(lines, line); ++n) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_GT(n, 15);
}

TEST_F(Solve, FitsLinesToANarrowTerminal) {
  const Outcome outcome =
      call("env", "COLUMNS=80 " + command("--grid 10,11,12 --spacing 1e-5,2e-5,3e-5 --alpha 1e-7 --steps "
                                          "20 --initial random --amplitude -1e-30"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_TRUE(has(outcome.out, "total heat         min         max  cells/s      left")) << outcome.out;
}

TEST_F(Solve, RejectsMisspeltAndBadOptions) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"--steps 3 --gird 8", "unknown option '--gird': did you mean '--grid'?"},
      {"--steps 3 --initial gausian", "unknown initial field 'gausian': did you mean 'gaussian'?"},
      {"--steps 3 --boundary perodic", "unknown boundary 'perodic': did you mean 'periodic'?"},
      {"--steps 3 --dtype float23", "unknown dtype 'float23': did you mean 'float32'"},
      {"--steps 3 --device cpuu", "unknown device 'cpuu': did you mean 'cpu'?"},
      {"--steps 3 --device simt", "unknown device 'simt'"},
      {"--steps 3 --order 5", "--order is 2, 4, 6 or 8, not '5'"},
      {"--steps 3 --grid 1,2,3,4", "--grid takes N, NY,NX or NZ,NY,NX"},
      {"--steps 3 --grid 0", "--grid: must be at least 1, is 0"},
      {"--steps 3 --grid 4294967296", "has too many cells"},
      {"--steps 3 --grid 8", "order 8 freezes 4 cells at a face, so it needs at least 9 cells along z"},
      {"--steps 3 --grid 8,20", "at least 9 cells along y, or just one"},
      {"--steps 3 --grid 4,20,20 --boundary z-=frozen,z+=value:1", "at least 5 cells along z"},
      {"--steps 3 --boundary value", "expected the value, value:NUMBER"},
      {"--steps 3 --boundary x-=flux:much", "'much' is not a number"},
      {"--steps 3 --boundary w=frozen", "expected an axis z, y or x, or one side of it such as z- or z+; got 'w'"},
      {"--steps 3 --boundary x-=periodic", "x=periodic is for both sides"},
      {"--steps 3 --source some", "--source: 'some' is not a number"},
      {"--steps 3 --source missing.npy", "cannot read 'missing.npy'"},
      {"--steps 3 --spacing -1", "--spacing must be positive, is -1"},
      {"--steps 3 --alpha nan", "--alpha: 'nan' is not a number"},
      {"--steps 3 --dt 1", "is unstable on this grid: RK4 needs at most 0.1428"},
      {"--steps 3 --time 1", "--steps and --time both set the end"},
      {"", "the end of the run is missing: --steps N or --time T"},
      {"--steps many", "'many' is not a whole number"},
      {"--steps 3 --width 2 --initial random", "--width belongs to --initial gaussian"},
      {"--steps 3 --every 2", "--every needs --out DIR"},
      {"--steps 3 --slice z", "--slice needs --picture"},
      {"--steps 3 --picture a.jpg", "a figure must be a FILE.png, FILE.svg or FILE.pdf, not 'a.jpg'"},
      {"--steps 3 --picture a.png --slice w=3", "--slice takes an axis"},
      {"--steps 3 --picture a.png --slice z=128", "cells are 0 to 127"},
      {"--steps 3 --picture a.png --range 2,1", "--range takes LOW,HIGH"},
      {"--steps 3 --out o --format hdf6", "unknown format 'hdf6': did you mean 'hdf5'?"},
      {"--steps 3 --checkpoint c --checkpoint-every 0", "--checkpoint-every: must be at least 1"},
      {"--steps 3 --initial missing.npy", "cannot read 'missing.npy'"},
      {"--steps 3 --out /", "--out / would write the fields into the root folder"},
      {"--steps 3 --out -", "--out names a folder for the fields"},
      {"--steps 1e18", "1000000000000000000 steps of 128 x 128 x 128 cells take at least 6.64e+04 years"},
      {"--steps 3 --alpha 1e300", "with --alpha 1e+300 and --spacing 1, heat crosses a cell in 1e-300 units of time"},
      {"--steps 3 --spacing 1e-200", "with --alpha 1 and --spacing 1e-200, heat crosses a cell in 0 units of time"},
      {"--steps 3 --grid 9 --initial '1/(x-4.5)'", "'1/(x-4.5)' is not a finite number: inf, in cell (0, 0, 4)"},
      {"--steps 3 --initial x+t", "unknown initial field 'x+t'"},
      {"--steps 3 --grid 9 --alpha x-4 --boundary zero-flux", "--alpha x-4 must be finite and not negative, is -3.5"},
      {"--steps 3 --probe 1,2,3", "--probe needs --probe-file FILE.csv, or --out DIR"},
      {"--steps 3 --probe-every 3", "--probe-every needs --probe Z,Y,X"},
      {"--steps 3 --probe 1,2,128 --probe-file p", "--probe 1,2,128 is outside of the grid of 128 x 128 x 128 cells"},
      {"--steps 3 --probe 1,2 --probe-file p", "--probe takes cells Z,Y,X, not '1,2'"},
      {"--steps 3 --steady 0", "--steady must be positive, is 0"},
      {"--config missing.conf", "cannot read 'missing.conf'"},
      {"--resume missing", "cannot read 'missing'"},
      {"--grid 30000 --steps 3", "what would fit: "},
  };
  for (const auto& [arguments, message] : cases) {
    const bool has_device = arguments.find("--device") != std::string::npos;
    const Outcome outcome = has_device ? rafter("solve heat " + arguments) : heat(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, message)) << arguments << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
  EXPECT_TRUE(has(rafter("solve haet").err, "unknown equation 'haet': did you mean 'heat'?"));
  EXPECT_EQ(rafter("solve haet").code, 2);
  EXPECT_EQ(rafter("solve").code, 0);
}

TEST_F(Solve, ReportsTooLittleDiskSpaceBeforeWriting) {
  const Outcome outcome = heat("--grid 256 --steps 10000000 --every 1 --out " + file("run") + " --format npy");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "this run's files need 671 TB, but there are ")) << outcome.err;
  EXPECT_FALSE(fs::exists(file("run")));
}

TEST_F(Solve, TakesGridAndTypeFromAFile) {
  std::vector<double> values(9 * 10 * 11, 2.5);
  base::write_npy<double>(file("u.npy"), {9, 10, 11}, values);
  const Outcome outcome = heat("--initial " + file("u.npy") + " --steps 4 --json " + file("r.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json result = json::parse(text_of(file("r.json")));
  EXPECT_EQ(result["shape"], (json{9, 10, 11}));
  EXPECT_EQ(result["dtype"], "float64");
  EXPECT_EQ(result["last"]["max"], 2.5);  // a constant stays one
  EXPECT_EQ(heat("--initial " + file("u.npy") + " --dtype float32 --grid 9,10,11 --steps 4").code, 0);
  EXPECT_TRUE(has(heat("--initial " + file("u.npy") + " --grid 12 --steps 4").err, "which has 9 x 10 x 11 cells"));
  EXPECT_TRUE(
      has(heat("--initial " + file("u.npy") + " --seed 3 --steps 4").err, "does not apply to a field from a file"));
}

TEST_F(Solve, ExitsWithOneForFieldsThatAreNotFinite) {
  std::vector<float> values(9 * 9 * 9, 1.f);
  values[364] = std::nanf("");
  base::write_npy<float>(file("u.npy"), {9, 9, 9}, values);
  const Outcome outcome = heat("--initial " + file("u.npy") + " --steps 4 --out " + file("run") + " --format npy");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.err, "no longer finite at step 0")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "the first is nan in cell (4, 4, 4)")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "has infinities or NaN")) << outcome.err;
}

TEST_F(Solve, KeepsFilesOfAnotherRun) {
  const std::string run = "--grid 9 --steps 4 --format npy --out " + file("run");
  ASSERT_EQ(heat(run).code, 0);
  const Outcome again = heat(run);
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(has(again.err, "exists already: continue with --resume")) << again.err;
  fs::remove(file("run/heat.checkpoint"));
  EXPECT_TRUE(has(heat(run).err, "has the fields of another run"));
  EXPECT_EQ(heat(run + " --overwrite").code, 0);
}

TEST_F(Solve, DrawsPictures) {
  if (draw::why_no_drawing()) GTEST_SKIP() << *draw::why_no_drawing();
  const Outcome outcome =
      heat("--grid 16,12,20 --steps 6 --picture-every 3 --slice y=2 --range 0,1 --picture " + file("p.png"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* name : {"p.png", "p_00000000.png", "p_00000003.png", "p_00000006.png"}) {
    EXPECT_TRUE(has(text_of(file(name)).substr(0, 8), "PNG")) << name;
  }
  ASSERT_EQ(heat("--grid 16 --steps 2 --picture " + file("p.svg")).code, 0);
  EXPECT_TRUE(has(text_of(file("p.svg")), "<svg"));
  ASSERT_EQ(heat("--grid 16 --steps 2 --picture " + file("p.pdf")).code, 0);
  EXPECT_TRUE(has(text_of(file("p.pdf")).substr(0, 8), "%PDF-"));
}

TEST_F(Solve, ReportsAMissingFontBeforeTheRun) {
  if (draw::why_no_drawing()) GTEST_SKIP() << *draw::why_no_drawing();
  std::ofstream(file("fonts.conf")) << "<fontconfig></fontconfig>";
  const Outcome outcome = call(
      "env", "FONTCONFIG_FILE=" + file("fonts.conf") + " " + command("--grid 16 --steps 2 --picture " + file("p.png")));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "install fonts-dejavu-core")) << outcome.err;
  EXPECT_FALSE(fs::exists(file("p.png")));
}

TEST_F(Solve, AcceptsFilesWithoutAFolder) {
  const std::string here = "env -C " + folder_.string() + " " RAFTER_TOOL_PATH;
  std::vector<std::pair<std::string, std::string>> wanted{
      {"--checkpoint", "c"}, {"--json", "r.json"}, {"--every 2 --out", "run"}};
  if (!draw::why_no_drawing()) wanted.emplace_back("--picture", "a.png");
  for (const auto& [option, name] : wanted) {
    const Outcome outcome = call(here, "solve heat --device cpu --grid 9 --steps 4 " + option + " " + name);
    EXPECT_EQ(outcome.code, 0) << option << "\n" << outcome.err;
    EXPECT_TRUE(fs::exists(file(name))) << name;
  }
  const Outcome resumed = call(here, "solve heat --device cpu --resume c --steps 8");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
}

}  // namespace
}  // namespace rafter
