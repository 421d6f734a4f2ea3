#include "cli/load.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "base/process.hpp"
#include "base/terminal.hpp"
#include "cli/tool.hpp"

namespace rafter::cli {

namespace {

std::string load_options;             // for the message
alignas(16) char own_stack[1 << 14];  // of the handler, since the stack may have overflowed

const char* name_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "invalid memory access (SIGSEGV)";
    case SIGBUS: return "invalid memory access (SIGBUS)";
    case SIGFPE: return "integer division by zero (SIGFPE)";
    case SIGILL: return "illegal instruction (SIGILL)";
    default: return "abort (SIGABRT)";
  }
}

void write_text(std::string_view text) { static_cast<void>(!write(STDERR_FILENO, text.data(), text.size())); }

/// Calls only async-signal-safe functions.
void on_crash(int signal) {
  write_text("\nrafter: a rung or the contract of a loaded workload crashed: ");
  write_text(name_of(signal));
  write_text("\n        to test one rung at a time: rafter run --check --rungs NAME");
  write_text(load_options);
  write_text("\n");
  _exit(exit_failed);
}

/// Installs handlers: a crash ends this program with exit_failed and a message that names the loaded folders. The
/// results of finished cases are already in their file.
void explain_crashes(const std::vector<std::string>& loaded) {
  for (const std::string& path : loaded) load_options += " --load " + base::shell_quoted({path});
  stack_t stack{};
  stack.ss_sp = own_stack;
  stack.ss_size = sizeof own_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

}  // namespace

family::Loaded load(const std::vector<std::string>& folders, family::Flavour flavour) {
  base::ProgressLine progress;
  if (flavour == family::Flavour::machine) explain_crashes(folders);  // the executor has its own handlers
  return family::load(folders, flavour, [&](const std::string& what) { progress.show(what, std::nullopt); });
}

Catalogue load(const RunOptions& options) {
  const bool on_executor = options.request.device == "simt";
  family::Loaded all = load(options.load, on_executor ? family::Flavour::executor : family::Flavour::machine);
  return {all.workloads, all.sources};
}

}  // namespace rafter::cli
