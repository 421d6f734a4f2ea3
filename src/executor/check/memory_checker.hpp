// Findings about single accesses: out of bounds, use after free, misaligned, uninitialised, or memory of the other
// side.
#pragma once

#include <optional>
#include <string>

#include "executor/check/regions.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

/// Reports an access to bytes that do not exist.
void report_outside(const Access& access, const Found& found, const Regions& regions);
void report_misaligned(const Access& access, const Found& found, const Regions& regions);
void report_misaligned_matrix(const Access& access, const std::optional<Found>& found, const Regions& regions,
                              std::string detail);
/// Reports an access to a local variable of another thread.
void report_foreign_local(const Access& access);
/// Reports a kernel's access to memory that is not device memory. Returns false if the access is allowed.
bool report_non_device(const Access& access, const Regions& regions);
void report_constant_write(const Access& access);
void report_uninitialised(const Access& access, const Found& found, const Regions& regions);
/// Reports an access outside of an array on the thread's own stack (Space::local) or of a constant table.
void report_outside_object(const Access& access, Space space);
/// Reports an index outside of an array's type.
void report_outside_type(const std::string& index, const std::string& type, const void* place);
/// Reports host code that accesses device memory.
void report_host_touch(const Access& access, const Regions& regions);

/// Returns the side of a finding for the running thread.
Side this_side(const Access& access);
Target of_allocation(const Allocation& allocation, const void* address);
/// Returns the memory of an access, with the array and the element.
Target target_of(const Access& access, Space space, const Regions& regions);

}  // namespace rafter::simt
