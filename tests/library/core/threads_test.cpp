#include "library/core/cpu/threads.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "library/core/cpu/affinity.hpp"
#include "rafter/rafter.hpp"

namespace rafter::core {
namespace {

/// A pool of the host that makes all calls in the calling thread, the last one first, as a pool of one thread may.
class BackwardPool final : public ThreadPool {
 public:
  int n_threads() const noexcept override { return 5; }
  void run(int n, void (*task)(void*, int), void* context) override {
    ++n_runs;
    for (int i = n; i-- > 0;) task(context, i);
  }
  int n_runs = 0;
};

/// A pool that starts a thread for each call.
class ThreadPerCall final : public ThreadPool {
 public:
  int n_threads() const noexcept override { return 4; }
  void run(int n, void (*task)(void*, int), void* context) override {
    std::vector<std::thread> threads;
    for (int i = 0; i < n; ++i) threads.emplace_back(task, context, i);
    for (std::thread& thread : threads) thread.join();
  }
};

class HostPool : public testing::Test {
 protected:
  ~HostPool() override { set_thread_pool(nullptr); }
};

std::vector<int> counts_of_parts(int n_parts) {
  std::vector<int> counts(static_cast<std::size_t>(n_parts));
  run_parts(n_parts, [&](int part) { ++counts[static_cast<std::size_t>(part)]; });
  return counts;
}

/// Runs ops whose threads wait for each other or combine results in order, and returns all results.
std::vector<float> results_of_ops(const CpuStream& stream) {
  const std::int64_t n = 1'000'003, n_keys = 100'003;
  std::vector<float> in(n), out(n), sums(n_keys);
  std::vector<std::int32_t> keys(n);
  for (std::int64_t i = 0; i < n; ++i) {
    in[static_cast<std::size_t>(i)] = static_cast<float>(i * 7919 % 1009 - 500) / 8;
    keys[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i * 31 % n_keys);
  }
  std::vector<float> all;
  const auto keep = [&](const std::vector<float>& values) { all.insert(all.end(), values.begin(), values.end()); };
  float total = 0;
  sum(stream, in, &total);
  all.push_back(total);
  inclusive_sum(stream, in, out);
  keep(out);
  std::int64_t count = 0;
  filter(stream, in, {CompareOp::greater, 0.f}, FilterOrder::preserved, out, &count);
  out.resize(static_cast<std::size_t>(count));
  keep(out);
  for (const std::int64_t n_used : {n_keys, std::int64_t{1000}}) {
    for (std::int32_t& key : keys) key = static_cast<std::int32_t>(key % n_used);
    sums.resize(static_cast<std::size_t>(n_used));
    scatter(stream, keys, in, {}, sums);
    keep(sums);
  }
  HeatSolver<float> solver(stream, HeatProblem{.shape = {40, 40, 40}}, HeatBoundary::periodic);
  std::vector<float> field(64000);
  std::iota(field.begin(), field.end(), 0.f);
  solver.set_field(field);
  solver.advance(3);
  solver.field(field);
  keep(field);
  return all;
}

TEST(Threads, CallEachPartOnce) {
  for (const int n_parts : {1, 2, 3, 8, 100}) {
    EXPECT_EQ(counts_of_parts(n_parts), std::vector<int>(static_cast<std::size_t>(n_parts), 1));
  }
  run_parts(0, [](int) { FAIL(); });
}

TEST(Threads, PartsStayOnTheirThreads) {
  const auto threads = [] {
    std::array<std::thread::id, 3> ids;
    run_parts(3, [&](int part) { ids[static_cast<std::size_t>(part)] = std::this_thread::get_id(); });
    return ids;
  };
  const auto first = threads();
  EXPECT_EQ(first[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 3u);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(threads(), first);
}

TEST(Threads, PartsMayDivideTheirWorkAgain) {
  std::atomic<int> n = 0;
  run_parts(4, [&](int) { run_parts(4, [&](int) { run_parts(2, [&](int) { ++n; }); }); });
  EXPECT_EQ(n, 32);
}

TEST(Threads, SeveralThreadsMayCallAtOnce) {
  std::atomic<int> n = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller) {
    callers.emplace_back([&] {
      for (int i = 0; i < 500; ++i) run_parts(4, [&](int) { ++n; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(n, 6 * 500 * 4);
}

TEST(Threads, RethrowTheExceptionOfAPartWhenAllHaveEnded) {
  for (const int bad : {0, 3}) {
    std::atomic<int> n_ended = 0;
    EXPECT_THROW(run_parts(4,
                           [&](int part) {
                             if (part == bad) throw std::runtime_error("part");
                             ++n_ended;
                           }),
                 std::runtime_error);
    EXPECT_EQ(n_ended, 3);
  }
  EXPECT_EQ(counts_of_parts(4), std::vector<int>(4, 1)) << "the workers are free again";
}

TEST(Threads, StepsFollowThoseOfAdjacentThreads) {
  constexpr int most = 5;
  constexpr std::int64_t n_steps = 200;
  for (const ThreadOrder order : {ThreadOrder::row, ThreadOrder::ring}) {
    std::array<std::atomic<std::int64_t>, most> done{};
    std::atomic<int> n_early = 0;
    run_in_steps(most, n_steps, order, [&](int thread, int n_threads, std::int64_t step) {
      for (int other : {thread - 1, thread, thread + 1}) {
        if (order == ThreadOrder::ring) other = (other + n_threads) % n_threads;
        if (other >= 0 && other < n_threads && done[static_cast<std::size_t>(other)] < step) ++n_early;
      }
      ++done[static_cast<std::size_t>(thread)];
    });
    EXPECT_EQ(n_early, 0);
    EXPECT_EQ(done[0], n_steps);
  }
}

TEST(Threads, ChunksHaveTheirTurnsInOrder) {
  std::vector<std::int64_t> order;
  ChunkOrder chunks;
  run_parts(4, [&](int) {
    for (std::int64_t chunk; (chunk = chunks.claim()) < 1000;) chunks.in_turn(chunk, [&] { order.push_back(chunk); });
  });
  std::vector<std::int64_t> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(Threads, SharedOutElementsAreDoneOnce) {
  std::vector<int> counts(777);
  std::atomic<int> n_states = 0;
  share_out(
      4, std::ssize(counts), [&](int) { return ++n_states; },
      [&](int, std::int64_t i) { ++counts[static_cast<std::size_t>(i)]; });
  EXPECT_EQ(counts, std::vector<int>(777, 1));
  EXPECT_EQ(n_states, 4);
  share_out(4, 0, [](std::int64_t) { FAIL(); });
}

/// Processor time, so that the result does not depend on what else runs: polling workers would use a core each.
TEST(Threads, IdleWorkersUseNoProcessorTime) {
  counts_of_parts(8);
  const auto processor_ns = [] {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
  };
  const auto before = processor_ns();
  const timespec idle{0, 200'000'000};
  nanosleep(&idle, nullptr);
  EXPECT_LT(processor_ns() - before, 50'000'000);
}

TEST(Threads, WorkersDoNotInheritThePinnedCoreOfTheirCreator) {
  int n_cores = 0;
  std::thread([&] {
    pin_to_core(0);
    run_parts(16, [&](int part) {  // more than other tests, so that some are new
      cpu_set_t set;
      sched_getaffinity(0, sizeof set, &set);
      if (part == 15) n_cores = CPU_COUNT(&set);
    });
  }).join();
  EXPECT_EQ(n_cores, n_usable_cores());
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RAFTER_THREAD_SANITIZER
#endif
#endif

/// Multiprocessing and data loaders fork after the parent has run ops; the child has none of the parent's threads.
TEST(Threads, AForkedChildRunsOps) {
#ifdef RAFTER_THREAD_SANITIZER
  GTEST_SKIP() << "ThreadSanitizer may hang in a child of a process with threads";
#endif
  const std::vector<float> expected = results_of_ops(Stream::cpu(3));
  std::atomic<bool> ends = false;
  std::thread busy([&] {  // the fork may interrupt an op of another thread
    while (!ends) counts_of_parts(3);
  });
  for (int i = 0; i < 10; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(300);  // a child that hangs is ended, and the test fails
      _exit(counts_of_parts(3) == std::vector<int>(3, 1) && results_of_ops(Stream::cpu(3)) == expected ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  ends = true;
  busy.join();
}

TEST_F(HostPool, RunsOpsWithTheSameResults) {
  const std::vector<float> expected = results_of_ops(Stream::cpu(4));
  const auto backward = std::make_shared<BackwardPool>();
  set_thread_pool(backward);
  EXPECT_EQ(Stream::cpu().n_threads(), 5);
  EXPECT_EQ(results_of_ops(Stream::cpu()), expected);
  EXPECT_GT(backward->n_runs, 5);
  set_thread_pool(std::make_shared<ThreadPerCall>());
  EXPECT_EQ(results_of_ops(Stream::cpu()), expected);
  set_thread_pool(nullptr);
  const int n_runs = backward->n_runs;
  EXPECT_EQ(Stream::cpu().n_threads(), default_threads());
  EXPECT_EQ(results_of_ops(Stream::cpu(2)), expected);
  EXPECT_EQ(backward->n_runs, n_runs);
}

TEST_F(HostPool, RethrowsTheExceptionOfAPart) {
  set_thread_pool(std::make_shared<ThreadPerCall>());
  EXPECT_THROW(run_parts(3,
                         [](int part) {
                           if (part == 1) throw std::runtime_error("part");
                         }),
               std::runtime_error);
}

TEST_F(HostPool, StepsFollowThoseOfAdjacentThreads) {
  for (const std::shared_ptr<ThreadPool>& pool :
       {std::shared_ptr<ThreadPool>(new BackwardPool), std::shared_ptr<ThreadPool>(new ThreadPerCall)}) {
    set_thread_pool(pool);
    std::array<std::atomic<std::int64_t>, 4> done{};
    std::atomic<int> n_early = 0;
    run_in_steps(4, 100, ThreadOrder::row, [&](int thread, int n_threads, std::int64_t step) {
      for (const int other : {thread - 1, thread, thread + 1}) {
        if (other >= 0 && other < n_threads && done[static_cast<std::size_t>(other)] < step) ++n_early;
      }
      ++done[static_cast<std::size_t>(thread)];
    });
    EXPECT_EQ(n_early, 0);
    for (const auto& n : done) EXPECT_EQ(n, 100);
  }
}

}  // namespace
}  // namespace rafter::core
