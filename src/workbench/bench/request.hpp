// What is asked about a stranger's kernels, as it was typed.
#pragma once

#include <string>
#include <vector>

namespace rafter::bench {

struct Request {
  std::vector<std::string> build{};       ///< the file, and compiler options as nvcc takes them
  std::vector<std::string> kernels{};     ///< "sum", "ns::sum<float>"
  std::vector<std::string> references{};  ///< a kernel or host function of the file, or ARRAY=FILE.npy
  std::vector<std::string> settings{};    ///< NAME=VALUE[,VALUE...]
  std::vector<std::string> grids{};       ///< X[,Y[,Z]], expressions; KERNEL=... for one alone
  std::vector<std::string> blocks{};      ///< likewise
  std::vector<std::string> shared{};      ///< bytes, likewise
  std::vector<std::string> arguments{};   ///< NAME=TYPE[SHAPE]:FILL
  std::string bytes{}, flops{};           ///< the least that is needed, expressions; empty: what the arrays have
  double tolerance = 0;                   ///< relative; 0: the type's own
};

}  // namespace rafter::bench
