__global__ void exclusive_scan(const float* inp, float* dest, long size) {
  float sum = 0;
  for (long i = 0; threadIdx.x == 0 && i < size; ++i) dest[i] = sum += inp[i];
}
