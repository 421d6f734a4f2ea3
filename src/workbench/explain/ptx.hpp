// Parses PTX as far as estimates need it: basic blocks, their instructions with registers and source lines, and loops.
// PTX instructions are close to those of the machine; ptxas decides only registers, spills and the final order.
#pragma once

#include <string>
#include <vector>

namespace rafter::explain {

struct PtxInstruction {
  std::string op{};                    ///< "fma.rn.f32"
  std::vector<int> writes{}, reads{};  ///< registers, numbered within the kernel
  std::string file{};
  int line = 0;
  long step = 0;  ///< the constant, for an addition of a constant to a register itself
};

struct PtxBlock {
  std::vector<PtxInstruction> code{};
  int loop = -1;  ///< the innermost loop around it: an index into PtxKernel::loops
};

/// The blocks from `first` to `last`, which jumps back.
struct PtxLoop {
  int first = 0, last = 0;
};

struct PtxKernel {
  std::string symbol{};
  std::string name{};  ///< "ns::scale<float>"
  std::vector<PtxBlock> blocks{};
  std::vector<PtxLoop> loops{};
};

/// Parses the kernels of a module.
std::vector<PtxKernel> parse_ptx(const std::string& text);

/// Returns the name of a mangled symbol, such as "ns::scale<float>", or the symbol itself if it is not mangled.
std::string kernel_name(const std::string& symbol);

/// Returns the index of the kernel `wanted`, as named in the source, among the compiler's names, or -1.
int find_kernel(const std::vector<std::string>& names, const std::string& wanted);

}  // namespace rafter::explain
