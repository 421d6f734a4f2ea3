// Sums an array and the rows of a matrix, on a GPU if available.
#include <cstdio>
#include <numeric>
#include <rafter/rafter.hpp>
#include <vector>

int main() {
  try {
    const bool has_gpu = !rafter::why_unavailable(rafter::Device::cuda);
    const rafter::Stream stream = rafter::Stream::on(has_gpu ? rafter::Device::cuda : rafter::Device::cpu);

    std::vector<double> numbers(1000000);
    std::iota(numbers.begin(), numbers.end(), 1.);
    const rafter::Buffer<double> in(stream, numbers);
    rafter::Buffer<double> total(stream, 1);
    rafter::sum(stream, in, total);

    const rafter::MatrixShape shape{.n_rows = 4, .n_cols = 250000};
    rafter::Buffer<double> rows(stream, shape.n_rows);
    rafter::row_sums(stream, in, shape, rows);

    std::vector<double> answer(1);
    std::vector<double> per_row(4);
    total.copy_to(answer);
    rows.copy_to(per_row);
    std::printf("on %s the sum is %.0f, by rows %.0f %.0f %.0f %.0f\n", has_gpu ? "cuda" : "cpu", answer[0], per_row[0],
                per_row[1], per_row[2], per_row[3]);
  } catch (const rafter::Error& error) {
    std::fprintf(stderr, "sums: %s\n", error.what());
    return 1;
  }
}
