// A series and its index, as ParaView sees them at every moment of a run.
#include "apps/solve/series.hpp"

#include <gtest/gtest.h>

#include <array>

#include "apps/solve/hdf5_field.hpp"
#include "apps/solve/npy.hpp"
#include "base/files.hpp"
#include "base/pattern.hpp"
#include "full_disk.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::solve {
namespace {

namespace fs = std::filesystem;
using lab::expect_error;
using lab::TemporaryFolder;

const FieldNote note{"temperature", {3, 4, 5}, {0.1, 0.2, 0.4}, 0, 0};
const std::vector<double> values(60, 1.5);

Series::Setup setup(const fs::path& folder, FieldFormat format) {
  return {folder, "heat", format, Precision::float64, note, 0.25};
}

std::vector<FieldFormat> formats() {
  if (why_no_hdf5()) return {FieldFormat::npy};
  return {FieldFormat::hdf5, FieldFormat::npy};
}

/// Returns whether every tag is closed in order and no other < or > occurs.
bool is_well_formed(const std::string& text) {
  const base::Pattern tag("<(/?)([A-Za-z]+)((?: [A-Za-z]+=\"[^\"<>]*\")*)(/?)>|<\\?xml version=\"1.0\"\\?>|[<>]");
  std::vector<std::string> open;
  for (const base::Pattern::Match& match : tag.find_all(text)) {
    if (match[0].size() == 1) return false;
    if (match[2].empty() || !match[4].empty()) continue;
    if (match[1].empty()) {
      open.push_back(match[2]);
    } else if (open.empty() || open.back() != match[2]) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

std::vector<std::string> found(const std::string& text, const std::string& pattern) {
  std::vector<std::string> all;
  for (const base::Pattern::Match& match : base::Pattern(pattern).find_all(text)) all.push_back(match.at(1));
  return all;
}

/// Expects an index to name existing files with the declared contents; returns its times.
std::vector<std::string> check_index(const fs::path& index) {
  const std::string text = base::read_file(index).value_or("");
  EXPECT_TRUE(is_well_formed(text)) << text;
  EXPECT_EQ(found(text, "TopologyType=\"3DCoRectMesh\" Dimensions=\"([0-9 ]*)\"").front(), "3 4 5");
  EXPECT_NE(text.find("Format=\"XML\">0.05 0.1 0.2</DataItem>"), std::string::npos) << text;  // half a spacing
  EXPECT_NE(text.find("Format=\"XML\">0.1 0.2 0.4</DataItem>"), std::string::npos) << text;
  for (const std::string& item : found(text, "Format=\"HDF\">([^<]*)<")) {
    const auto colon = item.find(":/");
    EXPECT_EQ(read_hdf5(index.parent_path() / item.substr(0, colon), item.substr(colon + 1)).shape, note.shape);
  }
  for (const std::string& item : found(text, "Seek=\"128\">([^<]*)<")) {
    EXPECT_EQ(read_npy(index.parent_path() / item).shape, note.shape);
  }
  const auto types = found(text, "Dimensions=\"3 4 5\" NumberType=\"Float\" Precision=\"([0-9])\"");
  const auto times = found(text, "<Time Value=\"([^\"]*)\"/>");
  EXPECT_EQ(types, std::vector<std::string>(times.size(), "8"));
  return times;
}

TEST(Series, IndexIsValidAfterEveryField) {
  for (const FieldFormat format : formats()) {
    const TemporaryFolder folder;
    Series series(setup(folder.path() / "run", format), Series::Start::fresh);
    series.add<double>(0, values);
    EXPECT_EQ(check_index(series.index()), (std::vector<std::string>{"0"}));
    series.add<double>(10, values);
    series.add<double>(20, values);
    EXPECT_EQ(check_index(series.index()), (std::vector<std::string>{"0", "2.5", "5"}));
    EXPECT_TRUE(fs::exists(folder.path() / "run" / ("heat_00000020" + std::string(ending(format)))));
  }
}

TEST(Series, KeepsTheSeriesOfAnotherRun) {
  const TemporaryFolder folder;
  const auto mine = setup(folder.path(), FieldFormat::npy);
  Series(mine, Series::Start::fresh).add<double>(0, values);
  expect_error(ErrorCode::bad_argument, "has the fields of another run", [&] { Series(mine, Series::Start::fresh); });
  fs::remove(folder.path() / "heat.xdmf");  // fields without an index suffice
  expect_error(ErrorCode::bad_argument, "--overwrite", [&] { Series(mine, Series::Start::fresh); });
}

TEST(Series, OverwriteRemovesOnlyTheSeries) {
  const TemporaryFolder folder;
  for (const char* name : {"heat_00000010.npy", "heat_00000010.h5", "heat_00000020.npy.partial-Ab12Cd", "heat.xdmf"}) {
    base::write_file(folder.path() / name, "old");
  }
  for (const char* name : {"heat_notes.npy", "heat_10.npy", "other_00000010.npy", "heat_00000010.txt"}) {
    base::write_file(folder.path() / name, "kept");
  }
  Series(setup(folder.path(), FieldFormat::npy), Series::Start::overwrite).add<double>(0, values);
  EXPECT_EQ(folder.n_entries(), 6);
}

TEST(Series, ContinuingKeepsEarlierFields) {
  const TemporaryFolder folder;
  const auto mine = setup(folder.path(), FieldFormat::npy);
  {
    Series series(mine, Series::Start::fresh);
    for (const std::int64_t step : {0, 10, 20, 30}) series.add<double>(step, values);
  }
  base::write_file(folder.path() / "heat_00000040.npy.partial-Ab12Cd", "half a file");
  Series series(mine, Series::Start::go_on, 25);
  EXPECT_FALSE(fs::exists(folder.path() / "heat_00000040.npy.partial-Ab12Cd"));
  EXPECT_TRUE(series.has(20));
  EXPECT_FALSE(series.has(30));  // of the future; it will be written again
  series.add<double>(30, values);
  EXPECT_EQ(check_index(series.index()), (std::vector<std::string>{"0", "2.5", "5", "7.5"}));
}

TEST(Series, FullDiskLeavesCompleteFilesAndTheirIndex) {
  for (const FieldFormat format : formats()) {
    const TemporaryFolder folder;
    Series series(setup(folder.path(), format), Series::Start::fresh);
    series.add<double>(0, values);
    {
      const FullDisk full(300);
      expect_error(ErrorCode::io, "cannot write", [&] { series.add<double>(10, values); });
    }
    EXPECT_EQ(check_index(series.index()), (std::vector<std::string>{"0"}));
    EXPECT_EQ(folder.n_entries(), 2) << "something was left behind";
    series.add<double>(10, values);
    EXPECT_EQ(check_index(series.index()), (std::vector<std::string>{"0", "2.5"}));
  }
}

TEST(Series, ReportsAFileInTheWay) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "plain", "kept");
  expect_error(ErrorCode::io, "is not a folder",
               [&] { Series(setup(folder.path() / "plain", FieldFormat::npy), Series::Start::fresh); });
}

TEST(Xdmf, EscapesOddNames) {
  const std::string text = xdmf_text({"a<b&\"c", {1, 1, 1}, {}, 0, 0}, Precision::float32, FieldFormat::hdf5,
                                     {{0, "x&y.h5"}, {1e-300, "z<.h5"}});
  EXPECT_TRUE(is_well_formed(text)) << text;
  EXPECT_NE(text.find("x&amp;y.h5:/a&lt;b&amp;&quot;c"), std::string::npos);
}

}  // namespace
}  // namespace rafter::solve
