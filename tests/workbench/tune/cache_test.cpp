#include "workbench/tune/cache.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/files.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter::tune {
namespace {

class TuneCache : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (scratch_.path() / name).string(); }

  const Space space_ = parse_space({"TILE=8,16", "PER=1,2"}, "", {});

 private:
  base::ScratchFolder scratch_;
};

TEST_F(TuneCache, ReturnsWhatWasAddedForTheSameKeyOnly) {
  TrialCache(path("c"), "key", space_).add({{.point = {0, 1}, .ns = 1500, .rounds = 3, .when = "now"}});
  TrialCache(path("c"), "other", space_).add({{.point = {0, 1}, .status = "wrong", .reason = "at [3]"}});
  const TrialCache cache(path("c"), "key", space_);
  const Trial* found = cache.find({0, 1});
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->status, "verified");
  EXPECT_EQ(found->ns, 1500);
  EXPECT_EQ(found->rounds, 3);
  EXPECT_TRUE(found->is_from_cache);
  EXPECT_EQ(cache.find({0, 0}), nullptr);
  EXPECT_EQ(TrialCache(path("c"), "other", space_).find({0, 1})->reason, "at [3]");
  EXPECT_EQ(TrialCache(path("c"), "third", space_).find({0, 1}), nullptr);
}

TEST_F(TuneCache, TheLastEntryOfAPointCounts) {
  TrialCache cache(path("c"), "key", space_);
  cache.add({{.point = {1, 1}, .ns = 1500}});
  cache.add({{.point = {1, 1}, .status = "wrong"}});
  EXPECT_EQ(TrialCache(path("c"), "key", space_).find({1, 1})->status, "wrong");
}

TEST_F(TuneCache, LeavesOutWhatMayDependOnTheLoad) {
  TrialCache(path("c"), "key", space_)
      .add({{.point = {0, 0}, .status = "failed"}, {.point = {0, 1}, .status = "does not compile"}});
  EXPECT_FALSE(std::filesystem::exists(path("c")));
  TrialCache(path("c"), "key", space_).add({{.point = {1, 0}, .status = "hazard"}});
  EXPECT_NE(TrialCache(path("c"), "key", space_).find({1, 0}), nullptr);
}

TEST_F(TuneCache, SkipsTheLineThatAKilledProcessLeft) {
  TrialCache(path("c"), "key", space_).add({{.point = {0, 0}}, {.point = {0, 1}}});
  const std::string whole = *base::read_file(path("c"));
  const std::size_t first = whole.find('\n');
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{40}, first - 1, first, first + 1, first + 20, whole.size() - 1}) {
    base::write_file(path("c"), whole.substr(0, n));
    TrialCache(path("c"), "key", space_).add({{.point = {1, 1}}});
    const TrialCache cache(path("c"), "key", space_);
    EXPECT_NE(cache.find({1, 1}), nullptr) << n;
    EXPECT_EQ(cache.find({0, 0}) != nullptr, n >= first) << n;
  }
}

TEST_F(TuneCache, RefusesOtherFiles) {
  base::write_file(path("notes"), "my notes\n");
  lab::expect_error(ErrorCode::bad_argument, "is not a cache", [&] { TrialCache(path("notes"), "key", space_); });
  base::write_file(path("other.json"), "{\"a\": 1}\n");
  lab::expect_error(ErrorCode::bad_argument, "is not a cache", [&] { TrialCache(path("other.json"), "key", space_); });
  lab::expect_error(ErrorCode::io, "not a regular file", [&] { TrialCache("/dev/zero", "key", space_); });
}

TEST_F(TuneCache, TheKeyFollowsEveryFileThatIsIncluded) {
  std::filesystem::create_directories(path("inc"));
  base::write_file(path("a.cu"), "#include \"b.h\"\n#  include <inner.h>\n#include <cuda_fp16.h>\n");
  base::write_file(path("b.h"), "#include \"a.cu\"\n");
  base::write_file(path("inc/inner.h"), "1");
  base::write_file(path("first.h"), "1");
  base::write_file(path("w.npy"), "1");
  const CacheKey key{.task = "t",
                     .machine = "m",
                     .build = {path("a.cu"), "-I", path("inc"), "-include", path("first.h")},
                     .inputs = {path("w.npy")}};
  const std::string before = key.digest();
  EXPECT_EQ(key.digest(), before);
  std::set<std::string> digests{before};
  for (const char* name : {"a.cu", "b.h", "inc/inner.h", "first.h", "w.npy"}) {
    base::write_file(path(name), *base::read_file(path(name)) + "\n// changed");
    EXPECT_TRUE(digests.insert(key.digest()).second) << name;
  }
  CacheKey other = key;
  other.machine = "other";
  EXPECT_TRUE(digests.insert(other.digest()).second);
  base::write_file(path("b.h"), "#include HEADER\n");
  lab::expect_error(ErrorCode::bad_argument, "b.h:1 includes a file whose name is a macro, HEADER",
                    [&] { key.digest(); });
}

}  // namespace
}  // namespace rafter::tune
