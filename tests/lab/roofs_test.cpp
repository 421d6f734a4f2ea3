#include "lab/roofs/roofs.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "lab/report/results.hpp"
#include "temporary_folder.hpp"

namespace rafter::lab {
namespace {

class RoofsCache : public testing::Test {
 protected:
  TemporaryFolder folder_;
  ScopedVariable variable_{"XDG_CACHE_HOME", folder_.path().c_str()};
  std::filesystem::path file_ = folder_.path() / "rafter" / "roofs.json";
  Stream stream_ = Stream::cpu();
};

void expect_plausible(const Roofs& roofs) {
  for (const double rate : {roofs.read_bytes_per_s, roofs.write_bytes_per_s, roofs.copy_bytes_per_s}) {
    EXPECT_GT(rate, 0.5e9);
    EXPECT_LT(rate, 10e12);
  }
  EXPECT_GT(roofs.fma_flops_per_s, 0.5e9);
  EXPECT_GT(roofs.launch_ns, 0);
  EXPECT_LT(roofs.launch_ns, 10e6);
}

TEST(Roofs, MeasuredOnThisCpuArePlausible) { expect_plausible(measure_roofs(Stream::cpu())); }

TEST_F(RoofsCache, SecondCallReturnsTheFirstOnesNumbers) {
  const Roofs first = roofs_of(stream_);
  const Roofs second = roofs_of(stream_);
  EXPECT_EQ(to_json(first), to_json(second));  // measured again, no double would come out equal
}

TEST_F(RoofsCache, CorruptFileIsIgnoredAndReplaced) {
  base::write_file(file_, "{\"half a file");
  const Roofs first = roofs_of(stream_);
  expect_plausible(first);
  EXPECT_EQ(to_json(roofs_of(stream_)), to_json(first));
}

TEST_F(RoofsCache, EntryOfTheWrongKindIsIgnored) {
  roofs_of(stream_);
  auto cache = nlohmann::json::parse(base::read_file(file_).value());
  for (auto& entry : cache) entry = "not roofs";
  base::write_file(file_, cache.dump());
  Roofs again;
  ASSERT_NO_THROW(again = roofs_of(stream_));
  expect_plausible(again);
}

TEST_F(RoofsCache, OtherEntriesAreKept) {
  base::write_file(file_, R"({"another machine": {"launch_ns": 5}})");
  roofs_of(stream_);
  const auto cache = nlohmann::json::parse(base::read_file(file_).value());
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_TRUE(cache.contains("another machine"));
}

TEST_F(RoofsCache, RaisingKeepsTheBetterOfEachAndRemeasuringNone) {
  roofs_of(stream_);
  auto cache = nlohmann::json::parse(base::read_file(file_).value());
  ASSERT_EQ(cache.size(), 1u);
  constexpr Roofs absurd{.read_bytes_per_s = 1e18,
                         .write_bytes_per_s = 1,
                         .copy_bytes_per_s = 1e18,
                         .fma_flops_per_s = 1,
                         .launch_ns = 1e-9};
  cache.front() = to_json(absurd);
  base::write_file(file_, cache.dump());

  const Roofs raised = roofs_of(stream_, RoofSource::raise);
  EXPECT_EQ(raised.read_bytes_per_s, absurd.read_bytes_per_s);
  EXPECT_GT(raised.write_bytes_per_s, 0.5e9);
  EXPECT_EQ(raised.copy_bytes_per_s, absurd.copy_bytes_per_s);
  EXPECT_GT(raised.fma_flops_per_s, 0.5e9);
  EXPECT_EQ(raised.launch_ns, absurd.launch_ns);
  EXPECT_EQ(to_json(roofs_of(stream_)), to_json(raised));

  const Roofs remeasured = roofs_of(stream_, RoofSource::remeasure);
  expect_plausible(remeasured);
  EXPECT_EQ(to_json(roofs_of(stream_)), to_json(remeasured));
}

}  // namespace
}  // namespace rafter::lab
