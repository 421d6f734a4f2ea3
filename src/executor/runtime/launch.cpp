// rafter_simt_launch: checks a launch's configuration, runs it on workers, and records its failure.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "executor/api/device_properties.hpp"
#include "executor/api/error_state.hpp"
#include "executor/api/functions.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/api/task.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/sync_findings.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/engine/workers/workers.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/observer.hpp"
#include "executor/runtime/process_report.hpp"

namespace rafter::simt {
namespace {

struct Refusal {
  cudaError_t error;
  std::string why;
};

template <class Triple>
std::string triple(const Triple& t) {
  return "(" + std::to_string(t.x) + ", " + std::to_string(t.y) + ", " + std::to_string(t.z) + ")";
}

std::optional<Refusal> cluster_refusal(const rafter_simt::Launch& launch) {
  const auto& [x, y, z] = launch.cluster;
  if (x == 1 && y == 1 && z == 1) return std::nullopt;
  const auto invalid = static_cast<cudaError_t>(invalid_cluster_size);
  const std::string clusters = "clusters of " + triple(launch.cluster) + " blocks";
  if (options().capability < 90) return Refusal{cudaErrorNotSupported, clusters + " (need compute capability 9.0)"};
  const std::uint64_t size = std::uint64_t{x} * y * z, limit = static_cast<std::uint64_t>(cluster_limit());
  if (size == 0) return Refusal{invalid, clusters};
  if (size > limit) {
    return Refusal{invalid, clusters + ": " + std::to_string(size) + " (at most " + std::to_string(limit) +
                                (limit < 16 ? ", or 16 with cudaFuncAttributeNonPortableClusterSizeAllowed)" : ")")};
  }
  if (launch.grid.x % x == 0 && launch.grid.y % y == 0 && launch.grid.z % z == 0) return std::nullopt;
  return Refusal{invalid, clusters + ", which do not divide a grid of " + triple(launch.grid) + " blocks"};
}

std::optional<Refusal> cooperative_refusal(const rafter_simt::Launch& launch, std::uint64_t n_threads) {
  if (!launch.cooperative) return std::nullopt;
  const std::int64_t n_blocks = std::int64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  const std::int64_t limit = cooperative_limit(static_cast<int>(n_threads), launch.shared_bytes);
  if (n_blocks <= limit) return std::nullopt;
  return Refusal{static_cast<cudaError_t>(too_many_cooperative_blocks),
                 "a cooperative launch of " + std::to_string(n_blocks) + " blocks (at most " + std::to_string(limit) +
                     " of these are resident at the same time)"};
}

std::optional<Refusal> refusal(const rafter_simt::Launch& launch) {
  const auto& [gx, gy, gz] = launch.grid;
  const auto& [bx, by, bz] = launch.block;
  const auto invalid = static_cast<cudaError_t>(invalid_configuration);
  const std::string grid = "a grid of " + triple(launch.grid) + " blocks";
  const std::string block = "a block of " + triple(launch.block) + " threads";
  if (gx == 0 || gy == 0 || gz == 0) return Refusal{invalid, grid};
  if (bx == 0 || by == 0 || bz == 0) return Refusal{invalid, block};
  if (gx > 0x7fffffffu || gy > 65535 || gz > 65535)
    return Refusal{invalid, grid + " (at most 2147483647, 65535, 65535)"};
  const std::uint64_t n_threads = std::uint64_t{bx} * by * bz;
  if (n_threads > 1024) return Refusal{invalid, std::to_string(n_threads) + " threads per block (at most 1024)"};
  if (bz > 64) return Refusal{invalid, block + " (at most 1024, 1024, 64)"};
  if (const auto refused = cluster_refusal(launch)) return refused;
  const std::size_t limit = dynamic_shared_limit();
  if (launch.shared_bytes <= limit) return cooperative_refusal(launch, n_threads);
  return Refusal{cudaErrorInvalidValue, std::to_string(launch.shared_bytes) +
                                            " bytes of dynamic shared memory (at most " + std::to_string(limit) + ")"};
}

// A single worker is used for a given schedule, for cooperative grids, and when an observer requires it.
int n_workers_for(const Grid& grid) {
  if (options().schedule || grid.is_cooperative()) return 1;
  Observer* observer = observing();
  const int all = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int wanted = options().n_workers > 0 ? options().n_workers : all;
  const int n = static_cast<int>(std::min<std::int64_t>(wanted, grid.n_blocks()));
  return observer ? observer->n_workers(grid, n) : n;
}

const char* failure_name(int error) {
  switch (error) {
    case illegal_address: return "illegal address";
    case launch_timeout: return "the launch did not end";
    case device_assert: return "a device assert failed";
    case out_of_memory: return "out of memory for its threads";
    default: return "launch failure";
  }
}

void add_finding(const rafter_simt::Launch& launch, const Refusal& refused, const void* site) {
  if (options().mode != Mode::check) return;
  findings().add({Kind::refused_launch,
                  Space::none,
                  launch.kernel,
                  {{"launches it", site, 0, {}, {}}},
                  std::nullopt,
                  refused.why + "\n    the launch returns " + cudaGetErrorName(refused.error)});
}

int refuse(const rafter_simt::Launch& launch, const Refusal& refused, const void* site) {
  findings().kernel(launch.kernel).failure = "the launch was refused: " + refused.why;
  add_finding(launch, refused, site);
  write_process_report();  // the program may crash later
  return errors().report(refused.error);
}

// The program may be killed later without notice. So the report is written after the first launch of every kernel, and
// then at most twice per second.
bool is_worth_keeping(const KernelRecord& record) {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point kept{};  // one launch runs at a time
  if (options().mode == Mode::plain) return false;
  if (record.launches > 1 && Clock::now() - kept < std::chrono::milliseconds(500)) return false;
  kept = Clock::now();
  return true;
}

int run(const rafter_simt::Launch& launch, const void* site);

// The nesting depth of the running launch; one launch runs at a time.
int depth = 0;
constexpr int max_depth = 24;

int run_children(Grid& grid) {
  int error = cudaSuccess;
  ++depth;
  for (const ChildGrid& child : grid.child_grids().take()) {
    if (error == cudaSuccess) error = run(child.launch, nullptr);
  }
  --depth;
  return error;
}

// A launch by a thread of a kernel. The copy of its arguments does not count as the thread's accesses.
int launch_child(const rafter_simt::Launch& given, const void* site) {
  Worker& worker = *this_worker();
  worker.abort_speculation();
  if (depth == max_depth) return errors().report(cudaErrorLaunchMaxDepthExceeded);
  if (const auto refused = refusal(given)) {
    findings().kernel(given.kernel).failure = "the launch was refused: " + refused->why;
    add_finding(given, *refused, site);
    return errors().report(refused->error);
  }
  if (given.copy_closure == nullptr)
    rafter_simt_unsupported("a launch in a kernel with arguments that cannot be copied");
  rafter_simt_now.inside = 0;
  const std::shared_ptr<void> closure(given.copy_closure(given.closure), given.destroy_closure);
  rafter_simt_now.inside = 1;
  ChildGrid child{given, closure, worker.block().linear, given.stream == cudaStreamTailLaunch};
  child.launch.closure = closure.get();
  worker.grid().child_grids().add(std::move(child));
  return cudaSuccess;
}

/// Runs the grid. Returns false if it has to run again: because its kernel declares clusters, which it reports before
/// it does anything else, or because an observer rejects the speculative execution. Launches of several host threads
/// are serialised.
bool run_exclusively(Grid& grid, KernelRecord& record) {
  static std::mutex& one_launch = *new std::mutex;  // a program may launch from its own static destructors
  const std::lock_guard lock(one_launch);
  const dim3& block = grid.launch().block;
  const auto n_threads = static_cast<std::uint64_t>(grid.n_blocks()) * block.x * block.y * block.z;
  ++record.launches;
  record.threads += n_threads;
  const int n_workers = n_workers_for(grid);
  Observer* observer = observing();
  if (observer) {
    grid.share_among(n_workers);
    grid.set_residency(cooperative_limit(static_cast<int>(block.x * block.y * block.z), grid.launch().shared_bytes),
                       device_properties().multiProcessorCount);
  }
  if (observer) observer->launch_began(grid, n_workers);
  workers().run(grid, n_workers);
  const bool is_valid = !observer || observer->launch_ended(grid);
  if (is_valid && !grid.asked_clusters()) return true;
  --record.launches;
  record.threads -= n_threads;
  return false;
}

int run(const rafter_simt::Launch& launch, const void* site) {
  Grid grid(launch, options().schedule, launch.cooperative ? 0 : options().sample);
  const std::size_t found = findings().size();
  KernelRecord& record = findings().kernel(launch.kernel);
  const bool is_complete = run_exclusively(grid, record);
  if (const auto clusters = grid.asked_clusters()) {
    rafter_simt::Launch again = launch;
    again.cluster = *clusters;
    if (const auto refused = cluster_refusal(again)) return refuse(again, *refused, site);
    if (!grid.has_clusters()) return run(again, site);
    return refuse(
        launch,
        {static_cast<cudaError_t>(invalid_cluster_size),
         "clusters of " + triple(launch.cluster) + " blocks, but the kernel has __cluster_dims__" + triple(*clusters)},
        site);
  }
  if (!is_complete) return run(launch, site);  // without speculation: the kernel is now known to need one worker
  if (grid.error()) record.failure = failure_name(grid.error());
  if (findings().size() != found || is_worth_keeping(record)) write_process_report();
  return grid.error() ? errors().poison(static_cast<cudaError_t>(grid.error())) : run_children(grid);
}

int run_in_stream(const rafter_simt::Launch& launch, const void* site) {
  const Task task(StreamTask::Kind::kernel, launch.kernel, launch.stream, site);
  return run(launch, site);
}

/// Returns the launch as a node of a graph, with a copy of its arguments.
NodeDraft draft_launch(const rafter_simt::Launch& given, const void* site) {
  if (given.copy_closure == nullptr) rafter_simt_unsupported("a captured launch with arguments that cannot be copied");
  rafter_simt::Launch launch = given;
  const std::shared_ptr<void> closure(given.copy_closure(given.closure), given.destroy_closure);
  launch.closure = closure.get();
  const auto kept = std::make_shared<KernelParameters>();
  kept->parameters = {const_cast<void*>(given.address),          given.grid, given.block,
                      static_cast<unsigned>(given.shared_bytes), nullptr,    nullptr};
  kept->closure = closure;
  kept->arguments.resize(given.n_arguments);
  if (given.locate_arguments) given.locate_arguments(closure.get(), kept->arguments.data());
  const Work work = [launch, closure, site](cudaStream_t stream) mutable {
    launch.stream = stream;
    return static_cast<cudaError_t>(run_in_stream(launch, site));
  };
  return {cudaGraphNodeTypeKernel, work, kept};
}

}  // namespace
}  // namespace rafter::simt

using namespace rafter::simt;

extern "C" __attribute__((visibility("default"))) int rafter_simt_launch(const rafter_simt::Launch* launch) {
  const void* const site = launch_site() ? launch_site() : __builtin_return_address(0);
  if (rafter_simt_now.inside) return launch_child(*launch, site);
  if (const auto poisoned = errors().sticky()) return poisoned;
  if (const auto refused = refusal(*launch)) return refuse(*launch, *refused, site);
  if (const auto result = captured(launch->stream, [&] { return draft_launch(*launch, site); }))
    return errors().report(*result);
  return run_in_stream(*launch, site);
}
