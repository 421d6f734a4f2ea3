// What the answers of a reference must be: complete, and numbers. Otherwise nothing would be verified.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "workbench/bench/arrays.hpp"

namespace rafter::bench {

using KernelArrays = std::vector<std::unique_ptr<KernelArray>>;

// What outputs hold before a reference runs; prepare() writes the first one.
inline constexpr std::byte poison{0xff}, other_poison{0x5a};

/// Whether elements of an output still look like poison, so that the reference has to run on the other poison, too.
bool may_be_unset(const KernelArrays& arrays, const std::vector<HostBytes>& answers);

/// Throws Error (bad_argument), with the ways on, if the reference left elements of an output as they were: `once` on
/// poison, `again` on the other poison.
void require_complete(const std::string& reference, const KernelArrays& arrays, const std::vector<HostBytes>& once,
                      const std::vector<HostBytes>& again);

/// Throws Error (bad_argument) if an answer has NaN.
void require_numbers(const std::string& reference, const KernelArrays& arrays, const std::vector<HostBytes>& answers);

}  // namespace rafter::bench
