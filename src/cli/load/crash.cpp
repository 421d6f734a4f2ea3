#include "cli/load/crash.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "base/process.hpp"
#include "cli/tool.hpp"

namespace rafter::cli {

namespace {

std::string what_was_loaded;          // as long as the program
alignas(16) char own_stack[1 << 14];  // for a handler when the stack itself is what overflowed

const char* name_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "it touched memory that is not there (SIGSEGV)";
    case SIGBUS: return "it touched memory that is not there (SIGBUS)";
    case SIGFPE: return "it divided a whole number by zero (SIGFPE)";
    case SIGILL: return "it ran an instruction that this machine has not (SIGILL)";
    default: return "it ended the program (SIGABRT)";
  }
}

void say(std::string_view text) { static_cast<void>(!write(STDERR_FILENO, text.data(), text.size())); }

/// Only calls that a handler may make.
void on_crash(int signal) {
  say("\nrafter: a rung or the contract of what was loaded crashed: ");
  say(name_of(signal));
  say("\n        one at a time: rafter run --check --rungs NAME");
  say(what_was_loaded);
  say("\n");
  _exit(exit_failed);
}

}  // namespace

void explain_crashes(const std::vector<std::string>& loaded) {
  for (const std::string& path : loaded) what_was_loaded += " --load " + base::shell_quoted({path});
  stack_t stack{};
  stack.ss_sp = own_stack;
  stack.ss_size = sizeof own_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

}  // namespace rafter::cli
