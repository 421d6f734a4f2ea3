// expect: same_value_race kernel=one_of_two line=13 other=15 space=global
// expect: race kernel=other_of_two line=24 other=27 space=global
// expect: same_value_race kernel=byte_of_word line=33 other=35 space=global
// expect: race kernel=bytes_of_word line=41 other=43 space=global
// expect: race kernel=volatile_and_plain line=50 other=52 space=global
// Writes of different widths: the checker compares the values of every byte that both wrote.
#include <cuda_runtime.h>

__global__ void one_of_two(int2* pair, const int* values) {
  const int a = values[5], b = values[9];
  int* first = &pair->x;
  if (blockIdx.x == 0) {
    *first = a;
  } else {
    *pair = make_int2(a, b);
  }
}

__global__ void other_of_two(int2* pair, const int* values) {
  const int a = values[5], b = values[9];
  int* first = &pair->x;
  int* second = &pair->y;
  if (blockIdx.x == 0) {
    *second = b;
  } else if (blockIdx.x == 1) {
    *first = a;
    *pair = make_int2(a, a);
  }
}

__global__ void byte_of_word(int* word, const int* values) {
  if (blockIdx.x == 0) {
    *word = values[5];
  } else {
    *reinterpret_cast<signed char*>(word) = static_cast<signed char>(values[5]);
  }
}

__global__ void bytes_of_word(int* word, const int* values) {
  if (blockIdx.x < 2) {
    reinterpret_cast<signed char*>(word)[blockIdx.x] = static_cast<signed char>(values[5 + blockIdx.x]);
  } else {
    *word = values[5];
  }
}

// The race on the second word is reported only with --strict.
__global__ void volatile_and_plain(int* pair, const long long* values) {
  if (blockIdx.x == 0) {
    pair[0] = 1;
  } else {
    *reinterpret_cast<volatile long long*>(pair) = values[1];
  }
  if (blockIdx.x == 0) *reinterpret_cast<volatile int*>(pair + 1) = 3;
}

int main() {
  int host[10];
  for (int i = 0; i < 10; ++i) host[i] = i;
  int *values, *out;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  one_of_two<<<2, 1>>>(reinterpret_cast<int2*>(out), values);
  other_of_two<<<2, 1>>>(reinterpret_cast<int2*>(out), values);
  byte_of_word<<<2, 1>>>(out, values);
  bytes_of_word<<<3, 1>>>(out, values);
  volatile_and_plain<<<2, 1>>>(out, reinterpret_cast<long long*>(values));
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(out);
  return 0;
}
