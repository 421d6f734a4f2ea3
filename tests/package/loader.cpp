// A program that forks after it has used the library, as data loaders of training programs do: worker processes compute
// batches with CPU ops and send them through pipes, while the parent computes, too. A child may fork again. Prints "all
// batches agree".
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <rafter/rafter.hpp>
#include <vector>

namespace {

constexpr int n_workers = 3, n_batches = 20;
constexpr std::int64_t n_elements = 100000;  // enough for several threads

/// Returns the sum of a batch's running sums, which depends on every element.
double batch(int number) {
  const auto stream = rafter::Stream::cpu();
  std::vector<double> values(static_cast<std::size_t>(n_elements));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>((i + static_cast<std::size_t>(number)) % 7);
  std::vector<double> sums(values.size());
  rafter::inclusive_sum(stream, values, sums);
  double total = 0;
  rafter::sum(stream, sums, &total);
  return total;
}

/// Sends the batches of one worker.
void work(int worker, int out) {
  for (int number = worker; number < n_batches; number += n_workers) {
    const double result = batch(number);
    if (write(out, &result, sizeof result) != sizeof result) _exit(1);
  }
}

/// Starts a worker; returns the end of its pipe to read from.
int start(int worker, bool through_child) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(2);
  const pid_t child = fork();
  if (child < 0) std::exit(2);
  if (child > 0) {
    close(ends[1]);
    return ends[0];
  }
  if (through_child) {  // computes itself, and lets a grandchild do the work
    batch(0);
    const pid_t grandchild = fork();
    if (grandchild == 0) work(worker, ends[1]);
    int status = 0;
    if (grandchild > 0 && (waitpid(grandchild, &status, 0) < 0 || status != 0)) _exit(1);
    _exit(0);
  }
  work(worker, ends[1]);
  _exit(0);
}

}  // namespace

int main() {
  try {
    std::vector<double> expected;
    for (int number = 0; number < n_batches; ++number) expected.push_back(batch(number));  // the pool has threads
    std::vector<int> pipes;
    for (int worker = 0; worker < n_workers; ++worker) pipes.push_back(start(worker, worker == 0));
    for (int number = 0; number < n_batches; ++number) {
      double result = 0;
      if (read(pipes[static_cast<std::size_t>(number % n_workers)], &result, sizeof result) != sizeof result ||
          result != expected[static_cast<std::size_t>(number)] || batch(number) != result) {
        std::fprintf(stderr, "batch %d is %f, expected %f\n", number, result,
                     expected[static_cast<std::size_t>(number)]);
        return 1;
      }
    }
    for (int worker = 0; worker < n_workers; ++worker) {
      int status = 0;
      if (wait(&status) < 0 || status != 0) {
        std::fprintf(stderr, "a worker failed with status %d\n", status);
        return 1;
      }
    }
    std::puts("all batches agree");
    return 0;
  } catch (const rafter::Error& error) {
    std::fprintf(stderr, "loader: %s\n", error.what());
    return 1;
  }
}
