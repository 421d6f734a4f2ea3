// The runs of the compiler that make the objects of a project: one for each source, or one for each of its sides.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "executor/build/compile_setup.hpp"
#include "executor/build/sides/objects.hpp"

namespace rafter::simt::build {

/// The option of g++ that writes warnings in a form which does not depend on its language.
inline constexpr const char* json_diagnostics = "-fdiagnostics-format=json";

class CompileJobs {
 public:
  /// Returns the command for a compilation of a source, or of one side of it.
  using CommandOf = std::function<base::Command(const Compilation&, Side)>;

  /// Intermediate files are in `folder`. `has_lanes`: a kernel also has a vectorised form.
  CompileJobs(std::filesystem::path folder, bool has_lanes, CommandOf command_of)
      : folder_(std::move(folder)), has_lanes_(has_lanes), command_of_(std::move(command_of)) {}

  void add(const Compilation& compilation);
  /// Adds a source that host and device see differently (sides/assembly.hpp).
  void add_sides(const Compilation& compilation);

  /// Runs the compiler, and returns whether it succeeded for all sources.
  bool run();
  /// Returns the compiler's messages.
  const std::string& output() const { return output_; }
  /// Makes one object of the sides of each source that has two. Requires run(). Throws Error: unsupported, io.
  void combine(const NamesOfSides& names, const CompileOptions& options, const Toolchain& toolchain) const;

 private:
  struct Source {
    Compilation whole;
    std::size_t first_job;
    std::size_t n_jobs;
    SideFiles assembly;  // of two jobs: the device's, then the host's
  };

  std::filesystem::path folder_;
  bool has_lanes_;
  CommandOf command_of_;
  std::vector<Source> sources_;
  std::vector<base::Command> commands_;
  std::string output_;
};

}  // namespace rafter::simt::build
