// Facts from the compiled code: registers and spills from nvcc, instructions from PTX, machine code from cuobjdump.
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

/// Parses the output of ptxas (-Xptxas -v) for each kernel, by symbol.
std::map<std::string, Resources> parse_ptxas(const std::string& text);

/// Parses `cuobjdump -sass`: the shares of instructions by name, largest first, for each kernel, by symbol.
std::map<std::string, std::vector<std::pair<std::string, double>>> parse_sass(const std::string& text);

/// The output of nvcc for the sources.
struct CompiledSources {
  std::vector<PtxKernel> kernels{};
  std::map<std::string, Resources> resources{};
  std::map<std::string, std::vector<std::pair<std::string, double>>> mixes{};
  std::string why_not{};  ///< why some or all of it is unknown; empty: all is known
};

struct CompileJob {
  std::vector<std::string> words{};  ///< sources and nvcc's options
  std::string kernel{};              ///< a template instance to compile explicitly: "scale<float>"
};

/// Compiles the sources. Errors of the compiler do not throw: they become `why_not`.
CompiledSources compile_sources(const CompileJob& job, const Gpu& gpu, const std::filesystem::path& scratch);

/// Fills in `compiled` of a kernel that the sources contain.
void add_compiled(Facts& facts, const CompiledSources& sources, const Gpu& gpu);

}  // namespace rafter::explain
