// Files of molecules, computed in batches: results do not depend on the batches, and a failed run leaves no output.
#include "apps/forces/computing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/forces/molecules.hpp"
#include "apps/forces/xyz_text.hpp"
#include "apps/solve/full_disk.hpp"
#include "base/files.hpp"
#include "rafter/buffer.hpp"
#include "rafter/device.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::forces {
namespace {

using lab::expect_error;
namespace fs = std::filesystem;

/// Returns the numbers of a quoted value or of the rest of an atom's line.
std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  std::istringstream words(text);
  for (double number = 0; words >> number;) numbers.push_back(number);
  return numbers;
}

class Computing : public testing::Test {
 protected:
  fs::path output() const { return folder_.path() / "out.extxyz"; }
  std::string written() const { return base::read_file(output()).value_or(""); }

  ForcesOutcome compute(const std::string& text, const ForcesJob& job, Device device = Device::cpu) const {
    const Stream stream = Stream::on(device);
    const ForceField model(stream, weights_);
    XyzReader reader(bytes_of_text(text), weights_.shape.elements);
    return compute_frames(stream, model, reader, job,
                          {[](const ForcesSummary&, std::int64_t) {}, [] { return false; }});
  }
  ForcesJob job(std::int64_t batch_atoms = 100) const { return {.batch_atoms = batch_atoms, .output = output()}; }

  /// The results of the library, one frame per call, in float64.
  struct Expected {
    double energy = 0;
    std::vector<double> forces, virial;
  };
  Expected expected_of(const Frame& frame) const {
    const Stream stream = Stream::cpu();
    const ForceField model(stream, weights_);
    const std::vector<UnitCell> cells(frame.cell ? 1 : 0, frame.cell.value_or(UnitCell{}));
    const MoleculeBatch batch(stream, std::array{frame.n_atoms()}, frame.elements, cells);
    Expected expected{0, std::vector<double>(frame.positions.size()), std::vector<double>(9)};
    model.compute(stream, batch, device_span(stream, frame.positions),
                  {device_span(stream, &expected.energy, 1), device_span(stream, expected.forces),
                   device_span(stream, expected.virial)});
    return expected;
  }

  void expect_right(const std::string& text, double tolerance) const {
    const std::vector<Frame> frames = read_frames(text).frames;
    std::istringstream lines(written());
    std::string line;
    for (const Frame& frame : frames) {
      const Expected expected = expected_of(frame);
      std::getline(lines, line);
      EXPECT_EQ(line, std::to_string(frame.n_atoms()));
      std::getline(lines, line);
      const double energy = std::stod(line.substr(line.find("energy=") + 7));
      EXPECT_NEAR(energy, expected.energy, tolerance * std::max(1., std::abs(expected.energy))) << line;
      for (std::size_t atom = 0; atom < frame.elements.size(); ++atom) {
        std::getline(lines, line);
        const std::vector<double> numbers = numbers_in(line.substr(2));
        ASSERT_EQ(numbers.size(), 6u) << line;
        for (std::size_t axis = 0; axis < 3; ++axis)
          EXPECT_NEAR(numbers[3 + axis], expected.forces[3 * atom + axis], tolerance) << line;
      }
    }
    EXPECT_FALSE(std::getline(lines, line)) << line;
  }

  void put_output() const { base::write_file(output(), "as it was"); }
  void expect_only_put_output() const {
    EXPECT_EQ(written(), "as it was");
    EXPECT_EQ(folder_.n_entries(), 1);
  }

  const ForceFieldWeights weights_ = random_forcefield_weights(small_painn, 3);
  lab::TemporaryFolder folder_;
};

TEST_F(Computing, WritesTheLibrarysNumbers) {
  const std::string text = molecules(30);
  const ForcesOutcome outcome = compute(text, job());
  EXPECT_EQ(outcome.summary.n_frames(), 30);
  EXPECT_EQ(outcome.summary.n_skipped(), 0);
  expect_right(text, 1e-5);
  ForcesJob exact = job();
  exact.arithmetic = Arithmetic::float64;
  compute(text, exact);
  expect_right(text, 1e-11);
}

TEST_F(Computing, WritesTheSameNumbersOnAGpu_cuda) {
  if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
  const std::string text = molecules(30) + molecule(200, 1) + molecule(8, 2, 0, "Lattice=\"3 0 0 1 3 0 0 0 3\"");
  EXPECT_EQ(compute(text, job(), Device::cuda).summary.n_frames(), 32);
  expect_right(text, 1e-5);
}

TEST_F(Computing, ResultsDoNotDependOnBatches) {
  const std::string text = molecules(40) + "2\nbad\nC 0 0 0\nC 0 0 0\n" + molecules(5) + "0\n\n";
  std::string first;
  for (const std::int64_t batch_atoms : {std::int64_t{1}, std::int64_t{7}, std::int64_t{1} << 40}) {
    const ForcesOutcome outcome = compute(text, job(batch_atoms));
    EXPECT_EQ(outcome.summary.n_frames(), 46);
    EXPECT_EQ(outcome.summary.n_skipped(), 1);
    EXPECT_EQ(outcome.summary.skipped().at(0).index, 40);
    if (first.empty()) first = written();
    EXPECT_TRUE(written() == first) << batch_atoms;
    EXPECT_EQ(folder_.n_entries(), 1);
  }
}

TEST_F(Computing, Float32SufficesFarFromTheOrigin) {
  compute(molecule(20, 5), job());
  const std::vector<double> near = numbers_in(written().substr(written().find("energy=") + 7));
  const std::string far = molecule(20, 5, 300000);
  compute(far, job());
  const std::vector<double> moved = numbers_in(written().substr(written().find("energy=") + 7));
  EXPECT_NEAR(near.at(0), moved.at(0), 1e-5);
  expect_right(far, 1e-5);
}

TEST_F(Computing, WritesVirialsAndStressesOfCells) {
  const std::string text = molecule(8, 2, 0, "Lattice=\"3 0 0 1 3 0 0 0 3\"");
  ForcesJob wanted = job();
  wanted.results = Results::forces_and_virials;
  wanted.arithmetic = Arithmetic::float64;
  compute(text, wanted);
  const Expected expected = expected_of(read_frames(text).frames.at(0));
  const auto values = [&](const std::string& key) {
    const std::size_t start = written().find(key + "=\"") + key.size() + 2;
    return numbers_in(written().substr(start, written().find('"', start) - start));
  };
  ASSERT_EQ(values("virial").size(), 9u) << written();
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(values("virial")[i], expected.virial[i], 1e-10);
    EXPECT_NEAR(values("stress")[i], -expected.virial[i] / 27, 1e-10);
  }
}

TEST_F(Computing, EnergiesAloneAreTheSame) {
  ForcesJob wanted = job();
  const ForcesOutcome with_forces = compute(molecules(10), wanted);
  wanted.results = Results::energies;
  const ForcesOutcome outcome = compute(molecules(10), wanted);
  EXPECT_EQ(outcome.summary.lowest().energy, with_forces.summary.lowest().energy);
  EXPECT_EQ(outcome.summary.largest().force, 0);
  EXPECT_EQ(written().find("forces"), std::string::npos);
}

TEST_F(Computing, SkipsResultsThatAreNotFinite) {
  // In float32 these two atoms coincide.
  const std::string text = molecules(2) + "3\n\nC -500 0 0\nC 500 0 0\nC 500.000002 0 0\n" + molecules(1);
  const ForcesOutcome outcome = compute(text, job());
  EXPECT_EQ(outcome.summary.n_frames(), 3);
  ASSERT_EQ(outcome.summary.n_skipped(), 1);
  EXPECT_EQ(outcome.summary.skipped()[0].index, 2);
  EXPECT_EQ(outcome.summary.skipped()[0].line, 14);
  EXPECT_EQ(outcome.summary.skipped()[0].reason, "its energy or a force is not finite");
  EXPECT_EQ(read_frames(written()).frames.size(), 3u);
  EXPECT_EQ(written().find("nan"), std::string::npos);
}

TEST_F(Computing, StopLeavesTheOldOutput) {
  put_output();
  const std::string text = molecules(100);
  const ForceField model(Stream::cpu(), weights_);
  XyzReader reader(bytes_of_text(text), weights_.shape.elements);
  std::int64_t n_done = 0;
  const ForcesOutcome outcome = compute_frames(
      Stream::cpu(), model, reader, job(10),
      {[&](const ForcesSummary& so_far, std::int64_t) { n_done = so_far.n_frames(); }, [&] { return n_done >= 20; }});
  EXPECT_TRUE(outcome.stopped);
  EXPECT_GE(outcome.summary.n_frames(), 20);
  EXPECT_LT(outcome.summary.n_frames(), 40);
  expect_only_put_output();
}

TEST_F(Computing, LeavesTheOldOutputWithoutAGoodFrame) {
  put_output();
  const ForcesOutcome outcome = compute("no\nxyz\nfile\n", job());
  EXPECT_EQ(outcome.summary.n_frames(), 0);
  EXPECT_EQ(outcome.summary.n_skipped(), 1);
  expect_only_put_output();
}

TEST_F(Computing, ReportsAFullDiskAndLeavesTheOldOutput) {
  put_output();
  {
    const solve::FullDisk full(2000);
    expect_error(ErrorCode::io, "cannot write '" + output().string() + "': File too large",
                 [&] { compute(molecules(50), job()); });
  }
  expect_only_put_output();
}

TEST_F(Computing, ReportsAReadErrorAndLeavesTheOldOutput) {
  put_output();
  const ForceField model(Stream::cpu(), weights_);
  const std::string text = molecules(500);
  XyzReader reader(
      [bytes = bytes_of_text(text, 4096), n = 0](std::span<char> to) mutable {
        if (++n == 4) throw Error(ErrorCode::io, "the disk is gone");
        return bytes(to);
      },
      weights_.shape.elements);
  expect_error(ErrorCode::io, "the disk is gone", [&] {
    compute_frames(Stream::cpu(), model, reader, job(),
                   {[](const ForcesSummary&, std::int64_t) {}, [] { return false; }});
  });
  expect_only_put_output();
}

}  // namespace
}  // namespace rafter::forces
