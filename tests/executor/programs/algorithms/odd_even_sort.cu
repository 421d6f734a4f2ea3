// Odd-even transposition sort: one launch per phase; a device flag records whether an element moved.
#include<stdio.h>
#include<stdlib.h>

__device__ int changed;

__global__ void phase(float* a,int n,int odd){
  int i=2*(blockIdx.x*blockDim.x+threadIdx.x)+odd;
  if(i+1<n){
    float x=a[i],y=a[i+1];
    if(x>y){
      a[i]=y; a[i+1]=x;
      atomicExch(&changed,1);
    }
  }
}

__global__ void sort_block(float* a,int n){
  extern __shared__ float s[];
  int t=threadIdx.x;
  for(int i=t;i<n;i+=blockDim.x) s[i]=a[i];
  __syncthreads();
  for(int p=0;p<n;p++){
    int i=2*t+(p&1);
    if(i+1<n && s[i]>s[i+1]){ float x=s[i]; s[i]=s[i+1]; s[i+1]=x; }
    __syncthreads();
  }
  for(int i=t;i<n;i+=blockDim.x) a[i]=s[i];
}

int cmp(const void* a,const void* b){ float x=*(const float*)a,y=*(const float*)b; return (x>y)-(x<y); }

int run(int n,int in_shared){
  float *h=(float*)malloc(n*sizeof(float)),*ref=(float*)malloc(n*sizeof(float)),*d;
  srand(n);
  for(int i=0;i<n;i++) ref[i]=h[i]=(float)(rand()%1000)/7;
  cudaMalloc((void**)&d,n*sizeof(float));
  cudaMemcpy(d,h,n*sizeof(float),cudaMemcpyHostToDevice);
  int phases=0;
  if(in_shared){
    sort_block<<<1,(n+1)/2,n*sizeof(float)>>>(d,n);
  }else{
    int flag=1,zero=0,pairs=n/2;
    while(flag){
      cudaMemcpyToSymbol(changed,&zero,sizeof(int));
      phase<<<(pairs+31)/32,32>>>(d,n,0);
      phase<<<(pairs+31)/32,32>>>(d,n,1);
      cudaMemcpyFromSymbol(&flag,changed,sizeof(int));
      phases+=2;
    }
  }
  cudaMemcpy(h,d,n*sizeof(float),cudaMemcpyDeviceToHost);
  cudaFree(d);
  qsort(ref,n,sizeof(float),cmp);
  int bad=0;
  for(int i=0;i<n;i++) bad+=(h[i]!=ref[i]);
  printf("n=%d shared=%d phases=%d bad=%d\n",n,in_shared,phases,bad);
  free(h); free(ref);
  return bad;
}

int main(){
  int bad=run(133,0);
  bad+=run(2,0);
  bad+=run(101,1);
  bad+=run(64,1);
  if(cudaGetLastError()!=cudaSuccess) bad=1;
  puts(bad?"FAILED":"PASSED");
  return bad!=0;
}
