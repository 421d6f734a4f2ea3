#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "cli/subcommands.hpp"
#include "cli/terminal.hpp"
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
};

}  // namespace

int tool(int argc, char** argv, const Workloads& workloads) {
  try {
    const int code = std::visit(Call{workloads}, parse(argc, argv));
    if (std::fflush(stdout) != 0) throw Error(ErrorCode::io, "cannot write to the standard output");
    return code;
  } catch (const Error& error) {
    fmt::print(stderr, "rafter: {}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "rafter: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "rafter: unexpected: {}\n", error.what());
  }
  return exit_failed;
}

}  // namespace rafter::cli
