// Memory: what lies outside of every allocation, was freed, is misaligned, or is the other side's.
#pragma once

#include "executor/check/regions.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

/// Reports an access to bytes that do not exist.
void report_outside(const Access& access, const Found& found, const Regions& regions);
void report_misaligned(const Access& access, const Found& found, const Regions& regions);
/// Reports an access by a kernel to memory that is not the device's; false when it is harmless after all.
bool report_non_device(const Access& access, const Regions& regions);
void report_constant_write(const Access& access);
void report_uninitialised(const Access& access, const Found& found, const Regions& regions);
/// An access outside of an array on the thread's own stack (Space::local), or of a table of constants.
void report_outside_object(const Access& access, Space space);
/// Host code that accesses device memory.
void report_host_touch(const Access& access, const Regions& regions);

/// The finding's side for the thread that runs now.
Side this_side(const Access& access);
Target describe(const Access& access, const Found& found, const Regions& regions);
Target of_allocation(const Allocation& allocation, const void* address);

}  // namespace rafter::simt
