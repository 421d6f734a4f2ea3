// Abnormal exits: a process that ends without running its destructors (by a signal or _exit) still writes its report.
// The watchdog's thread writes it, because the interrupted thread may hold any lock.
#pragma once

namespace rafter::simt {

/// Sets the action to run before an abnormal exit. Does nothing unless the process writes a report.
void set_exit_action(void (*act)());

/// Called when the process is about to end. Waits, for a limited time, until the action has run. Async-signal-safe.
void handle_abnormal_exit();

/// Makes the calling thread the one that runs the action, and blocks the signals that end the process in it.
void serve_abnormal_exits();
/// Whether a thread waits for the action.
bool is_exit_pending();
/// Runs the action if `is_still`, that is, if no launch is changing the data that the report is written from. Wakes the
/// waiting thread in either case.
void run_exit_action(bool is_still);

/// Blocks the signals that end the process in the calling thread, so that another thread handles them.
void block_exit_signals();

}  // namespace rafter::simt
