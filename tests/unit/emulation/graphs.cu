// Work that is kept in graphs: captured from streams that wait for each other, and added node by node.
#include <cuda_runtime.h>

#include <cstdio>
#include <ctime>
#include <vector>

__global__ void add(int *to, const int *from, int value) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    to[at] += from[at] + value;
}
static void noted(void *count) { ++*static_cast<int *>(count); }

int main() {
    const int size = 128;
    int host[size], *a, *b, notes = 0;
    dim3 gridDim(2), blockDim(size / 2);
    cudaMalloc(&a, sizeof(host));
    cudaMalloc(&b, sizeof(host));
    cudaMemset(a, 0, sizeof(host));
    for (int i = 0; i < size; ++i) host[i] = i;

    // captured: nothing is done before the graph is launched, and then three times
    cudaStream_t one, two;
    cudaEvent_t forked, joined;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaEventCreate(&forked);
    cudaEventCreate(&joined);
    cudaGraph_t graph;
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(b, host, sizeof(host), cudaMemcpyHostToDevice, one);
    for (int step = 1; step < 3; ++step) add<<<gridDim, blockDim, 0, one>>>(a, b, step);
    cudaEventRecord(forked, one);
    cudaStreamWaitEvent(two, forked, 0);
    add<<<gridDim, blockDim, 0, two>>>(a, b, 10);
    cudaEventRecord(joined, two);
    cudaStreamWaitEvent(one, joined, 0);
    cudaLaunchHostFunc(one, noted, &notes);
    cudaStreamEndCapture(one, &graph);
    std::printf("captured, done %d\n", notes);
    cudaGraphExec_t runs;
    cudaGraphInstantiate(&runs, graph, NULL, NULL, 0);
    size_t nodes = 0;
    cudaGraphGetNodes(graph, NULL, &nodes);
    for (int time = 0; time < 3; ++time) cudaGraphLaunch(runs, one);
    cudaStreamSynchronize(one);
    cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%d nodes, done %d: %d %d\n", (int)nodes, notes, host[0], host[size - 1]);
    cudaGraphExecDestroy(runs);
    cudaGraphDestroy(graph);

    // the clocks begin alike in each run, and go on whenever they are asked
    const clock_t begun = clock();
    const long now = time(NULL), passed = clock() - begun;
    std::printf("time %ld, passed %ld\n", now, passed);

    // node by node, the last added first
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t kernel, clear, call;
    int value = 7;
    void *given[] = {&a, &b, &value};
    cudaKernelNodeParams params = {0};
    params.func = (void *)add;
    params.gridDim = gridDim;
    params.blockDim = blockDim;
    params.kernelParams = given;
    cudaGraphAddKernelNode(&kernel, graph, NULL, 0, &params);
    value = 1000;  // the node has its own
    cudaMemsetParams zeros = {0};
    zeros.dst = a;
    zeros.elementSize = 4;
    zeros.width = size;
    zeros.height = 1;
    cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &zeros);
    cudaGraphAddDependencies(graph, &clear, &kernel, 1);
    cudaHostNodeParams host_call = {0};
    host_call.fn = noted;
    host_call.userData = &notes;
    std::vector<cudaGraphNode_t> before = {kernel};
    cudaGraphAddHostNode(&call, graph, before.data(), before.size(), &host_call);
    cudaGraphInstantiate(&runs, graph, NULL, NULL, 0);
    cudaGraphLaunch(runs, one);
    cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("by nodes: %d %d, done %d\n", host[0], host[size - 1], notes);
}
