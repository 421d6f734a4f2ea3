// NumPy's .npy files: versions 1.0 and 2.0, C order, little endian, numbers and bool.
#pragma once

#include <string>
#include <vector>

namespace rafter::simt {

struct Npy {
  std::string type;  // f16, f32, f64, i8 ... u64, bool
  std::vector<long long> shape;
  std::vector<char> data;
};

/// Writes a file. Returns an error message, or nothing.
std::string write_npy(const std::string& path, const Npy& array);

/// Reads a file. Returns an error message, or nothing.
std::string read_npy(const std::string& path, Npy& array);

}  // namespace rafter::simt
