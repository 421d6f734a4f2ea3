#include "executor/engine/workers/host_worker.hpp"

#include <cerrno>

#include "executor/engine/workers/watchdog.hpp"

namespace rafter::simt {
namespace {

constinit thread_local bool has_ended = false;

}  // namespace

HostWorker::HostWorker() : worker_(Worker::of_host) { watchdog().watch(worker_); }

HostWorker::~HostWorker() {
  watchdog().unwatch(worker_);
  has_ended = true;
}

HostWorker* HostWorker::of_this_thread() {
  if (has_ended) return nullptr;
  thread_local HostWorker mine;
  return &mine;
}

void HostWorker::run(Grid& grid) {
  const int kept = errno;  // a kernel's mathematics has none
  set_this_worker(&worker_);
  worker_.run(grid);
  set_this_worker(nullptr);
  rafter_simt_now = {};  // device functions that host code calls find no thread
  blockIdx = {};
  blockDim = {};
  gridDim = {};
  errno = kept;
}

}  // namespace rafter::simt
