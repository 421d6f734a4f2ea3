// rafter solve heat: fields as expressions, probes, steady states, and options from a file.
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "solve_fixture.hpp"

namespace rafter {
namespace {

using cli::Outcome;
namespace fs = std::filesystem;

TEST_F(Solve, TakesFieldsAsExpressions) {
  // u = sin(pi x) on [0, 1] is steady if the source is alpha * pi^2 * sin(pi x).
  const Outcome outcome = heat("--grid 1,1,64 --spacing 1,1,0.015625 --alpha 0.5 --source '0.5*pi^2*sin(pi*x)' " +
                               std::string("--initial '2 - x' --boundary zero-flux,x-=value:0,x+=value:0 --time 2 ") +
                               "--dtype float64 --order 2 --format npy --out " + file("run"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "  from     2 - x\n")) << outcome.out;
  std::string last;
  for (const auto& entry : fs::directory_iterator(file("run")))
    if (entry.path().extension() == ".npy" && entry.path().string() > last) last = entry.path();
  const solve::Field end = solve::read_npy(last);
  const auto& values = std::get<std::vector<double>>(end.values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = (static_cast<double>(i) + 0.5) / 64;
    EXPECT_NEAR(values[i], std::sin(3.14159265358979 * x), 1e-3);
  }
  const Outcome step = heat("--grid 9,9 --alpha '1 + (x > 4)' --boundary zero-flux --steps 2");
  EXPECT_EQ(step.code, 0) << step.err;
  EXPECT_TRUE(has(step.out, "alpha 2 at most, order 2")) << step.out;
}

// A thermal wave below a surface whose value oscillates, and a source and a Robin face that change with time.
TEST_F(Solve, FollowsFacesAndSourcesThatChangeWithTime) {
  const std::string rod = "--grid 1,1,50 --spacing 1,1,0.02 --dtype float64 --order 2 --time 1.25 --probe 0,0,10 ";
  const auto last_value = [&](const std::string& file_name) {
    const std::string text = text_of(file(file_name));
    return std::stod(text.substr(text.rfind(',') + 1));
  };
  // alpha 0.1, omega 5: k = 5
  const Outcome wave = heat(rod + "--alpha 0.1 --initial 'exp(-5*x)*cos(-5*x)' --boundary " +
                            "'zero-flux,x-=value:cos(5*t),x+=value:exp(-5)*cos(5*t-5)' --probe-file " + file("w.csv"));
  ASSERT_EQ(wave.code, 0) << wave.err;
  EXPECT_TRUE(has(wave.out, "x-=value:cos(5*t)")) << wave.out;
  EXPECT_TRUE(has(wave.out, "sources and faces as expressions let heat through")) << wave.out;
  EXPECT_NEAR(last_value("w.csv"), std::exp(-5 * 0.21) * std::cos(5 * 1.25 - 5 * 0.21), 1e-3);
  // u = t everywhere
  const Outcome rises = heat(rod + "--capacity '2 + x' --alpha 0.5 --initial '0*x' --source '2 + x + 0*t' --boundary " +
                             "'zero-flux,x+=robin:3:t' --probe-file " + file("r.csv"));
  ASSERT_EQ(rises.code, 0) << rises.err;
  EXPECT_TRUE(has(rises.out, "capacity 2.01 at least: alpha is a conductivity, the diffusivity is 0.248")) << rises.out;
  EXPECT_NEAR(last_value("r.csv"), 1.25, 1e-9);
}

TEST_F(Solve, ResumesFacesSourcesAndCapacitiesWithTheSameBits) {
  const std::string problem = "--grid 7,9 --alpha '1+0.1*sin(x)' --order 4 --capacity '2+y' --source 'sin(t)*x' " +
                              std::string("--boundary 'zero-flux,x-=value:t*y,y+=flux:cos(t)' --dt 0.01 --format npy ");
  ASSERT_EQ(heat(problem + "--steps 10 --out " + file("whole")).code, 0);
  ASSERT_EQ(heat(problem + "--steps 6 --out " + file("part")).code, 0);
  const Outcome resumed = heat("--resume " + file("part/heat.checkpoint") + " --steps 10");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(values_of(file("whole/heat_00000010.npy")), values_of(file("part/heat_00000010.npy")));
  const std::string again = "--resume " + file("part/heat.checkpoint") + " --steps 12 ";
  EXPECT_TRUE(has(heat(again + "--source 'cos(t)*x'").err, "differs from the checkpoint's, sin(t)*x"));
  EXPECT_TRUE(has(heat(again + "--capacity '3+y'").err, "--capacity 3+y has other values than the run"));
}

TEST_F(Solve, RefusesWhatTheSchemesDoNotHave) {
  const Outcome robin = heat("--grid 9,9 --alpha '1+x' --order 4 --boundary robin:2:3 --steps 1");
  EXPECT_EQ(robin.code, 2);
  EXPECT_TRUE(has(robin.err, "--boundary robin needs --order 2 with a field of --alpha, not 4")) << robin.err;
  EXPECT_TRUE(has(heat("--grid 9,9 --capacity 0 --steps 1").err, "--capacity must be positive"));
  EXPECT_TRUE(has(heat("--grid 9,9 --capacity 'x-2' --steps 1").err, "must be finite and positive, is -1.5 in cell"));
  const Outcome pole = heat("--grid 9,9 --boundary 'value:1/(t-0.02)' --dt 0.02 --steps 3");
  EXPECT_EQ(pole.code, 2);
  EXPECT_TRUE(has(pole.err, "'1/(t-0.02)' is not a finite number")) << pole.err;
}

TEST_F(Solve, WritesProbesAndContinuesThem) {
  const std::string problem = "--grid 9,9 --boundary zero-flux --initial 'x + 100*y' --dt 0.01 ";
  const auto lines_of = [&](const std::string& name) {
    std::istringstream text(text_of(file(name)));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  };
  ASSERT_EQ(heat(problem + "--steps 10 --probe '4,4 0,0,8' --probe-every 2 --probe-file " + file("p.csv")).code, 0);
  const auto whole = lines_of("p.csv");
  ASSERT_EQ(whole.size(), 7u);
  EXPECT_EQ(whole[0], "step,time,z0_y4_x4,z0_y0_x8");
  EXPECT_EQ(whole[1], "0,0,454.5,58.5");
  EXPECT_TRUE(whole[2].starts_with("2,0.02,454.5,")) << whole[2];
  EXPECT_TRUE(whole[6].starts_with("10,0.1,"));
  EXPECT_TRUE(has(heat(problem + "--steps 10 --probe 4,4 --probe-file " + file("p.csv")).err, "exists already"));

  const std::string probes = "--probe '4,4 0,0,8' --probe-every 2 --format npy --out ";
  ASSERT_EQ(heat(problem + "--steps 5 " + probes + file("run")).code, 0);
  EXPECT_EQ(lines_of("run/probes.csv").size(), 5u) << "0, 2, 4 and the last, 5";
  std::ofstream(file("run/probes.csv"), std::ios::app) << "8,0.08,1,2\n9,0.0";  // after the checkpoint, and cut
  ASSERT_EQ(heat("--resume " + file("run/heat.checkpoint") + " --steps 10").code, 0);
  auto resumed = lines_of("run/probes.csv");
  ASSERT_EQ(resumed.size(), 8u);
  resumed.erase(resumed.begin() + 4);  // that of step 5
  EXPECT_EQ(resumed, whole);
}

TEST_F(Solve, EndsInTheSteadyState) {
  const Outcome outcome = heat("--grid 1,1,8 --boundary zero-flux --initial x --steps 1000000 --report-every 200 " +
                               std::string("--dtype float64 --steady 1e-6 --json ") + file("r.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "steady   no cell changed faster than 1e-06 per time: ended at step ")) << outcome.out;
  const nlohmann::json result = nlohmann::json::parse(text_of(file("r.json")));
  EXPECT_EQ(result["ending"], "steady");
  EXPECT_LT(result["step"], 100000);
  EXPECT_NEAR(result["last"]["max"].get<double>(), 4, 1e-3);
  EXPECT_NEAR(result["last"]["min"].get<double>(), 4, 1e-3);
}

TEST_F(Solve, TakesOptionsFromAFile) {
  std::ofstream(file("run.conf"))
      << "# a run\ngrid = 9, 9   # flat\nboundary=zero-flux\n\nsteps = 4\noverwrite = true\n";
  const Outcome outcome = heat("--config " + file("run.conf") + " --steps 2");
  ASSERT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_TRUE(has(outcome.err, "--grid")) << "9, 9 has a blank" << outcome.err;
  std::ofstream(file("run.conf"))
      << "# a run\ngrid = 9,9   # flat\nboundary=zero-flux\n\nsteps = 4\noverwrite = true\n";
  const Outcome good = heat("--config " + file("run.conf") + " --steps=2");
  ASSERT_EQ(good.code, 0) << good.err;
  EXPECT_TRUE(has(good.out, "grid     1 x 9 x 9") && has(good.out, "to       step 2,")) << "the command line wins";
  std::ofstream(file("run.conf")) << "grid = 9\nsteps\n";
  EXPECT_TRUE(has(heat("--config " + file("run.conf")).err, "run.conf' line 2: expected OPTION = VALUE"));
  std::ofstream(file("run.conf")) << "gird = 9\n";
  EXPECT_TRUE(has(heat("--config " + file("run.conf")).err, "unknown option '--gird': did you mean '--grid'?"));
}

}  // namespace
}  // namespace rafter
