#include "workbench/bench/watch.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "rafter/error.hpp"

namespace rafter::bench {

namespace {

/// The time of a clock that all processes share.
std::int64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

Watch::Watch(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  void* memory = MAP_FAILED;
  if (descriptor >= 0 && ftruncate(descriptor, sizeof(Page)) == 0)
    memory = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  if (memory == MAP_FAILED) throw Error(ErrorCode::io, file.string() + ": " + std::strerror(error));
  page_ = {static_cast<Page*>(memory), [](Page* page) { munmap(page, sizeof(Page)); }};
}

Guard Watch::guard() const {
  return {.begins =
              [page = page_](const std::string& function, double patience) {
                if (std::strncmp(page->function, function.c_str(), sizeof page->function - 1) != 0)
                  std::strncpy(page->function, function.c_str(), sizeof page->function - 1);
                page->patience = patience;
                page->began_ns = now_ns();
              },
          .ended = [page = page_] { page->began_ns = 0; }};
}

std::string Watch::running() const { return page_->began_ns != 0 ? page_->function : ""; }

double Watch::running_s() const {
  const std::int64_t began = page_->began_ns;
  return began != 0 ? 1e-9 * static_cast<double>(now_ns() - began) / page_->patience : 0;
}

void Watch::reset() const { page_->began_ns = 0; }

}  // namespace rafter::bench
