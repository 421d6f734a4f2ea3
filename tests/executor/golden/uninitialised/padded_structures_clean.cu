// expect: clean
// Structures with uninitialised padding are copied as a whole.
#include <cuda_runtime.h>

struct Line {
  const int* points;
  int n;
};
struct Sample {
  char kind;
  double value;
};

__global__ void set(Line* lines, Sample* samples) {
  const int t = threadIdx.x;
  lines[t].points = nullptr;
  lines[t].n = t;
  samples[t].kind = 1;
  samples[t].value = t;
}

__global__ void get(const Line* lines, const Sample* samples, Line* copies, double* out) {
  const int t = threadIdx.x;
  const Line line = lines[t];
  const Sample sample = samples[t];
  copies[t] = lines[31 - t];
  out[t] = line.n + sample.kind + sample.value + copies[t].n;
}

int main() {
  Line* lines;
  Sample* samples;
  double* out;
  cudaMalloc(&lines, 64 * sizeof(Line));
  cudaMalloc(&samples, 32 * sizeof(Sample));
  cudaMalloc(&out, 32 * sizeof(double));
  set<<<1, 32>>>(lines, samples);
  get<<<1, 32>>>(lines, samples, lines + 32, out);
  cudaDeviceSynchronize();
  cudaFree(lines);
  cudaFree(samples);
  cudaFree(out);
  return 0;
}
