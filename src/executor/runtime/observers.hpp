// The observer of this process, chosen by its mode.
#pragma once

#include "executor/count/count_observer.hpp"

namespace rafter::simt {

/// Installs the observer of the mode in the options.
void choose_observer();
/// Returns the counting observer, or null in other modes.
CountObserver* counting();

}  // namespace rafter::simt
