#include "executor/device/simt_device.hpp"

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "executor/report/findings_text.hpp"
#include "executor/report/report_file.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"

extern "C" {
void rafter_simt_configure(const char* options);
char* rafter_simt_take_report();
void* rafter_simt_allocate(std::size_t bytes);
void rafter_simt_release(void* memory);
void rafter_simt_copy(void* to, const void* from, std::size_t bytes);
void rafter_simt_fill(void* to, int byte, std::size_t bytes);
std::size_t rafter_simt_free_bytes();
bool rafter_simt_can_access(const void* address);
void rafter_simt_forbid(void* memory, std::size_t bytes);
void rafter_simt_forget_output(void* memory, std::size_t bytes);
void rafter_simt_set_argument(void* memory, std::size_t bytes, bool is_argument);
void rafter_simt_forget_state();
char* rafter_simt_keep_state(const char* variable);
}

namespace rafter::simt {

namespace {

// Strict: our own kernels may rely only on documented guarantees. Judged: the workbench verifies their outputs.
constexpr const char* checking = "mode=check;strict=1;judged=1";
constexpr int n_multiprocessors_shown = 8;  // few, so that a full device is a few thousand threads

class SimtBackend final : public core::Backend {
 public:
  Device device() const noexcept override { return Device::simt; }
  std::optional<std::string> why_unavailable() const override { return std::nullopt; }
  int n_multiprocessors() const override { return n_multiprocessors_shown; }
  std::int64_t available_bytes() const override { return static_cast<std::int64_t>(rafter_simt_free_bytes()); }

  void* allocate(std::int64_t bytes) override {
    void* memory = rafter_simt_allocate(static_cast<std::size_t>(bytes));
    if (memory == nullptr) {
      throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(bytes) + " bytes on the executor");
    }
    return memory;
  }
  void deallocate(void* memory) noexcept override { rafter_simt_release(memory); }

  std::optional<std::string> why_inaccessible(const void* memory) const override {
    if (rafter_simt_can_access(memory)) return std::nullopt;
    return "is in host memory, which kernels on the executor cannot access; expected device, managed or page-locked "
           "memory";
  }

  void copy_in(CUstream_st*, void* to, const void* host, std::int64_t bytes) override { copy(to, host, bytes); }
  void copy_out(CUstream_st*, void* host, const void* from, std::int64_t bytes) override { copy(host, from, bytes); }
  void fill_bytes(CUstream_st*, void* to, int byte, std::int64_t bytes) override {
    if (bytes > 0) rafter_simt_fill(to, byte, static_cast<std::size_t>(bytes));
  }
  void synchronize(CUstream_st*) override {}  // launches are synchronous

  void forbid(void* memory, std::int64_t bytes) override {
    if (bytes > 0) rafter_simt_forbid(memory, static_cast<std::size_t>(bytes));
  }
  void forget_output(void* memory, std::int64_t bytes) override {
    if (bytes > 0) rafter_simt_forget_output(memory, static_cast<std::size_t>(bytes));
  }
  void set_argument(const void* memory, std::int64_t bytes, bool is_argument) override {
    if (bytes > 0) rafter_simt_set_argument(const_cast<void*>(memory), static_cast<std::size_t>(bytes), is_argument);
  }
  void forget_state() override { rafter_simt_forget_state(); }
  std::vector<std::string> keep_state(const std::string& variable) override {
    const std::unique_ptr<char, decltype(&std::free)> known(rafter_simt_keep_state(variable.c_str()), &std::free);
    std::vector<std::string> names;
    std::istringstream lines(known ? known.get() : "");
    for (std::string line; std::getline(lines, line);) names.push_back(line);
    return names;
  }

  std::optional<std::string> take_findings() override {
    const std::unique_ptr<char, decltype(&std::free)> text(rafter_simt_take_report(), &std::free);
    const nlohmann::json report = report::parse_report(text.get(), RAFTER_SHIM_DIR);
    if (report["findings"].empty()) return std::nullopt;
    return report::findings_text(report);
  }

 private:
  static void copy(void* to, const void* from, std::int64_t bytes) {
    if (bytes > 0) rafter_simt_copy(to, from, static_cast<std::size_t>(bytes));
  }
};

}  // namespace

void provide_device() {
  static SimtBackend backend;
  static const bool once = [] {
    rafter_simt_configure(checking);
    core::set_simt_backend(backend);
    return true;
  }();
  static_cast<void>(once);
}

std::string count_accesses(const std::function<void()>& work) {
  struct Checking {
    ~Checking() { rafter_simt_configure(checking); }
  };
  const auto take = [] {
    const std::unique_ptr<char, decltype(&std::free)> text(rafter_simt_take_report(), &std::free);
    return std::string(text.get());
  };
  const Checking restore_checking;
  rafter_simt_configure("mode=count");
  take();
  work();
  return take();
}

}  // namespace rafter::simt
