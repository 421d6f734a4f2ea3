// The arrays of a case: which accesses each kind permits.
#include "workbench/lab/cases/array_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "expect_error.hpp"
#include "workbench/lab/cases/case_arrays.hpp"
#include "workbench/lab/cases/kept_answers.hpp"
#include "workbench/lab/measure/verify.hpp"

namespace rafter::lab {
namespace {

/// A case with an array of every kind, of three types: out = state; state = weight * state + x.
class Filter final : public ArrayCase {
 public:
  static constexpr std::int64_t n = 100;

  using ArrayCase::ArrayCase;
  Cost cost() const override { return {}; }

  void run(int set) {
    for (std::int64_t i = 0; i < n; ++i) {
      work.data()[i] = weights.span()[static_cast<std::size_t>(i)] * state.data()[i];
      out.data()[i] = static_cast<std::int64_t>(state.data()[i]);
      state.data()[i] = work.data()[i] + static_cast<double>(x.span(set)[static_cast<std::size_t>(i)]);
    }
  }

  Input<std::int32_t> x{*this, "x", n};
  Weights<double> weights{*this, "weights", n};
  InOut<double> state{*this, "state", n, [](int, std::uint64_t seed) {
                        return Generator{Generator::Kind::whole, seed};
                      }};
  Output<std::int64_t> out{*this, "out", n};
  Work<double> work{*this, "work", n};

 private:
  Comparison compare_results(int set) const override {
    Comparison result = compare_elements<double>(state.on_host(), [&](std::int64_t i) {
      return weights.element(i) * state.element(set, i) + static_cast<double>(x.element(set, i));
    });
    result.add(compare_elements<std::int64_t>(
        out.on_host(), [&](std::int64_t i) { return static_cast<std::int64_t>(state.element(set, i)); }));
    return result;
  }
};

using RunFilter = std::function<void(Filter&, int set)>;

Rung filter_rung(const RunFilter& run) {
  return {"tested",
          Device::cpu,
          RungKind::rung,
          "for the test",
          "",
          [run](Case& work, const Stream&, int set) {
            run(dynamic_cast<Filter&>(work), set); }};
}

/// Returns the verdict on a rung that is correct except for `fault`, and checks that the next rung is not blamed.
std::string complaint_about(const RunFilter& fault) {
  const Stream stream = Stream::cpu();
  Filter work(stream, {});
  const Rung faulty = filter_rung([&](Filter& filter, int set) {
    filter.run(set);
    fault(filter, set);
  });
  const Measurement m = verify_rung(faulty, work, stream);
  EXPECT_EQ(m.status, Status::wrong);
  const Rung right = filter_rung([](Filter& filter, int set) { filter.run(set); });
  const Measurement next = verify_rung(right, work, stream);
  EXPECT_EQ(next.status, Status::verified) << next.reason;
  return m.reason;
}

#define EXPECT_COMPLAINT(words, ...) \
  EXPECT_NE(complaint_about(__VA_ARGS__).find(words), std::string::npos) << complaint_about(__VA_ARGS__)

template <class T>
T& writable(const T& element) {
  return const_cast<T&>(element);
}

TEST(ArrayCase, RightRungIsVerifiedTwice) {
  const Stream stream = Stream::cpu();
  Filter work(stream, {});
  const Rung right = filter_rung([](Filter& filter, int set) { filter.run(set); });
  for (int i = 0; i < 2; ++i) {  // the second time, the state was restored
    const Measurement m = verify_rung(right, work, stream);
    EXPECT_EQ(m.status, Status::verified) << m.reason;
  }
}

TEST(ArrayCase, RungThatDoesNothingIsWrong) {
  const Stream stream = Stream::cpu();
  Filter work(stream, {});
  const Rung idle = filter_rung([](Filter&, int) {});
  EXPECT_EQ(verify_rung(idle, work, stream).status, Status::wrong);
}

TEST(ArrayCase, StateIsRestoredForItsInputSet) {
  Filter work(Stream::cpu(), {});
  work.run(0);
  work.prepare(1);
  EXPECT_EQ(work.state.data()[17], work.state.element(1, 17));
  EXPECT_FALSE(work.check(1).ok());
}

TEST(ArrayCase, StateTakenTwiceIsWrong) {
  EXPECT_COMPLAINT("wrong", [](Filter& filter, int set) { filter.run(set); });
}

TEST(ArrayCase, ChangedInputIsNamed) {
  EXPECT_COMPLAINT("x was changed at [5]", [](Filter& filter, int set) { writable(filter.x.span(set)[5]) += 1; });
}

TEST(ArrayCase, ChangedInputOfAnotherSetIsNamed) {
  EXPECT_COMPLAINT("x was changed at [7]",
                   [](Filter& filter, int set) { writable(filter.x.span((set + 1) % 3)[7]) += 1; });
}

TEST(ArrayCase, ChangedWeightsAreNamed) {
  EXPECT_COMPLAINT("weights was changed at [9]", [](Filter& filter, int) { writable(filter.weights.span()[9]) += 1; });
}

TEST(ArrayCase, WriteBesideAnInputIsNamed) {
  EXPECT_COMPLAINT("x: memory past the end",
                   [](Filter& filter, int set) { writable(filter.x.span(set).data()[Filter::n]) = 0; });
  EXPECT_COMPLAINT("weights: memory before",
                   [](Filter& filter, int) { writable(filter.weights.span().data()[-1]) = 0; });
}

TEST(ArrayCase, WriteBesideAnOutputIsNamed) {
  EXPECT_COMPLAINT("out: memory past the end", [](Filter& filter, int) { filter.out.data()[Filter::n] = 0; });
  EXPECT_COMPLAINT("state: memory before", [](Filter& filter, int) { filter.state.data()[-1] = 0; });
  EXPECT_COMPLAINT("work: memory past the end", [](Filter& filter, int) { filter.work.data()[Filter::n] = 0; });
}

TEST(ArrayCase, UnwrittenOutputIsWrong) {
  EXPECT_COMPLAINT("1 of 200 wrong", [](Filter& filter, int set) {
    filter.prepare(set);
    const std::int64_t unwritten = filter.out.data()[3];
    filter.run(set);
    filter.out.data()[3] = unwritten;
  });
}

TEST(ArrayCase, WorkArrayIsPoisonedBeforeALaunch) {
  Filter work(Stream::cpu(), {});
  work.work.data()[0] = 1;
  work.prepare(0);
  EXPECT_NE(work.work.data()[0], work.work.data()[0]);  // NaN
}

TEST(ArrayCase, ArraysDifferFromEachOther) {
  Filter work(Stream::cpu(), {});
  int n_alike = 0;
  for (std::int64_t i = 0; i < Filter::n; ++i) n_alike += work.weights.element(i) == work.state.element(0, i) ? 1 : 0;
  EXPECT_LT(n_alike, Filter::n / 2);
}

/// A case without results, which is correct although nothing is compared.
class Empty final : public ArrayCase {
 public:
  using ArrayCase::ArrayCase;
  Cost cost() const override { return {}; }
  Output<float> out{*this, "out", 0};

 private:
  Comparison compare_results(int) const override { return {}; }
};

TEST(ArrayCase, WithoutResultsPassesUnlessGuardsAreDamaged) {
  Empty work(Stream::cpu(), {});
  work.prepare(0);
  EXPECT_TRUE(work.check(0).ok());
  work.out.data()[0] = 1;
  EXPECT_FALSE(work.check(0).ok());
}

/// A case for out = x that counts the comparisons with the answers.
class Copy final : public ArrayCase {
 public:
  using ArrayCase::ArrayCase;
  Cost cost() const override { return {}; }
  void run(int set) { std::copy_n(x.span(set).begin(), x.size(), out.data()); }

  Input<float> x{*this, "x", 100};
  Output<float> out{*this, "out", 100};
  mutable int n_comparisons = 0;

 private:
  Comparison compare_results(int set) const override {
    ++n_comparisons;
    return compare_elements<float>(out.on_host(), [&](std::int64_t i) { return x.element(set, i); });
  }
};

TEST(ArrayCase, SkipsComparisonOfResultsKnownToBeCorrect) {
  Copy work(Stream::cpu(), {});
  for (int repetition = 0; repetition < 3; ++repetition) {
    for (int set = 0; set < work.n_input_sets(); ++set) {
      work.prepare(set);
      work.run(set);
      EXPECT_TRUE(work.check(set).ok());
    }
  }
  EXPECT_EQ(work.n_comparisons, work.n_input_sets());
}

TEST(ArrayCase, ComparesChangedResultsAndRejectsWrongOnesAgain) {
  Copy work(Stream::cpu(), {});
  work.prepare(0);
  work.run(0);
  EXPECT_TRUE(work.check(0).ok());
  EXPECT_FALSE(work.check(1).ok()) << "correct for another input set only";
  for (const std::int64_t at : {0, 57, 99}) {
    work.run(0);
    work.out.data()[at] += 1;
    EXPECT_EQ(work.check(0).n_wrong, 1);
    EXPECT_EQ(work.check(0).n_wrong, 1) << "a wrong result is not known";
  }
  work.run(0);
  float* const out = work.out.data();
  std::swap(out[0], *std::find_if(out, out + 100, [&](float x) { return x != out[0]; }));
  EXPECT_FALSE(work.check(0).ok());
  work.prepare(0);
  EXPECT_FALSE(work.check(0).ok()) << "nothing was written";
}

TEST(KeptAnswers, ComputesEachSetOnce) {
  const KeptAnswers<int> answers({.seed = 1, .n_input_sets = 2});
  int n_made = 0;
  const auto of = [&](int set) { return answers.of(set, [&] { return ++n_made, 10 * set; }); };
  EXPECT_EQ((std::vector{of(1), of(0), of(1), of(0)}), (std::vector{10, 0, 10, 0}));
  EXPECT_EQ(n_made, 2);
}

TEST(KeptAnswers, StoresTheExpectationsIfTheyFit) {
  const auto expected = [](std::int64_t i) -> Expectation { return {0.5 * static_cast<double>(i), 1.0 / 8}; };
  const auto kept = keep_expectations(Stream::cpu(), 5000, expected);
  ASSERT_TRUE(kept);
  for (std::int64_t i = 0; i < 5000; ++i) {
    const Expectation here = KeptExpectation{kept->data()}(i);
    ASSERT_EQ(std::pair(here.value, here.bound), std::pair(expected(i).value, expected(i).bound)) << i;
  }
  EXPECT_FALSE(keep_expectations(Stream::cpu(), std::int64_t{1} << 50, expected)) << "more than there is memory for";
}

}  // namespace
}  // namespace rafter::lab
