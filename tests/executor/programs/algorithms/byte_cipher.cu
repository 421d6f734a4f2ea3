// Adjacent threads write adjacent bytes and shorts of one word; strings in shared memory; a word count.
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

__global__ void caesar(char* text, int n, int key) {
  __shared__ char s[100];
  int i = blockIdx.x * 100 + threadIdx.x;
  if (i < n) s[threadIdx.x] = text[i];
  __syncthreads();
  if (i >= n) return;
  char c = s[threadIdx.x];
  if (c >= 'a' && c <= 'z') c = char('a' + (c - 'a' + key) % 26);
  text[i] = c;
}

__global__ void count_words(const char* text, int n, int* words, uint16_t* starts_per_block) {
  __shared__ bool starts[96];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool start = i < n && text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  starts[threadIdx.x] = start;
  int total = __syncthreads_count(start);
  if (threadIdx.x == 0) {
    int again = 0;
    for (int k = 0; k < blockDim.x; ++k) again += starts[k];
    starts_per_block[blockIdx.x] = uint16_t(again);
    atomicAdd(words, total);
  }
}

struct Rgb {
  uint8_t r, g, b;
};

__global__ void grey(const Rgb* in, uint8_t* out, Rgb* inverted, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Rgb p = in[i];
  out[i] = uint8_t((p.r * 77 + p.g * 150 + p.b * 29) >> 8);
  inverted[i] = Rgb{uint8_t(255 - p.r), uint8_t(255 - p.g), uint8_t(255 - p.b)};
}

int main() {
  std::string text;
  for (int i = 0; i < 120; ++i) text += std::string("the quick brown fox jumps over the lazy dog").substr(i % 30, 3 + i % 7) + " ";
  const int n = int(text.size());
  char* d;
  int* words;
  uint16_t* per_block;
  const int blocks = (n + 95) / 96;
  cudaMalloc(&d, n);
  cudaMalloc(&words, sizeof(int));
  cudaMalloc(&per_block, blocks * sizeof(uint16_t));
  cudaMemset(words, 0, sizeof(int));
  cudaMemcpy(d, text.data(), n, cudaMemcpyHostToDevice);
  caesar<<<(n + 99) / 100, 100>>>(d, n, 3);
  count_words<<<blocks, 96>>>(d, n, words, per_block);
  std::string got(n, '?');
  int count = 0, sum = 0, want = 0, bad = 0;
  std::vector<uint16_t> parts(blocks);
  cudaMemcpy(&got[0], d, n, cudaMemcpyDeviceToHost);
  cudaMemcpy(&count, words, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(parts.data(), per_block, blocks * sizeof(uint16_t), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    char c = text[i];
    if (c >= 'a' && c <= 'z') c = char('a' + (c - 'a' + 3) % 26);
    bad += got[i] != c;
    want += c != ' ' && (i == 0 || text[i - 1] == ' ');
  }
  for (auto p : parts) sum += p;
  bad += count != want || sum != want;

  const int pixels = 501;
  std::vector<Rgb> in(pixels), inv(pixels);
  std::vector<uint8_t> g(pixels);
  for (int i = 0; i < pixels; ++i) in[i] = Rgb{uint8_t(i), uint8_t(i * 3), uint8_t(i * 7)};
  Rgb *d_in, *d_inv;
  uint8_t* d_g;
  cudaMalloc(&d_in, pixels * sizeof(Rgb));
  cudaMalloc(&d_inv, pixels * sizeof(Rgb));
  cudaMalloc(&d_g, pixels);
  cudaMemcpy(d_in, in.data(), pixels * sizeof(Rgb), cudaMemcpyHostToDevice);
  grey<<<(pixels + 127) / 128, 128>>>(d_in, d_g, d_inv, pixels);
  cudaMemcpy(g.data(), d_g, pixels, cudaMemcpyDeviceToHost);
  cudaMemcpy(inv.data(), d_inv, pixels * sizeof(Rgb), cudaMemcpyDeviceToHost);
  for (int i = 0; i < pixels; ++i)
    bad += g[i] != ((in[i].r * 77 + in[i].g * 150 + in[i].b * 29) >> 8) || inv[i].b != 255 - in[i].b;
  for (void* p : {(void*)d, (void*)words, (void*)per_block, (void*)d_in, (void*)d_inv, (void*)d_g}) cudaFree(p);
  std::printf("byte_cipher: %d words, %d bad\n", count, bad);
  return bad != 0;
}
