// A process that ends without its destructors (by a signal, by _exit) still leaves what it found: the watchdog's thread
// does that, because the one that was hit may be anywhere, with any lock in its hands.
#pragma once

namespace rafter::simt {

/// What is to be done first; nothing in a process that is not asked for a report.
void set_exit_action(void (*act)());

/// The process is about to end. Waits until that was done, but not for ever; from signal handlers, too.
void handle_abnormal_exit();

/// The calling thread does it from now on, when it is asked, and no signal that ends the process interrupts it.
void serve_abnormal_exits();
/// Whether somebody waits.
bool is_exit_pending();
/// Does it. `is_still`: no launch is changing what is to be written; otherwise it is left as it was.
void run_exit_action(bool is_still);

/// The calling thread leaves the signals that end the process to others.
void block_exit_signals();

}  // namespace rafter::simt
