// The print functions of kernels. A thread that prints in an endless loop is almost always in the C library, where the
// watchdog must not interrupt it. So these functions check for a timeout themselves.
#include <cstdarg>
#include <cstdio>

#include "executor/engine/failure.hpp"
#include "executor/engine/sync_findings.hpp"
#include "executor/engine/workers/worker.hpp"

namespace {

using namespace rafter::simt;

void before_print(const void* place) {
  Worker* worker = this_worker();
  if (!worker || !is_inside()) return;
  worker->abort_speculation();  // what blocks print is in their order
  if (const Timeout timeout = worker->progress().timeout(); timeout != Timeout::none) {
    report_timeout(worker->block(), timeout, place);
    worker->abandon(launch_timeout);
  }
}

}  // namespace

#define RAFTER_SIMT_EXPORT extern "C" __attribute__((visibility("default")))

RAFTER_SIMT_EXPORT int __wrap_printf(const char* format, ...) {
  before_print(__builtin_return_address(0));
  va_list arguments;
  va_start(arguments, format);
  const int n = std::vprintf(format, arguments);
  va_end(arguments);
  return n;
}
RAFTER_SIMT_EXPORT int __wrap___printf_chk(int, const char* format, ...) {
  before_print(__builtin_return_address(0));
  va_list arguments;
  va_start(arguments, format);
  const int n = std::vprintf(format, arguments);
  va_end(arguments);
  return n;
}
RAFTER_SIMT_EXPORT int __wrap_puts(const char* text) {
  before_print(__builtin_return_address(0));
  return std::puts(text);
}
RAFTER_SIMT_EXPORT int __wrap_putchar(int character) {
  before_print(__builtin_return_address(0));
  return std::putchar(character);
}
