// Copies, mbarriers and matrices with one fault each: the checkers must report it at the right line.
#include "async_faults.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "executor/device/simt_device.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"

extern "C" void rafter_simt_configure(const char* options);

namespace rafter::planted {
namespace {

constexpr std::size_t n = n_tiles * tile_elements;

std::vector<float> numbers() {
  std::vector<float> x(n);
  std::iota(x.begin(), x.end(), 1.f);
  return x;
}

class AsyncFaults : public testing::Test {
 protected:
  void SetUp() override {
    simt::provide_device();
    configure("mode=check;time_limit=1");
  }
  void TearDown() override { configure("mode=check"); }
  static void configure(const std::string& options) {
    rafter_simt_configure(options.c_str());
    core::backend(Device::simt).take_findings();
  }

  /// The output of a kernel and the findings of its run.
  struct Result {
    std::vector<float> out;
    std::string found;
  };
  template <class Run>
  static Result run(Run&& call) {
    const Stream stream = Stream::on(Device::simt);
    const std::vector<float> x = numbers();
    Buffer<float> in(stream, std::span<const float>(x)), out(stream, static_cast<std::int64_t>(n));
    std::vector<float> result(n);
    try {
      call(stream, in.data(), out.data());
      out.copy_to(result);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::device_failure) << error.what();
    }
    return {result, core::backend(Device::simt).take_findings().value_or("")};
  }

  static Result pipeline(Fault fault) {
    return run([&](const Stream& stream, float* in, float* out) { tma_pipeline(stream, fault, in, out); });
  }
  static Result stores(Fault fault) {
    return run([&](const Stream& stream, float* in, float* out) { tma_stores(stream, fault, in, out); });
  }
  static Result copies(Fault fault) {
    return run([&](const Stream& stream, float* in, float* out) { thread_copies(stream, fault, in, out); });
  }
  static Result arriving(Fault fault) {
    return run([&](const Stream& stream, float* in, float* out) { arriving_copies(stream, fault, in, out); });
  }
  static Result clusters(Fault fault) {
    return run([&](const Stream& stream, float* in, float* out) { cluster_pipeline(stream, fault, in, out); });
  }
  static Result numbers_of_clusters(Fault fault) {
    return run([&](const Stream& stream, float* in, float* out) { cluster_stores(stream, fault, in, out); });
  }
  static Result published(Fault fault) {
    return run([&](const Stream& stream, float* in, float* out) {
      Buffer<float> work(stream, static_cast<std::int64_t>(n));
      Buffer<int> flag(stream, std::span<const int>(std::vector<int>{0}));
      published_array(stream, fault, in, work.data(), flag.data(), out);
    });
  }

  /// Expects findings that contain all `words` and quote the source line with `line`.
  static void expect(const Result& result, std::initializer_list<const char*> words, const std::string& line) {
    for (const char* word : words)
      EXPECT_NE(result.found.find(word), std::string::npos) << word << "\n" << result.found;
    EXPECT_NE(result.found.find("async_faults.cu:"), std::string::npos) << result.found;
    EXPECT_NE(result.found.find(line), std::string::npos) << line << "\n" << result.found;
  }
};

std::vector<float> doubled() {
  std::vector<float> x = numbers();
  for (float& value : x) value *= 2;
  return x;
}
/// Returns 2 * in with each tile reversed.
std::vector<float> doubled_and_reversed() {
  std::vector<float> x = numbers(), y(n);
  for (std::size_t i = 0; i < n; ++i)
    y[i] = 2 * x[i / tile_elements * tile_elements + tile_elements - 1 - i % tile_elements];
  return y;
}

TEST_F(AsyncFaults, ReportsNothingForCorrectKernels) {
  for (const char* schedule :
       {"mode=check;time_limit=1", "mode=check;schedule=1", "mode=check;schedule=2", "mode=plain"}) {
    configure(schedule);
    for (const auto& [result, expected] : {std::pair{pipeline(Fault::none), doubled_and_reversed()},
                                           {stores(Fault::none), doubled()},
                                           {copies(Fault::none), doubled()},
                                           {arriving(Fault::none), doubled_and_reversed()},
                                           {clusters(Fault::none), doubled_and_reversed()},
                                           {numbers_of_clusters(Fault::none), doubled_and_reversed()},
                                           {published(Fault::none), doubled()}}) {
      EXPECT_EQ(result.found, "") << schedule;
      EXPECT_EQ(result.out, expected) << schedule;
    }
  }
}

TEST_F(AsyncFaults, ReportsMissingArrivalAsDeadlockAtTheMbarrier) {
  expect(pipeline(Fault::missing_arrival), {"[deadlock]", "of __shared__ empty", "phase 0 has 0 of 1 arrivals"},
         "ptx::mbarrier_wait(empty[s], (round - 1) % 2);");
}
TEST_F(AsyncFaults, ReportsMoreArrivalsThanAPhaseExpects) {
  expect(pipeline(Fault::too_many_arrivals), {"[arrival_count]", "2 arrivals at a phase that lacks 1 of 1"},
         "ptx::mbarrier_arrive(empty[s], fault == Fault::too_many_arrivals ? 2 : 1);");
}
TEST_F(AsyncFaults, ReportsMoreBytesThanExpected) {
  expect(pipeline(Fault::too_few_bytes), {"[transaction_count]", "of __shared__ full", "16 bytes more than phase 0"},
         "");
}
TEST_F(AsyncFaults, ReportsFewerBytesThanExpectedAsDeadlock) {
  expect(pipeline(Fault::too_many_bytes), {"[deadlock]", "lacks 16 of the bytes it expects"},
         "ptx::mbarrier_wait(full[s],");
}
TEST_F(AsyncFaults, ReportsReadBeforeTheCopyHasArrived) {
  expect(pipeline(Fault::read_before_wait),
         {"race in shared memory", "starts a copy that writes", "this thread has not waited for it"},
         "out[i] = 2 * tile.at[tile_elements - 1 - i];");
  expect(pipeline(Fault::wrong_parity), {"race in shared memory", "starts a copy that writes"},
         "out[i] = 2 * tile.at[tile_elements - 1 - i];");
}
TEST_F(AsyncFaults, ReportsRefillOfAStageInUse) {
  expect(pipeline(Fault::early_refill), {"race in shared memory", "starts a copy that writes"}, "// fills a stage");
}
TEST_F(AsyncFaults, ReportsUninitialisedMbarrier) {
  expect(pipeline(Fault::missing_init), {"[uninitialised]", "there is no initialised mbarrier at this address"}, "");
  expect(pipeline(Fault::missing_init_barrier), {"race in shared memory"}, "mbarrier_init");
}
TEST_F(AsyncFaults, ReportsMissingProxyFence) {
  expect(pipeline(Fault::missing_shared_fence), {"missing proxy fence in shared memory", "fence.proxy.async"},
         "// fills a stage");
}
TEST_F(AsyncFaults, ReportsCopyInFlightAtExit) {
  expect(pipeline(Fault::never_waited), {"[copy_in_flight]", "before a thread waited"}, "// fills a stage");
}
TEST_F(AsyncFaults, ReportsWriteToTheSourceOfACopy) {
  expect(pipeline(Fault::source_written), {"race in global memory", "starts a copy that reads"},
         "in[n_tiles * tile_elements - 1] = 1;");
}
TEST_F(AsyncFaults, ReportsFaultsOfTmaStores) {
  expect(stores(Fault::store_without_fence), {"missing proxy fence in shared memory"}, "ptx::tma_store(map,");
  expect(stores(Fault::store_overwritten), {"race in shared memory", "starts a copy that reads"},
         "buffer.at[k] = 2 * in[i * tile_elements + k];");
  expect(stores(Fault::store_never_waited), {"[copy_in_flight]", "had read its shared memory"}, "ptx::tma_store(map,");
}
TEST_F(AsyncFaults, ReportsFaultsOfThreadCopies) {
  expect(copies(Fault::copy_without_wait), {"race in shared memory", "starts a copy that writes"},
         "2 * stage[i % n_stages].at[k];");
  expect(copies(Fault::copy_without_barrier), {"race in shared memory"}, "2 * stage[i % n_stages].at[k];");
  expect(copies(Fault::copy_overwritten), {"race in shared memory", "starts a copy that writes"},
         "stage[(i + 1) % n_stages].at[t] = 0;");
}
TEST_F(AsyncFaults, ReportsFaultsOfCopiesThatArriveAtAnMbarrier) {
  expect(arriving(Fault::arrival_before_copy), {"race in shared memory", "starts a copy that writes"},
         "out[i] = 2 * tile.at[tile_elements - 1 - i];");
  expect(arriving(Fault::arrival_too_many), {"race in shared memory", "[copy_in_flight]"},
         "ptx::copy_async_mbarrier_arrive_noinc(full);  // arrives");
}
TEST_F(AsyncFaults, ReportsFaultsOfMulticastTiles) {
  expect(clusters(Fault::multicast_not_expected), {"[transaction_count]", "of __shared__ full", "16 bytes more than"},
         "// for both");
  expect(clusters(Fault::multicast_early_refill), {"race in shared memory", "starts a copy that writes"},
         "// for both");
  expect(clusters(Fault::multicast_without_begin),
         {"[uninitialised]", "there is no initialised mbarrier at this address"}, "// for both");
  expect(clusters(Fault::multicast_without_end), {"[exited_block]", "a barrier of the cluster is missing after"},
         "ptx::mbarrier_arrive_remote(empty[s], 0);");
}
TEST_F(AsyncFaults, ReportsFaultsOfStoresToAnotherBlock) {
  expect(numbers_of_clusters(Fault::store_async_too_few),
         {"[deadlock]", "of __shared__ full", "lacks 4 of the bytes it expects"},
         "ptx::mbarrier_wait_cluster(full, 0);");
  expect(numbers_of_clusters(Fault::store_async_read_early), {"race in shared memory", "starts a copy that writes"},
         "// stores");
}
TEST_F(AsyncFaults, ReportsFaultsOfArraysFromOtherBlocks) {
  expect(published(Fault::published_without_release), {"race in global memory", "starts a copy that reads"},
         "ptx::tma_load(tile.at, work_map,");
  expect(published(Fault::published_without_fence), {"missing proxy fence in global memory"},
         "ptx::tma_load(tile.at, work_map,");
}

TEST_F(AsyncFaults, ReportsUnsynchronisedLdmatrix) {
  const auto load = [](Fault fault) {
    const Stream stream = Stream::on(Device::simt);
    std::vector<unsigned short> x(64);
    std::iota(x.begin(), x.end(), static_cast<unsigned short>(0));
    Buffer<unsigned short> in(stream, std::span<const unsigned short>(x));
    Buffer<unsigned> out(stream, 32);
    loaded_matrix(stream, fault, in.data(), out.data());
    return Result{{}, core::backend(Device::simt).take_findings().value_or("")};
  };
  EXPECT_EQ(load(Fault::none).found, "");
  expect(load(Fault::matrix_without_sync), {"race in shared memory"}, "ptx::ldmatrix<1>(fragment, matrix[lane % 8]);");
}

TEST_F(AsyncFaults, ReportsFaultsOfWarpgroupProducts) {
  const auto product = [](Fault fault) {
    return run([&](const Stream& stream, float*, float* out) { warpgroup_product(stream, fault, out); });
  };
  const Result correct = product(Fault::none);
  EXPECT_EQ(correct.found, "");
  EXPECT_EQ(std::vector<float>(correct.out.begin(), correct.out.begin() + 512), std::vector<float>(512, 16));
  expect(product(Fault::product_without_fence), {"[wgmma]", "a wgmma.fence is missing"}, "ptx::wgmma<8, __half>(d,");
  expect(product(Fault::product_without_proxy_fence), {"missing proxy fence in shared memory"},
         "ptx::wgmma<8, __half>(d,");
  expect(product(Fault::product_read_before_wait),
         {"[wgmma]", "reads an accumulator", "no thread has waited for its group"}, "out[t] = d[0];");
  expect(product(Fault::product_overwritten), {"race in shared memory"}, "ones[0] = 0;");
  expect(product(Fault::product_of_half_a_warpgroup), {"[wgmma]", "a wgmma needs a whole warpgroup"},
         "ptx::wgmma<8, __half>(d,");
}

TEST_F(AsyncFaults, TrapsOnAnOlderGpu) {
  configure("mode=check;capability=80");
  expect(pipeline(Fault::none), {"[trap]", "need compute capability 9.0; this device has 8.0"}, "");
}

}  // namespace
}  // namespace rafter::planted
