#include "simt/engine/faults.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <mutex>

#include "simt/engine/failure.hpp"
#include "simt/engine/worker.hpp"
#include "simt/process/findings.hpp"

namespace rafter::simt {
namespace {

constexpr std::size_t handler_stack_bytes = 256 << 10;

const void* place_of(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__aarch64__)
  return reinterpret_cast<const void*>(machine.pc + 1);  // places are return addresses: one past the instruction
#else
  return reinterpret_cast<const void*>(machine.gregs[REG_RIP] + 1);
#endif
}

void on_fault(int signal, siginfo_t* info, void* context) {
  Worker* worker = this_worker();
  if (!worker || !rafter_simt_now.inside) {
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;
    sigaction(signal, &usual, nullptr);  // host code's own fault: happens again, and is fatal
    return;
  }
  const Block& block = worker->block();
  const bool is_stack = worker->fibers().holds(info->si_addr);
  const bool is_null = reinterpret_cast<std::uintptr_t>(info->si_addr) < 65536;
  Side side{"touches", place_of(context), 0, block.index, block.thread_index(rafter_simt_now.linear)};
  findings().add({signal == SIGBUS ? Kind::misaligned : Kind::out_of_bounds,
                  is_stack ? Space::local : Space::global,
                  worker->grid().launch().kernel,
                  {std::move(side)},
                  std::nullopt,
                  is_stack  ? "the thread's local memory is used up (the executor gives each thread 192 KiB)"
                  : is_null ? "a null pointer"
                            : "an address that nobody owns"});
  worker->abandon(signal == SIGFPE ? launch_failure : illegal_address);
}

}  // namespace

void catch_faults_on_this_thread() {
  void* memory = mmap(nullptr, handler_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = handler_stack_bytes;
  sigaltstack(&stack, nullptr);
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE}) sigaction(signal, &action, nullptr);
  });
}

}  // namespace rafter::simt
