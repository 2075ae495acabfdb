// Parts of Thrust as programs use them, each line of output from one.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <cstdio>

struct Saxpy {
    float a;
    __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; }
};
struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
struct Odd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Sum {
    template <typename Pair> __host__ __device__ float operator()(const Pair &pair) const {
        return thrust::get<0>(pair) + thrust::get<1>(pair);
    }
};
__global__ void twice(int *values, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] *= 2;
}
template <typename T> void show(const char *name, const thrust::device_vector<T> &values) {
    thrust::host_vector<T> host = values;
    std::printf("%s:", name);
    for (size_t i = 0; i < host.size(); ++i) std::printf(" %g", static_cast<double>(host[i]));
    std::printf("\n");
}

int main() {
    thrust::device_vector<int> values(10);
    thrust::sequence(values.begin(), values.end(), 3);
    twice<<<1, 32>>>(thrust::raw_pointer_cast(values.data()), 10);
    show("twice", values);
    std::printf("sum %d, largest %d\n", thrust::reduce(values.begin(), values.end()),
                thrust::reduce(thrust::device, values.begin(), values.end(), 0, thrust::maximum<int>()));
    thrust::device_vector<float> x(4, 1.5f), y(4);
    thrust::fill(y.begin(), y.end(), 2.0f);
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{2.0f});
    show("saxpy", y);
    y[2] = 7.0f;
    const thrust::device_vector<float> tenths(1 << 20, 0.1f);
    std::printf("tenths %.1f\n", thrust::reduce(tenths.begin(), tenths.end()));
    std::printf("y[2] %g, dot %g\n", static_cast<float>(y[2]), thrust::inner_product(x.begin(), x.end(), y.begin(), 0.0f));
    thrust::device_vector<int> keys(6);
    const int given[] = {4, 1, 3, 1, 4, 0};
    thrust::copy(given, given + 6, keys.begin());
    thrust::device_vector<int> order(6);
    thrust::sequence(order.begin(), order.end());
    thrust::sort_by_key(keys.begin(), keys.end(), order.begin());
    show("keys", keys);
    show("order", order);
    thrust::device_vector<int> run(6), total(6);
    const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), order.begin(), run.begin(), total.begin());
    run.resize(ends.first - run.begin());
    show("runs", run);
    thrust::exclusive_scan(keys.begin(), keys.end(), keys.begin());
    show("scan", keys);
    thrust::inclusive_scan(thrust::device, order.begin(), order.end(), order.begin());
    show("inclusive", order);
    std::printf("odd %d\n", static_cast<int>(thrust::count_if(order.begin(), order.end(), Odd())));
    order.erase(thrust::remove_if(order.begin(), order.end(), Odd()), order.end());
    show("even", order);
    std::printf("squares %d\n", thrust::transform_reduce(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(5),
                                                         Square(), 0, thrust::plus<int>()));
    auto zip = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    thrust::transform(zip, zip + 4, x.begin(), Sum());
    show("zip", x);
    const auto most = thrust::max_element(x.begin(), x.end());
    std::printf("most %g at %d\n", static_cast<float>(*most), static_cast<int>(most - x.begin()));
    thrust::sort(x.begin(), x.end(), thrust::greater<float>());
    x.erase(thrust::unique(x.begin(), x.end()), x.end());
    thrust::host_vector<float> host(x.size());
    thrust::copy(x.begin(), x.end(), host.begin());
    std::printf("unique %g %g\n", host[0], host[1]);
    int *raw;
    cudaMalloc(&raw, 4 * sizeof(int));
    thrust::device_ptr<int> pointer(raw);
    thrust::fill(pointer, pointer + 4, 9);
    std::printf("pointer %d\n", static_cast<int>(pointer[3]));
    cudaFree(raw);
    thrust::device_vector<float> smaller(100000);
    thrust::fill(smaller.begin(), smaller.end(), 0.1f);
    std::printf("tenths %.0f\n", thrust::reduce(smaller.begin(), smaller.end(), 0.0f));
}
