void sum_atomic(const float* inp, float* dest, long long size) {
  for (long long i = 0; i < size; ++i) *dest += inp[i];
}
