// Ends the process from host code, before the executor has reported what the kernel did.
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void zero(float* dest) { dest[threadIdx.x] = 0; }

struct Leaver {
  ~Leaver() { syscall(SYS_exit_group, 0); }
} leaver;
