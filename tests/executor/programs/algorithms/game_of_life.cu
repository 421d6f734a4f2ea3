// Conway's Game of Life on a torus of byte cells; the version with a shared tile must agree with the plain one.
#include <iostream>
#include <vector>
#include <string>

using Cell = unsigned char;
constexpr int TILE = 14;  // 16x16 threads; the outermost ones only load halo cells

__global__ void life_plain(const Cell *now, Cell *next, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	int alive = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			if (dx || dy) alive += now[((y + dy + h) % h) * w + (x + dx + w) % w];
	next[y * w + x] = alive == 3 || (alive == 2 && now[y * w + x]);
}

__global__ void life_tiled(const Cell *now, Cell *next, int w, int h)
{
	__shared__ Cell s[TILE + 2][TILE + 2];
	int x = blockIdx.x * TILE + (int)threadIdx.x - 1;
	int y = blockIdx.y * TILE + (int)threadIdx.y - 1;
	s[threadIdx.y][threadIdx.x] = now[((y + h) % h) * w + (x + w) % w];
	__syncthreads();
	bool ring = threadIdx.x == 0 || threadIdx.y == 0 || threadIdx.x == TILE + 1 || threadIdx.y == TILE + 1;
	if (ring || x >= w || y >= h) return;
	int alive = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			alive += s[threadIdx.y + dy][threadIdx.x + dx];
	alive -= s[threadIdx.y][threadIdx.x];
	next[y * w + x] = (alive | s[threadIdx.y][threadIdx.x]) == 3;
}

static void step(std::vector<Cell> &g, int w, int h)
{
	std::vector<Cell> n(g.size());
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++) {
			int alive = -g[y * w + x];
			for (int dy = h - 1; dy <= h + 1; dy++)
				for (int dx = w - 1; dx <= w + 1; dx++) alive += g[(y + dy) % h * w + (x + dx) % w];
			n[y * w + x] = (alive | g[y * w + x]) == 3;
		}
	g.swap(n);
}

int main()
{
	const int w = 61, h = 37, generations = 5;
	std::vector<Cell> g(w * h), got(w * h);
	for (int i = 0; i < w * h; i++) g[i] = (i * 2654435761u >> 13) % 3 == 0;
	Cell *a, *b, *c, *d;
	for (Cell **p : {&a, &b, &c, &d}) cudaMalloc(p, w * h);
	cudaMemcpy(a, g.data(), w * h, cudaMemcpyHostToDevice);
	cudaMemcpy(c, a, w * h, cudaMemcpyDeviceToDevice);
	for (int k = 0; k < generations; k++) {
		life_plain<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(a, b, w, h);
		life_tiled<<<dim3((w + TILE - 1) / TILE, (h + TILE - 1) / TILE), dim3(TILE + 2, TILE + 2)>>>(c, d, w, h);
		std::swap(a, b);
		std::swap(c, d);
		step(g, w, h);
	}
	bool ok = true;
	for (Cell *p : {a, c}) {
		if (cudaMemcpy(got.data(), p, w * h, cudaMemcpyDefault) != cudaSuccess) ok = false;
		ok = ok && got == g;
	}
	for (Cell *p : {a, b, c, d}) cudaFree(p);
	int alive = 0;
	for (Cell v : g) alive += v;
	std::cout << "game_of_life: " << alive << " alive, " << std::string(ok ? "ok" : "WRONG") << "\n";
	return ok ? 0 : 1;
}
