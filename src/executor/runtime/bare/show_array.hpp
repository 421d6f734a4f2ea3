// Prints a few elements of an array that a kernel wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rafter::simt {

/// Prints `head: 1 2 3 ... 9`, or the first rows below each other. `memory` has n_rows * n_columns elements of `bytes`
/// each.
void show_array(const std::string& head, const std::string& type, std::size_t bytes, std::int64_t n_rows,
                std::int64_t n_columns, const void* memory);

}  // namespace rafter::simt
