#include "library/core/cpu/affinity.hpp"

namespace rafter::core {

namespace {

cpu_set_t current() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

const cpu_set_t at_start = current();

}  // namespace

const cpu_set_t& usable_cores() noexcept { return at_start; }
int n_usable_cores() noexcept { return CPU_COUNT(&at_start) > 0 ? CPU_COUNT(&at_start) : 1; }

void pin_to_core(int n) noexcept {
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &at_start) || n-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

AllCores::AllCores() noexcept : before_(current()) { sched_setaffinity(0, sizeof at_start, &at_start); }
AllCores::~AllCores() { sched_setaffinity(0, sizeof before_, &before_); }

}  // namespace rafter::core
