#include "apps/solve/checkpoint.hpp"

#include <gtest/gtest.h>

#include "apps/solve/heat_plan.hpp"
#include "base/files.hpp"
#include "full_disk.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::solve {
namespace {

using lab::expect_error;
using lab::TemporaryFolder;
using nlohmann::json;

class CheckpointFile : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "c"; }
  void write(const json& about) const { write_checkpoint<float>(path(), about, {1, 2, 3}, values_); }

  TemporaryFolder folder_;
  const std::vector<float> values_{1, -0.f, 1e-42f, 3, 4, 5};
};

TEST_F(CheckpointFile, ReadsBackWhatItWrote) {
  for (const char* word : {"", "x", "somewhat longer, so that the text ends elsewhere in its line"}) {
    write({{"word", word}, {"dt", 0.1 + 0.2}});
    const Checkpoint read = read_checkpoint(path());
    EXPECT_EQ(read.about["word"], word);
    EXPECT_EQ(read.about["dt"].get<double>(), 0.1 + 0.2);  // to the last bit
    EXPECT_EQ(read.field.shape, (GridShape{1, 2, 3}));
    const auto& back = std::get<std::vector<float>>(read.field.values);
    EXPECT_EQ(std::memcmp(back.data(), values_.data(), 24), 0);
  }
  const std::vector<double> doubles{1, 2};
  write_checkpoint<double>(path(), {}, {2, 1, 1}, doubles);
  EXPECT_EQ(std::get<std::vector<double>>(read_checkpoint(path()).field.values), doubles);
}

TEST_F(CheckpointFile, DetectsEveryChangedByte) {
  write({{"n", 7}});
  const std::string whole = base::read_file(path()).value();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char change : {'\x01', '\x80'}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      base::write_file(path(), damaged);
      EXPECT_THROW(read_checkpoint(path()), Error) << "byte " << i;
    }
  }
  std::string swapped = whole;
  std::swap(swapped[whole.size() - 1], swapped[whole.size() - 5]);
  std::swap(swapped[whole.size() - 2], swapped[whole.size() - 6]);
  base::write_file(path(), swapped);
  expect_error(ErrorCode::io, "is a damaged checkpoint: its checksum is wrong", [&] { read_checkpoint(path()); });
}

TEST_F(CheckpointFile, DetectsEveryOtherLength) {
  write({{"n", 7}});
  const std::string whole = base::read_file(path()).value();
  for (std::size_t n = 0; n < whole.size(); ++n) {
    base::write_file(path(), whole.substr(0, n));
    EXPECT_THROW(read_checkpoint(path()), Error) << n << " bytes";
  }
  base::write_file(path(), whole + "x");
  expect_error(ErrorCode::io, "damaged", [&] { read_checkpoint(path()); });
}

TEST_F(CheckpointFile, RejectsOtherFiles) {
  expect_error(ErrorCode::io, "cannot read", [&] { read_checkpoint(path()); });
  base::write_file(path(), "some text that is longer than the start of a checkpoint would be");
  expect_error(ErrorCode::io, "is not a Rafter checkpoint", [&] { read_checkpoint(path()); });
  write({{"solver", "another"}});
  expect_error(ErrorCode::io, "is not a checkpoint of a heat run", [&] { resume_heat(path()); });
  write({{"solver", "heat"}, {"alpha", "much"}});
  expect_error(ErrorCode::io, "is not a checkpoint of a heat run", [&] { resume_heat(path()); });
}

TEST_F(CheckpointFile, KeepsTheOldOneOnAFullDisk) {
  write({{"n", 1}});
  const std::vector<float> large(10000, 2.f);
  {
    const FullDisk full(4096);
    expect_error(ErrorCode::io, "cannot write", [&] { write_checkpoint<float>(path(), {}, {100, 10, 10}, large); });
  }
  EXPECT_EQ(read_checkpoint(path()).about["n"], 1);
  EXPECT_EQ(folder_.n_entries(), 1);
}

TEST_F(CheckpointFile, KeepsThePreviousOneUntilTheNextIsComplete) {
  write_checkpoint<float>(path(), {{"n", 1}}, {1, 2, 3}, values_, OlderCheckpoint::dropped);
  EXPECT_EQ(folder_.n_entries(), 1);
  const std::filesystem::path older = previous_checkpoint(path());
  EXPECT_EQ(current_checkpoint(older), path());
  EXPECT_EQ(current_checkpoint(path()), path());
  write({{"n", 2}});
  EXPECT_EQ(read_checkpoint(older).about["n"], 1);
  write({{"n", 3}});
  {
    const FullDisk full(100);
    expect_error(ErrorCode::io, "cannot write", [&] { write({{"n", 4}}); });
  }
  EXPECT_EQ(read_checkpoint(path()).about["n"], 3);
  EXPECT_EQ(read_checkpoint(older).about["n"], 2);
  EXPECT_EQ(folder_.n_entries(), 2);
  base::write_file(path(), base::read_file(path()).value() + "x");
  expect_error(ErrorCode::io, "but the one before it may: --resume " + older.string(),
               [&] { read_checkpoint(path()); });
  write_checkpoint<float>(path(), {{"n", 5}}, {1, 2, 3}, values_, OlderCheckpoint::dropped);
  EXPECT_EQ(folder_.n_entries(), 1);
}

TEST_F(CheckpointFile, RestoresAHeatRunExactly) {
  HeatPlan plan;
  plan.problem = {.shape = {1, 2, 3}, .spacing = {0.1, 1. / 3, 3e-300}, .alpha = 1.7, .order = 6, .dt = 1e-3 / 7};
  plan.faces = heat_faces(HeatBoundary::zero_flux);
  plan.faces.low[2] = {HeatFace::Kind::value, 0.1};
  plan.faces.high[0] = {HeatFace::Kind::flux, -1. / 3};
  plan.medium = {std::uint64_t{1} << 63, std::nullopt};
  plan.n_steps = std::int64_t{1} << 60;
  plan.options = {{"out", "/somewhere"}};
  write(to_json(plan, 42, {1. / 3, -1, 2}));
  const ResumedHeat back = resume_heat(path());
  EXPECT_EQ(back.plan.problem.spacing.y, 1. / 3);
  EXPECT_EQ(back.plan.problem.spacing.x, 3e-300);
  EXPECT_EQ(back.plan.problem.dt, 1e-3 / 7);
  EXPECT_EQ(back.plan.problem.alpha, 1.7);
  EXPECT_EQ(back.plan.problem.order, 6);
  EXPECT_EQ(back.plan.faces, plan.faces);
  EXPECT_EQ(back.plan.medium.diffusivity, plan.medium.diffusivity);
  EXPECT_FALSE(back.plan.medium.source);
  EXPECT_EQ(back.plan.n_steps, plan.n_steps);
  EXPECT_EQ(back.plan.options, plan.options);
  EXPECT_EQ(back.start.step, 42);
  EXPECT_EQ(back.start.first->total, 1. / 3);
}

}  // namespace
}  // namespace rafter::solve
