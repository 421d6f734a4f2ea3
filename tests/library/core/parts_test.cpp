#include "library/core/parts.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

namespace rafter::core {
namespace {

struct Part {
  std::int64_t first, last;
  std::thread::id thread;
};

std::vector<Part> parts_of(int n_threads, std::int64_t n) {
  std::vector<Part> parts;
  std::mutex mutex;
  for_parts(n_threads, n, [&](std::int64_t first, std::int64_t last) {
    const std::lock_guard lock(mutex);
    parts.push_back({first, last, std::this_thread::get_id()});
  });
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.first < b.first; });
  return parts;
}

TEST(Parts, CoverTheWholeRange) {
  for (const int n_threads : {1, 2, 3, 8}) {
    for (const std::int64_t n : {1, 2, 7, 8, 1000}) {
      std::int64_t end = 0;
      for (const Part& part : parts_of(n_threads, n)) {
        if (part.first == part.last) continue;
        EXPECT_EQ(part.first, end);
        EXPECT_LE(part.last - part.first, n / n_threads + 1);
        end = part.last;
      }
      EXPECT_EQ(end, n);
    }
  }
  EXPECT_TRUE(parts_of(4, 0).empty());
}

TEST(Parts, RunsASinglePartInTheCallingThread) {
  for (const auto& [n_threads, n] : {std::pair{1, std::int64_t{1000}}, std::pair{8, std::int64_t{1}}}) {
    const std::vector<Part> parts = parts_of(n_threads, n);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].thread, std::this_thread::get_id());
  }
}

TEST(Parts, GiveEachThreadEnoughWork) {
  const Stream stream = Stream::on(Device::cpu);
  EXPECT_EQ(threads_for(stream, 0, 100), 1);
  EXPECT_EQ(threads_for(stream, 199, 100), 1);
  EXPECT_EQ(threads_for(stream, 200, 100), std::min(2, stream.n_threads()));
  EXPECT_EQ(threads_for(stream, std::int64_t{1} << 40, 100), stream.n_threads());
}

}  // namespace
}  // namespace rafter::core
