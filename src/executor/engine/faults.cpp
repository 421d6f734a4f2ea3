#include "executor/engine/faults.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <mutex>
#include <string>

#include "executor/engine/current_thread.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/abnormal_exit.hpp"
#include "executor/process/findings.hpp"

namespace rafter::simt {
namespace {

struct Place {
  const void* address;  // like a return address: one past the instruction
  bool is_call;         // a call of an address that is not code
};

Place place_of(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__aarch64__)
  const auto at = static_cast<std::uintptr_t>(machine.pc);
  const auto back = static_cast<std::uintptr_t>(machine.regs[30]);
#else
  const auto at = static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
  const auto* stack = reinterpret_cast<const std::uintptr_t*>(machine.gregs[REG_RSP]);
#endif
  Dl_info module;
  if (dladdr(reinterpret_cast<const void*>(at), &module)) return {reinterpret_cast<const void*>(at + 1), false};
#if !defined(__aarch64__)
  const std::uintptr_t back = *stack;
#endif
  return {reinterpret_cast<const void*>(back), true};
}

std::string detail_of(const siginfo_t& info, bool is_stack, bool is_call) {
  if (is_stack) return "the thread's local memory overflowed (the executor gives each thread 192 KiB)";
  // The CPU does not report a non-canonical address.
  const bool is_null = reinterpret_cast<std::uintptr_t>(info.si_addr) < 65536 && info.si_code != SI_KERNEL;
  if (is_call) return is_null ? "a null function pointer" : "a function pointer that does not point to code";
  return is_null ? "a null pointer" : "an address that is not mapped";
}

void on_fault(int signal, siginfo_t* info, void* context) {
  Worker* worker = this_worker();
  if (!worker || !rafter_simt_now.inside) {
    handle_abnormal_exit();
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;
    sigaction(signal, &usual, nullptr);  // a fault in host code: it repeats and ends the process
    return;
  }
  const bool is_stack = worker->fibers().holds(info->si_addr);
  const auto [place, is_call] = place_of(context);
  const bool is_misaligned = signal == SIGBUS && info->si_code == BUS_ADRALN;
  findings().add({is_misaligned ? Kind::misaligned : Kind::out_of_bounds,
                  is_stack ? Space::local : Space::global,
                  current_kernel(),
                  {current_side(is_call ? "calls" : "accesses", place)},
                  std::nullopt,
                  detail_of(*info, is_stack, is_call)});
  worker->abandon(signal == SIGFPE ? launch_failure : illegal_address);
}

}  // namespace

FaultStack::FaultStack() : memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
  if (memory_ == MAP_FAILED) return;
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = bytes;
  sigaltstack(&stack, nullptr);
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE}) sigaction(signal, &action, nullptr);
  });
}

FaultStack::~FaultStack() {
  if (memory_ == MAP_FAILED) return;
  stack_t now{};
  sigaltstack(nullptr, &now);
  if (now.ss_sp == memory_) {
    now.ss_flags = SS_DISABLE;
    sigaltstack(&now, nullptr);
  }
  munmap(memory_, bytes);
}

}  // namespace rafter::simt
