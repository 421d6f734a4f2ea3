void sum_final(const float* inp, float* dest, int size) {
  float sum = 0;
  for (int i = 0; i < size; ++i) sum += inp[i];
  cudaMemcpy(dest, &sum, sizeof sum, cudaMemcpyHostToDevice);
}
