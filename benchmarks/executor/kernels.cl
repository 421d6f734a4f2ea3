// The three kernels in OpenCL; three_kernels.cu has them in CUDA C++. No work-item guards: sizes are multiples.

// One sum per group of 256. partial[group]
__kernel void block_reduction(__global const float* in, __global float* partial) {
  __local float tile[256];
  const int t = get_local_id(0);
  tile[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);  // all values are written
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    barrier(CLK_LOCAL_MEM_FENCE);  // this level is complete before the next reads it
  }
  if (t == 0) partial[get_group_id(0)] = tile[0];
}

// out[x][y] = in[y][x], both [n, n]; groups of (32, 8) move tiles of 32 x 32.
__kernel void tiled_transpose(__global const float* in, __global float* out, int n) {
  __local float tile[32][33];
  const int x = get_local_id(0), column = get_group_id(0) * 32, row = get_group_id(1) * 32;
  for (int y = get_local_id(1); y < 32; y += 8) tile[y][x] = in[(row + y) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete before it is read the other way
  for (int y = get_local_id(1); y < 32; y += 8) out[(column + y) * n + row + x] = tile[x][y];
}

// out = in + (sum of the four neighbours - 4 in) / 4 inside, out = in on the edge; both [n, n].
__kernel void five_point_stencil(__global const float* in, __global float* out, int n) {
  const int x = get_global_id(0), y = get_global_id(1), i = y * n + x;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
    out[i] = in[i];
  } else {
    out[i] = in[i] + 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] - 4.0f * in[i]);
  }
}
