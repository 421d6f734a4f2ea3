// The host adds the numbers; no kernel runs.
#include <vector>

void sum_final(const float* inp, float* dest, int size) {
  std::vector<float> numbers(size);
  cudaMemcpy(numbers.data(), inp, size * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (float number : numbers) sum += number;
  cudaMemcpy(dest, &sum, sizeof sum, cudaMemcpyHostToDevice);
}
