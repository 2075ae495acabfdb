// Textures by reference and by object, surfaces, and parts of BLAS.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

texture<float, 2, cudaReadModeElementType> rows;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> shares;

__global__ void sample(cudaTextureObject_t object, float *out) {
    const int i = threadIdx.x;
    out[i] = tex2D<float>(object, (i + 0.5f) / 8, 0.5f) + 100 * tex2D(rows, i + 0.5f, 1.5f) + tex1Dfetch(shares, i);
}
__global__ void paint(cudaSurfaceObject_t surface) {
    const int i = threadIdx.x;
    const float value = surf2Dread<float>(surface, i * sizeof(float), 0);
    surf2Dwrite(2 * value, surface, i * sizeof(float), 1);
}

int main() {
    float host[16], *out;
    for (int i = 0; i < 16; ++i) host[i] = i * i;
    const unsigned char parts[8] = {255, 0, 51, 102, 153, 204, 1, 2};
    unsigned char *bytes;
    cudaMalloc(&bytes, sizeof(parts));
    cudaMemcpy(bytes, parts, sizeof(parts), cudaMemcpyHostToDevice);
    cudaMalloc(&out, sizeof(host));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, 8, 2, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 2, cudaMemcpyHostToDevice);
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof(how));
    how.normalizedCoords = 1;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t object = 0;
    cudaCreateTextureObject(&object, &resource, &how, NULL);
    cudaBindTextureToArray(rows, array, format);
    cudaBindTexture(NULL, shares, bytes, sizeof(parts));
    sample<<<1, 8>>>(object, out);
    cudaMemcpy(host, out, 8 * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i) std::printf("%g ", host[i]);
    cudaSurfaceObject_t surface = 0;
    cudaCreateSurfaceObject(&surface, &resource);
    paint<<<1, 8>>>(surface);
    cudaMemcpy2DFromArray(host, 32, array, 0, 0, 32, 2, cudaMemcpyDeviceToHost);
    std::printf("\n%g %g\n", host[9], host[15]);

    cublasHandle_t blas;
    cublasCreate(&blas);
    const float one = 1, none = 0, matrix[4] = {1, 2, 3, 4};
    float *device, dot, product[4];
    cudaMalloc(&device, 8 * sizeof(float));
    cublasSetMatrix(2, 2, sizeof(float), matrix, 2, device, 2);
    cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, device, 2, device, 2, &none, device + 4, 2);
    cublasGetMatrix(2, 2, sizeof(float), device + 4, 2, product, 2);
    cublasSdot(blas, 4, device, 1, device, 1, &dot);
    cublasDestroy(blas);
    std::printf("%g %g %g %g, %g\n", product[0], product[1], product[2], product[3], dot);
}
