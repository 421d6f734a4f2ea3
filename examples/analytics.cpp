// Answers questions about a table of sales, on a GPU if available: the columns stay on the device, and only results are
// copied back.
//   analytics [ROWS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <rafter/rafter.hpp>
#include <random>
#include <vector>

namespace {

constexpr std::int64_t n_regions = 8, n_days = 365;
constexpr float large = 90;  // the price of a large sale

struct Sales {
  std::vector<float> prices;
  std::vector<std::int32_t> regions, days;
};

Sales random_sales(std::int64_t n) {
  std::mt19937 random(1);
  std::uniform_int_distribution<std::int32_t> price(1, 100), region(0, n_regions - 1), day(0, n_days - 1);
  Sales sales;
  for (std::int64_t i = 0; i < n; ++i) {
    sales.prices.push_back(static_cast<float>(price(random)));
    sales.regions.push_back(region(random));
    sales.days.push_back(day(random));
  }
  return sales;
}

struct Answers {
  std::int64_t n_large = 0;
  std::vector<double> large_by_region;  // the revenue of large sales
  std::int64_t best_region = 0;
  std::vector<double> revenue_until;  // by the end of each day
};

template <class T>
std::vector<T> on_host(const rafter::Buffer<T>& buffer) {
  std::vector<T> values(static_cast<std::size_t>(buffer.size()));
  buffer.copy_to(values);
  return values;
}

/// Returns the sum of the prices of each key, in double precision.
rafter::Buffer<double> revenue_of(const rafter::Stream& stream, rafter::DeviceSpan<const std::int32_t> keys,
                                  rafter::DeviceSpan<const double> prices, std::int64_t n_keys) {
  rafter::Buffer<double> revenue(stream, n_keys);
  rafter::scatter(stream, keys, prices, {.reduction = rafter::Reduction::sum}, revenue.span());
  return revenue;
}

Answers ask(const rafter::Stream& stream, const Sales& sales) {
  const auto n = static_cast<std::int64_t>(sales.prices.size());
  const rafter::Buffer<float> prices(stream, sales.prices);
  const rafter::Buffer<double> exact_prices(stream, std::vector<double>(sales.prices.begin(), sales.prices.end()));
  const rafter::Buffer<std::int32_t> regions(stream, sales.regions), days(stream, sales.days);
  Answers answers;

  // Large sales: their regions and prices, in one pass over the prices.
  rafter::Buffer<std::int32_t> kept_regions(stream, n);
  rafter::Buffer<double> kept_prices(stream, n);
  rafter::Buffer<std::int64_t> count(stream, 1);
  const rafter::FilterColumn columns[] = {{regions, kept_regions}, {exact_prices, kept_prices}};
  rafter::filter_columns(stream, prices, {rafter::CompareOp::greater_equal, large}, rafter::FilterOrder::preserved,
                         columns, count);
  answers.n_large = on_host(count)[0];

  // Their revenue by region, and the region with the most.
  const rafter::Buffer<double> by_region = revenue_of(stream, kept_regions.span().first(answers.n_large),
                                                      kept_prices.span().first(answers.n_large), n_regions);
  rafter::Buffer<std::int64_t> best(stream, 1);
  rafter::argmax(stream, by_region, best);

  // The revenue of all sales by day, added up.
  const rafter::Buffer<double> by_day = revenue_of(stream, days, exact_prices, n_days);
  rafter::Buffer<double> until(stream, n_days);
  rafter::inclusive_sum(stream, by_day, until);

  answers.large_by_region = on_host(by_region);
  answers.best_region = on_host(best)[0];
  answers.revenue_until = on_host(until);
  return answers;
}

/// Returns the same, computed with loops. Prices are whole numbers, so sums are exact in any order.
Answers ask_host(const Sales& sales) {
  Answers answers;
  answers.large_by_region.resize(n_regions);
  answers.revenue_until.resize(n_days);
  for (std::size_t i = 0; i < sales.prices.size(); ++i) {
    const double price = static_cast<double>(sales.prices[i]);
    answers.revenue_until[static_cast<std::size_t>(sales.days[i])] += price;
    if (sales.prices[i] < large) continue;
    ++answers.n_large;
    answers.large_by_region[static_cast<std::size_t>(sales.regions[i])] += price;
  }
  answers.best_region = std::max_element(answers.large_by_region.begin(), answers.large_by_region.end()) -
                        answers.large_by_region.begin();
  for (std::size_t day = 1; day < answers.revenue_until.size(); ++day)
    answers.revenue_until[day] += answers.revenue_until[day - 1];
  return answers;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 1000000;
    if (n < 1) {
      std::fprintf(stderr, "usage: analytics [ROWS], 1 or more\n");
      return 1;
    }
    const bool has_gpu = !rafter::why_unavailable(rafter::Device::cuda);
    const Sales sales = random_sales(n);
    const Answers answers = ask(rafter::Stream::on(has_gpu ? rafter::Device::cuda : rafter::Device::cpu), sales);
    std::printf("on %s: %lld of %lld sales are large, most of them (%.0f) in region %lld; the year's revenue is %.0f\n",
                has_gpu ? "cuda" : "cpu", static_cast<long long>(answers.n_large), static_cast<long long>(n),
                answers.large_by_region[static_cast<std::size_t>(answers.best_region)],
                static_cast<long long>(answers.best_region), answers.revenue_until.back());
    const Answers expected = ask_host(sales);
    const bool is_right = answers.n_large == expected.n_large && answers.large_by_region == expected.large_by_region &&
                          answers.best_region == expected.best_region &&
                          answers.revenue_until == expected.revenue_until;
    std::printf("%s\n", is_right ? "the answers agree with loops on the host" : "the answers are wrong");
    return is_right ? 0 : 1;
  } catch (const rafter::Error& error) {
    std::fprintf(stderr, "analytics: %s\n", error.what());
    return 1;
  }
}
