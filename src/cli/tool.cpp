#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "cli/subcommands.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

namespace {

struct Call {
  const Workloads& workloads;
  int operator()(const Finished& finished) const { return finished.exit_code; }
  int operator()(const RunOptions& options) const { return run(options, workloads); }
  int operator()(const ListOptions& options) const { return list(options, workloads); }
  int operator()(const DeviceOptions& options) const { return device(options); }
  int operator()(const ShowOptions& options) const { return show(options, workloads); }
  int operator()(const ExecutorOptions& options) const { return executor(options); }
  int operator()(const TryOptions& options) const { return try_kernel(options, workloads); }
  int operator()(const TryChildOptions& options) const { return try_child(options, workloads); }
  int operator()(const SolveHeatOptions& options) const { return solve_heat(options); }
  int operator()(const NvccOptions& options) const { return nvcc(options); }
};

/// Never throws, also when there is no standard error.
void complain(const char* what) noexcept { std::fprintf(stderr, "rafter: %s\n", what); }

}  // namespace

int tool(int argc, char** argv, const Workloads& workloads) {
  try {
    const int code = std::visit(Call{workloads}, parse(argc, argv));
    std::cout.flush();
    if (std::fflush(stdout) != 0 || !std::cout) throw Error(ErrorCode::io, "cannot write to the standard output");
    return code;
  } catch (const Error& error) {
    complain(error.what());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain((std::string("unexpected: ") + error.what()).c_str());
  }
  return exit_failed;
}

}  // namespace rafter::cli
