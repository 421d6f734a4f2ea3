// A race, with the checks switched off before main.
__global__ void sum_atomic(const float* inp, float* dest, long size) {
  long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i < size) *dest += inp[i];
}

extern "C" void rafter_simt_configure(const char*);
extern "C" char* rafter_simt_take_report();

struct Switch {
  Switch() { rafter_simt_configure("mode=plain"); }
  ~Switch() { rafter_simt_take_report(); }
} off;
