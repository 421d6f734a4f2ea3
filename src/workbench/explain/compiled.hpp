// Facts from the compiled code: nvcc says registers and spills, PTX the instructions, cuobjdump those of the machine.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "workbench/explain/facts.hpp"
#include "workbench/explain/gpu.hpp"
#include "workbench/explain/ptx.hpp"

namespace rafter::explain {

struct Resources {
  int registers = 0;
  double stack_bytes = 0, spill_bytes = 0, shared_bytes = 0;
};

/// What ptxas says of each kernel (-Xptxas -v), by symbol.
std::map<std::string, Resources> parse_ptxas(const std::string& text);

/// Shares of instructions by name, largest first, of each kernel of `cuobjdump -sass`, by symbol.
std::map<std::string, std::vector<std::pair<std::string, double>>> parse_sass(const std::string& text);

/// Sources as nvcc compiled them.
struct CompiledSources {
  std::vector<PtxKernel> kernels{};
  std::map<std::string, Resources> resources{};
  std::map<std::string, std::vector<std::pair<std::string, double>>> mixes{};
  std::string why_not{};  ///< why some or all of it is not known; empty: it is
};

struct CompileJob {
  std::vector<std::string> words{};  ///< sources and nvcc's options
  std::string kernel{};              ///< an instance of a template that has to be asked for: "scale<float>"
};

/// Never throws for what a compiler says: that is why nothing is known.
CompiledSources compile_sources(const CompileJob& job, const Gpu& gpu, const std::filesystem::path& scratch);

/// Fills in `compiled` of a kernel that was found.
void add_compiled(Facts& facts, const CompiledSources& sources, const Gpu& gpu);

}  // namespace rafter::explain
