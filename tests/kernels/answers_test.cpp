// Inputs and answers made on a GPU compared with the host's: the same functions, compiled by two compilers.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "filter/filter_answers.hpp"
#include "forcefield/reference/forcefield_exact.hpp"
#include "gather/gather_answers.hpp"
#include "rafter/device.hpp"
#include "scan/scan_answers.hpp"
#include "transpose/transpose_answers.hpp"
#include "transpose/transpose_rung.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::lab {
namespace {

using namespace filter_ladder;
using namespace forcefield_ladder;
using namespace gather_ladder;
using namespace scan_ladder;
using namespace transpose_ladder;

constexpr std::int64_t n = 100003;
constexpr std::int64_t n_parts = (n + 4095) / 4096;

class Answers_cuda : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
    gpu_ = Stream::on(Device::cuda);
  }

  template <class T, class Generate>
  void expect_same_inputs(const Generate& generator) {
    GuardedArray<T> array(gpu_, n, 1);
    fill(array, generator);
    EXPECT_EQ(find_change(array, generator), std::nullopt);
    EXPECT_EQ(array.damage(), std::nullopt);
  }

  /// Compares bit by bit.
  template <class F>
  void expect_same_results(std::int64_t count, const F& f) {
    const auto here = map_indices(Stream::cpu(), count, f);
    const auto there = map_indices(gpu_, count, f);
    ASSERT_EQ(here.size(), there.size());
    EXPECT_EQ(std::memcmp(here.data(), there.data(), here.size() * sizeof here.front()), 0);
  }

  static void expect_same(const Comparison& there, const Comparison& here) {
    EXPECT_EQ(there.text(), here.text());
    EXPECT_EQ(there.n_wrong, here.n_wrong);
    EXPECT_EQ(there.worst_share, here.worst_share);
  }

  /// Expects both devices to find the same errors in an array with three wrong elements.
  template <class T, class Expected>
  void expect_same_errors(const Expected& expected) {
    std::vector<T> out;
    for (std::int64_t i = 0; i < n; ++i) out.push_back(expected(i));
    for (const std::size_t wrong : {0u, 5000u, 100002u}) ++reinterpret_cast<unsigned char&>(out[wrong]);
    const Buffer<T> there(gpu_, out);
    const Comparison here = compare_elements(Stream::cpu(), out.data(), n, expected);
    EXPECT_EQ(here.n_wrong, 3) << here.text();
    expect_same(compare_elements(gpu_, there.data(), n, expected), here);
  }

  Stream gpu_ = Stream::cpu();
};

TEST_F(Answers_cuda, InputsEqualTheHosts) {
  for (const auto kind : {Generator::Kind::whole, Generator::Kind::bell}) {
    expect_same_inputs<float>(Generator{kind, 7});
    expect_same_inputs<double>(Generator{kind, 8});
    expect_same_inputs<std::int32_t>(Generator{kind, 9});
    expect_same_inputs<std::int64_t>(Generator{kind, 10});
  }
  expect_same_inputs<float>(EvenlySpread<float>{11});
  expect_same_inputs<std::int64_t>(EvenlySpread<std::int64_t>{12});
  expect_same_inputs<std::uint32_t>(TableGenerator<std::uint32_t>{13});
  expect_same_inputs<std::int32_t>(IndexGenerator<std::int32_t>{14, 1000, 0.5});
  expect_same_inputs<std::int64_t>(IndexGenerator<std::int64_t>{15, 1000, 0.5});
  expect_same_inputs<float>(PitchedGenerator<>{{Generator::Kind::bell, 16}, 7, 10});
  expect_same_inputs<Word16>(TransposeElements<Word16>{{17}, 7, 10});
}

TEST_F(Answers_cuda, SumsEqualTheHosts) {
  expect_same_results(n_parts, SumPart<float>{{{Generator::Kind::bell, 3}, n}});
  expect_same_results(n_parts, SumPart<double>{{{Generator::Kind::bell, 4}, n}});
  expect_same_results(n_parts, SumPart<float>{{{Generator::Kind::whole, 7}, n}});
  expect_same_results(n_parts, SumPart<Half>{{{Generator::Kind::bell, 5}, n}});
  expect_same_results(n_parts, SumPart<Bfloat16>{{{Generator::Kind::bell, 6}, n}});
}

TEST_F(Answers_cuda, GatherAndTransposeFindTheSameErrors) {
  const IndexGenerator<std::int64_t> indices{3, 1000, 0.1};
  const Gathered<std::uint32_t, std::int64_t> gathered{{4}, indices, OutOfRange::Kind::zero};
  const BadIndicesOfPart<std::int64_t> bad{indices, n};
  expect_same_results(bad.n_parts(), bad);
  expect_same_errors<std::uint32_t>(gathered);
  expect_same_errors<std::uint8_t>(Transposed<std::uint8_t>{{{5}, 331, 340}, 307, 311});
  expect_same_errors<std::uint16_t>(Transposed<std::uint16_t>{{{5}, 331, 340}, 307, 311});
  expect_same_errors<std::uint64_t>(Transposed<std::uint64_t>{{{5}, 331, 340}, 307, 311});
  expect_same_errors<Word16>(Transposed<Word16>{{{5}, 331, 340}, 307, 311});
}

TEST_F(Answers_cuda, ScanFindsTheSameErrors) {
  const InputParts<float> parts{{Generator::Kind::bell, 3}, n};
  std::vector<ExactSum> before(n_parts);
  std::vector<float> out;
  ExactSum place;
  for (std::int64_t i = 0; i < n; ++i) {
    if (i % InputParts<float>::elements == 0) before[static_cast<std::size_t>(i / InputParts<float>::elements)] = place;
    out.push_back(static_cast<float>(place.sum.value()));
    place.add(parts.element(i));
  }
  for (const bool planted : {false, true}) {
    if (planted) {
      out[4095] += 1;
      out[50000] = std::numeric_limits<float>::quiet_NaN();
      out[n - 1] -= 1;
    }
    const Buffer<ExactSum> there_before(gpu_, before);
    const Buffer<float> there_out(gpu_, out);
    const auto kind = ScanKind::exclusive;
    const Comparison here =
        compare_parts(Stream::cpu(), n, n_parts, CompareScanPart<float>{parts, kind, 1e-6, before.data(), out.data()});
    EXPECT_EQ(here.n_wrong, planted ? 3 : 0) << here.text();
    expect_same(compare_parts(gpu_, n, n_parts,
                              CompareScanPart<float>{parts, kind, 1e-6, there_before.data(), there_out.data()}),
                here);
  }
}

TEST_F(Answers_cuda, FilterFindsTheSameErrors) {
  const FilterParts<float> parts{n, 0.25f};
  const EvenlySpread<float> in{5};
  expect_same_results(n_parts, KeptOfPart<float>{parts, in});
  std::vector<std::int64_t> before(n_parts);
  std::vector<float> out;
  for (std::int64_t i = 0; i < n; ++i) {
    if (i % filter_part_elements == 0) before[static_cast<std::size_t>(i / filter_part_elements)] = std::ssize(out);
    if (const auto x = static_cast<float>(in(i)); parts.is_kept(x)) out.push_back(x);
  }
  std::swap(out[10], out[11]);
  out[5000] = 0.5f;
  const Buffer<std::int64_t> there_before(gpu_, before);
  const Buffer<float> there_out(gpu_, out);
  const Comparison here = compare_parts(Stream::cpu(), std::ssize(out), n_parts,
                                        CompareKeptOfPart<float>{parts, in, before.data(), out.data()});
  EXPECT_EQ(here.n_wrong, 3) << here.text();
  expect_same(compare_parts(gpu_, std::ssize(out), n_parts,
                            CompareKeptOfPart<float>{parts, in, there_before.data(), there_out.data()}),
              here);
  const FilterParts<float> kept{std::ssize(out), 0.25f};
  const auto elements = map_indices(gpu_, 1, ElementsOfPart<float>{kept, there_out.data()});
  const auto elements_here = map_indices(Stream::cpu(), 1, ElementsOfPart<float>{kept, out.data()});
  EXPECT_EQ(elements.front().fingerprints, elements_here.front().fingerprints);
  EXPECT_EQ(elements.front().n_foreign, elements_here.front().n_foreign);
}

// Many molecules are computed on the GPU and some of them compared with the host, which has another bias here.
TEST_F(Answers_cuda, RejectsMoleculesThatDifferFromTheHosts) {
  const ForceFieldShape shape{.model = ForceFieldModel::student,
                              .features = 20,
                              .layers = 2,
                              .radial = 6,
                              .elements = 101,
                              .readout = {12, 8},
                              .cutoff = 2};
  ForceFieldWeights weights = random_forcefield_weights(shape, 5);
  const ForceFieldNetwork model(gpu_, weights, {});
  const Geometries molecules = make_geometries(GeometryKind::mixed, 100, shape.cutoff, 7);
  const BatchPlan batch(gpu_, molecules.sizes, molecules.elements, molecules.cells);
  const Exact exact(weights, model, batch, molecules);
  EXPECT_NO_THROW(exact.on(gpu_, 0));
  weights.layers.front().filter_bias.front() += 1e-4F;
  EXPECT_THROW(exact.on(gpu_, 0), Error);
  EXPECT_NO_THROW(exact.on(gpu_, 1));  // only the first set is compared with the host
}

}  // namespace
}  // namespace rafter::lab
