// PTX as far as estimates need it: stretches of code without branches, their instructions with registers and source
// lines, and which of them are loops. Its instructions are nearly those of the machine; only registers, spills and
// their final order are decided later, by ptxas.
#pragma once

#include <string>
#include <vector>

namespace rafter::explain {

struct PtxInstruction {
  std::string op{};                    ///< "fma.rn.f32"
  std::vector<int> writes{}, reads{};  ///< registers, numbered within the kernel
  std::string file{};
  int line = 0;
  long step = 0;  ///< of an addition of a constant to itself: the constant
};

struct PtxBlock {
  std::vector<PtxInstruction> code{};
  int loop = -1;  ///< the innermost one around it: an index into PtxKernel::loops
};

/// Blocks from `first` to `last`, where the code jumps back.
struct PtxLoop {
  int first = 0, last = 0;
};

struct PtxKernel {
  std::string symbol{};
  std::string name{};  ///< "ns::scale<float>"
  std::vector<PtxBlock> blocks{};
  std::vector<PtxLoop> loops{};
};

/// The kernels of a module.
std::vector<PtxKernel> parse_ptx(const std::string& text);

/// "ns::scale<float>" of a mangled symbol; the symbol itself where it is none.
std::string kernel_name(const std::string& symbol);

/// Of names as compilers write them, the index of the one that is meant by a kernel's name in the source; -1: none.
int find_kernel(const std::vector<std::string>& names, const std::string& wanted);

}  // namespace rafter::explain
