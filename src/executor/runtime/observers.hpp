// Who observes this process, by its mode.
#pragma once

#include "executor/count/count_observer.hpp"

namespace rafter::simt {

/// Makes the observer that the options ask for the current one.
void choose_observer();
/// The one that counts; nullptr in other modes.
CountObserver* counting();

}  // namespace rafter::simt
