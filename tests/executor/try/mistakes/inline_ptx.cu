__global__ void zero(float* dest) {
  unsigned lane;
  asm("mov.u32 %0, %envreg1;" : "=r"(lane));
  dest[threadIdx.x] = lane * 0;
}
