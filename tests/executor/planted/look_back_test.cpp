// Decoupled look-back under many schedules of blocks and warps: bitwise equal results without findings. With a barrier
// removed, the checkers report a race.
#include <string>
#include <vector>

#include "filter/filter_rung.hpp"
#include "planted_rung.hpp"
#include "rafter/buffer.hpp"
#include "scan/scan_rung.hpp"

extern "C" void rafter_simt_configure(const char* options);

namespace rafter {

#define RAFTER_PLANTED_SCAN(where) \
  namespace scan_ladder::where {   \
  extern const ScanRung look_back; \
  }
#define RAFTER_PLANTED_FILTER(where)   \
  namespace filter_ladder::where {     \
  extern const FilterRung look_back;   \
  extern const FilterRung tile_atomic; \
  }
RAFTER_PLANTED_SCAN(simt)
RAFTER_PLANTED_SCAN(planted_small_scan_tiles)
RAFTER_PLANTED_FILTER(simt)
RAFTER_PLANTED_FILTER(planted_small_filter_tiles)

namespace {

class LookBack : public testing::Test {
 protected:
  void SetUp() override {
    simt::provide_device();
    test::chosen_fault = 0;
  }
  void TearDown() override { rafter_simt_configure("mode=check"); }

  static std::string complaints() { return core::backend(Device::simt).take_findings().value_or(""); }

  /// Calls `work` with the default schedule, then with the schedules of several seeds.
  template <class Work>
  void under_many_schedules(Work work) const {
    for (int seed = 0; seed < 6; ++seed) {
      rafter_simt_configure((options_ + (seed == 0 ? "" : ";schedule=" + std::to_string(seed))).c_str());
      work(seed);
      EXPECT_EQ(complaints(), "") << "schedule " << seed;
    }
  }

  static std::vector<float> scanned(const scan_ladder::ScanRung& rung, const std::vector<float>& x) {
    const Stream stream = Stream::on(Device::simt);
    const Buffer<float> in(stream, std::span<const float>(x));
    Buffer<float> out(stream, in.size());
    rung(stream,
         scan_ladder::ScanArgs<float>{in.span().elements(), scan_ladder::ScanKind::inclusive, out.span().elements()});
    std::vector<float> result(x.size());
    out.copy_to(result);
    return result;
  }

  void scans_to_the_same_bits(const scan_ladder::ScanRung& rung, std::size_t n) const {
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = 1.f / static_cast<float>(i % 997 + 1);
    std::vector<float> first;
    under_many_schedules([&](int seed) {
      const std::vector<float> result = scanned(rung, x);
      if (seed == 0) first = result;
      EXPECT_EQ(result, first) << "schedule " << seed;
    });
    double sum = 0;
    for (const float value : x) sum += static_cast<double>(value);
    EXPECT_NEAR(first.back(), sum, 1e-6 * sum);
  }

  /// Filters 0, 1, 2, ...; every third element is kept.
  void filters_under_many_schedules(const filter_ladder::FilterRung& rung, std::size_t n, FilterOrder order) const {
    std::vector<std::int32_t> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<std::int32_t>(i % 3 == 1 ? i : 0);
    const auto n_kept = static_cast<std::int64_t>((n + 1) / 3);
    under_many_schedules([&](int seed) {
      const Stream stream = Stream::on(Device::simt);
      const Buffer<std::int32_t> in(stream, std::span<const std::int32_t>(x));
      Buffer<std::int32_t> out(stream, in.size());
      Buffer<std::int64_t> count(stream, 1);
      out.copy_from(std::vector<std::int32_t>(n, -1));
      rung(stream, filter_ladder::FilterArgs<std::int32_t>{
                       in.span().elements(), {CompareOp::greater, 0}, order, out.span().elements(), count.data()});
      std::vector<std::int32_t> result(n);
      std::vector<std::int64_t> counted(1);
      out.copy_to(result);
      count.copy_to(counted);
      ASSERT_EQ(counted[0], n_kept) << "schedule " << seed;
      for (std::size_t i = 0; i < n && order == FilterOrder::preserved; ++i) {
        ASSERT_EQ(result[i], i < static_cast<std::size_t>(n_kept) ? static_cast<std::int32_t>(3 * i + 1) : -1)
            << i << ", schedule " << seed;
      }
    });
  }

  std::string options_ = "mode=check";
};

TEST_F(LookBack, ScansToTheSameBitsUnderEverySchedule) {
  scans_to_the_same_bits(scan_ladder::simt::look_back, 60001);                      // large tiles
  scans_to_the_same_bits(scan_ladder::simt::look_back, 31000);                      // small tiles
  scans_to_the_same_bits(scan_ladder::planted_small_scan_tiles::look_back, 45000);  // three groups of small tiles
}

TEST_F(LookBack, WorksWithLessSharedMemory) {
  options_ += ";capability=120";  // 100 KiB
  scans_to_the_same_bits(scan_ladder::simt::look_back, 60001);
  filters_under_many_schedules(filter_ladder::simt::look_back, 60001, FilterOrder::preserved);
  filters_under_many_schedules(filter_ladder::simt::tile_atomic, 60001, FilterOrder::any);
}

TEST_F(LookBack, FiltersUnderEverySchedule) {
  filters_under_many_schedules(filter_ladder::simt::look_back, 60001, FilterOrder::preserved);
  filters_under_many_schedules(filter_ladder::planted_small_filter_tiles::look_back, 36000, FilterOrder::preserved);
  filters_under_many_schedules(filter_ladder::simt::tile_atomic, 60001, FilterOrder::any);
}

TEST_F(LookBack, ReportsMissingBarrier) {
  test::chosen_fault = 1;
  scanned(scan_ladder::planted_small_scan_tiles::look_back, std::vector<float>(60001, 1.f));
  const std::string found = complaints();
  EXPECT_TRUE(found.find("race in shared memory") != std::string::npos) << found;
  EXPECT_TRUE(found.find("library/core/cuda/look_back.cuh") != std::string::npos) << found;
}

}  // namespace
}  // namespace rafter
