// `rafter bench` and `rafter tune` with --untrusted: the whole command runs again in one sandbox, on the executor.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rafter::bench {

struct UntrustedRequest {
  std::vector<std::string> build{};      ///< The file, and compiler options as nvcc takes them.
  std::vector<std::string> arguments{};  ///< NAME=...FILE.npy names a file that is read.
  std::vector<std::string> readable{};   ///< What can be read besides.
  std::string device{};                  ///< As typed; empty: the executor.
  std::string json_path{}, csv_path{};   ///< Empty: none; "-": standard output.
};

/// Starts this program with the same command line in a sandbox, and keeps its results. Returns its exit code. Throws
/// Error: unsupported where sandboxes are unavailable, bad_argument for a GPU.
int run_in_sandbox(const UntrustedRequest& request);

/// Returns the folder of this process's results if run_in_sandbox() started it; nothing in other processes.
std::optional<std::filesystem::path> sandbox_results();

}  // namespace rafter::bench
