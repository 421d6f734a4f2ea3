#include <stdexcept>

struct Table {
  Table() { throw std::runtime_error("no table"); }
};
static Table table;

__global__ void zero(float* dest) { dest[threadIdx.x] = 0; }
