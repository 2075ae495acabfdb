// The functions of the runtime that both languages have under the same name but for its beginning: a header that
// includes this defines API(name). Streams and events are in order: what is asked for is done when the call returns.
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "language.h"

enum API(Error_t) {
    API(Success) = 0,
    API(ErrorInvalidValue) = 1,
    API(ErrorMemoryAllocation) = 2,
    API(ErrorInvalidConfiguration) = 9,
    API(ErrorInvalidDevicePointer) = 17,
    API(ErrorInvalidSymbol) = 13,
    API(ErrorInsufficientDriver) = 35,
    API(ErrorInvalidDeviceFunction) = 98,
    API(ErrorNoDevice) = 100,
    API(ErrorInvalidDevice) = 101,
    API(ErrorNotReady) = 600,
    API(ErrorLaunchFailure) = 719,
    API(ErrorNotSupported) = 801,
    API(ErrorUnknown) = 999,
};
enum API(MemcpyKind) {
    API(MemcpyHostToHost),
    API(MemcpyHostToDevice),
    API(MemcpyDeviceToHost),
    API(MemcpyDeviceToDevice),
    API(MemcpyDefault),
};
enum API(FuncCache) {
    API(FuncCachePreferNone),
    API(FuncCachePreferShared),
    API(FuncCachePreferL1),
    API(FuncCachePreferEqual),
};
enum API(SharedMemConfig) {
    API(SharedMemBankSizeDefault),
    API(SharedMemBankSizeFourByte),
    API(SharedMemBankSizeEightByte),
};
enum API(FuncAttribute) {
    API(FuncAttributeMaxDynamicSharedMemorySize) = 8,
    API(FuncAttributePreferredSharedMemoryCarveout) = 9,
};

namespace cudamigrate_emulation {
struct GraphNode {
    std::function<void()> work;
    std::vector<GraphNode *> before;
    int type;
};
struct Graph {
    std::vector<std::unique_ptr<GraphNode>> nodes;
    std::map<const GraphNode *, GraphNode *> origin;  // of a copy: its nodes by those of the original
};
// `into` is the graph that is captured from it, null else.
struct Stream {
    Graph *into = nullptr;
};
struct Event {
    Graph *into = nullptr;
};
inline std::vector<Stream *> &streams() {
    static std::vector<Stream *> known;
    return known;
}
inline std::mutex &streams_guard() {
    static std::mutex guard;
    return guard;
}
inline Graph *capturing(const void *stream) {
    const std::lock_guard<std::mutex> lock(streams_guard());
    const auto found = std::find(streams().begin(), streams().end(), stream);
    return found == streams().end() ? nullptr : (*found)->into;
}
// Whether a stream is captured; then the work is kept for later. Each step waits for the one before it, which is more
// than a capture asks for and gives an order that it allows.
inline bool kept(const void *stream, std::function<void()> work) {
    Graph *const graph = stream == nullptr ? nullptr : capturing(stream);
    if (graph == nullptr) return false;
    std::vector<GraphNode *> before;
    if (!graph->nodes.empty()) before.push_back(graph->nodes.back().get());
    graph->nodes.emplace_back(new GraphNode{std::move(work), before, 0});
    return true;
}
// A launch whose values are all its own, so that a captured one can be done later.
template <typename Body, typename... Values>
void launch_by_value(const char *kernel, const Launch &how, Body body, Values... values) {
    const auto work = [=]() mutable {
        body(true, values...);
        launch(kernel, how, [&] { body(false, values...); });
    };
    const std::function<void()> again = work;
    if (!kept(how.stream, again)) again();
}
}  // namespace cudamigrate_emulation
typedef ::cudamigrate_emulation::Stream *API(Stream_t);
typedef ::cudamigrate_emulation::Event *API(Event_t);
typedef void (*API(HostFn_t))(void *);
typedef void (*API(StreamCallback_t))(API(Stream_t), API(Error_t), void *);
typedef int API(MemPool_t);

#define CUDAMIGRATE_EMULATION_ANYTHING(name)      \
    template <typename... Any>                    \
    API(Error_t) API(name)(const Any &...) {      \
        return API(Success);                      \
    }
// Hints, and what is done when it is asked for.
CUDAMIGRATE_EMULATION_ANYTHING(DeviceReset)
CUDAMIGRATE_EMULATION_ANYTHING(SetDeviceFlags)
CUDAMIGRATE_EMULATION_ANYTHING(DeviceSetCacheConfig)
CUDAMIGRATE_EMULATION_ANYTHING(DeviceSetSharedMemConfig)
CUDAMIGRATE_EMULATION_ANYTHING(DeviceSetLimit)
CUDAMIGRATE_EMULATION_ANYTHING(FuncSetCacheConfig)
CUDAMIGRATE_EMULATION_ANYTHING(FuncSetAttribute)
CUDAMIGRATE_EMULATION_ANYTHING(FuncSetSharedMemConfig)
CUDAMIGRATE_EMULATION_ANYTHING(MemPrefetchAsync)
CUDAMIGRATE_EMULATION_ANYTHING(MemAdvise)
CUDAMIGRATE_EMULATION_ANYTHING(HostRegister)
CUDAMIGRATE_EMULATION_ANYTHING(HostUnregister)
CUDAMIGRATE_EMULATION_ANYTHING(DeviceEnablePeerAccess)
CUDAMIGRATE_EMULATION_ANYTHING(DeviceDisablePeerAccess)
CUDAMIGRATE_EMULATION_ANYTHING(StreamQuery)
CUDAMIGRATE_EMULATION_ANYTHING(EventQuery)
CUDAMIGRATE_EMULATION_ANYTHING(StreamAttachMemAsync)
CUDAMIGRATE_EMULATION_ANYTHING(CtxResetPersistingL2Cache)
#undef CUDAMIGRATE_EMULATION_ANYTHING

#define CUDAMIGRATE_EMULATION_PLACE __builtin_return_address(0)
#define CUDAMIGRATE_EMULATION_APART __attribute__((noinline))

// The last error of a launch also comes from calls that wait.
inline API(Error_t) API(GetLastError)() { return static_cast<API(Error_t)>(::cudamigrate_emulation::last_error(true)); }
inline API(Error_t) API(PeekAtLastError)() {
    return static_cast<API(Error_t)>(::cudamigrate_emulation::last_error(false));
}
enum API(StreamCaptureMode) {
    API(StreamCaptureModeGlobal),
    API(StreamCaptureModeThreadLocal),
    API(StreamCaptureModeRelaxed),
};
enum API(StreamCaptureStatus) {
    API(StreamCaptureStatusNone),
    API(StreamCaptureStatusActive),
    API(StreamCaptureStatusInvalidated),
};
inline API(Error_t) API(StreamIsCapturing)(API(Stream_t) stream, API(StreamCaptureStatus) *status) {
    const bool is = stream != nullptr && ::cudamigrate_emulation::capturing(stream) != nullptr;
    return *status = is ? API(StreamCaptureStatusActive) : API(StreamCaptureStatusNone), API(Success);
}
inline API(Error_t) API(DeviceSynchronize)() {
    return ::cudamigrate_emulation::record_shared_with_host(), API(Success);
}
inline API(Error_t) API(StreamSynchronize)(API(Stream_t)) { return API(DeviceSynchronize)(); }

inline const char *API(GetErrorName)(API(Error_t) error) {
    return error == API(Success) ? "Success" : error == API(ErrorInvalidConfiguration) ? "ErrorInvalidConfiguration"
           : error == API(ErrorMemoryAllocation) ? "ErrorMemoryAllocation" : "ErrorInvalidValue";
}
inline const char *API(GetErrorString)(API(Error_t) error) {
    return error == API(Success)                     ? "no error"
           : error == API(ErrorInvalidConfiguration) ? "invalid configuration argument"
           : error == API(ErrorMemoryAllocation)     ? "out of memory"
                                                     : "invalid argument";
}

inline API(Error_t) API(GetDeviceCount)(int *count) { return *count = 1, API(Success); }
inline API(Error_t) API(SetDevice)(int device) { return device == 0 ? API(Success) : API(ErrorInvalidDevice); }
inline API(Error_t) API(GetDevice)(int *device) { return *device = 0, API(Success); }
inline API(Error_t) API(DeviceCanAccessPeer)(int *can, int, int) { return *can = 0, API(Success); }
inline API(Error_t) API(DeviceGetSharedMemConfig)(API(SharedMemConfig) *config) {
    return *config = API(SharedMemBankSizeFourByte), API(Success);
}
inline API(Error_t) API(DeviceGetCacheConfig)(API(FuncCache) *config) {
    return *config = API(FuncCachePreferNone), API(Success);
}
inline API(Error_t) API(DeviceGetPCIBusId)(char *name, int room, int) {
    return std::strncpy(name, "0000:00:00.0", static_cast<size_t>(room)), API(Success);
}
inline API(Error_t) API(GetDeviceFlags)(unsigned int *flags) { return *flags = 0, API(Success); }
template <typename Properties>
API(Error_t) API(ChooseDevice)(int *device, const Properties *) {
    return *device = 0, API(Success);
}
struct API(FuncAttributes) {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
};
template <typename Kernel>
API(Error_t) API(FuncGetAttributes)(API(FuncAttributes) *made, Kernel) {
    *made = {0, 0, 0, 1024, 32, 70, 70, 0, 48 * 1024};
    return API(Success);
}
inline API(Error_t) API(RuntimeGetVersion)(int *version) { return *version = 12000, API(Success); }
inline API(Error_t) API(DriverGetVersion)(int *version) { return *version = 12000, API(Success); }

namespace cudamigrate_emulation {
template <typename Properties>
void describe(Properties *device) {
    std::memset(static_cast<void *>(device), 0, sizeof(*device));
    std::strcpy(device->name, "cudamigrate emulation");
    device->totalGlobalMem = memory_limit();
    device->sharedMemPerBlock = 48 * 1024;
    device->regsPerBlock = 65536;
    device->warpSize = wave_width();
    device->maxThreadsPerBlock = 1024;
    for (int at = 0; at < 3; ++at) {
        device->maxThreadsDim[at] = at < 2 ? 1024 : 64;
        device->maxGridSize[at] = at < 1 ? 2147483647 : 65535;
    }
    device->clockRate = device->memoryClockRate = 1000000;
    device->memoryBusWidth = 64;
    device->totalConstMem = 65536;
    device->multiProcessorCount = 4;
    device->maxThreadsPerMultiProcessor = 2048;
    device->major = 7;
    device->concurrentKernels = device->canMapHostMemory = device->managedMemory = device->cooperativeLaunch = 1;
    device->l2CacheSize = 1 << 20;
    device->regsPerMultiprocessor = 65536;
    device->deviceOverlap = device->asyncEngineCount = device->unifiedAddressing = 1;
    device->textureAlignment = 512;
    device->memPitch = 2147483647;
    device->maxTexture1D = 131072;
    for (int at = 0; at < 3; ++at) {
        device->maxTexture3D[at] = 16384;
        if (at < 2) device->maxTexture2D[at] = 131072;
    }
}
}  // namespace cudamigrate_emulation
#define CUDAMIGRATE_EMULATION_PROPERTIES                                                              \
    char name[256];                                                                                   \
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, memPitch, textureAlignment;              \
    size_t sharedMemPerMultiprocessor, sharedMemPerBlockOptin;                                        \
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;      \
    int major, minor, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory;    \
    int computeMode, concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;    \
    int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;            \
    int maxThreadsPerMultiProcessor, managedMemory, isMultiGpuBoard, cooperativeLaunch;               \
    int concurrentManagedAccess, pageableMemoryAccess, regsPerMultiprocessor, deviceOverlap;           \
    int maxTexture1D, maxTexture2D[2], maxTexture3D[3], surfaceAlignment, streamPrioritiesSupported;   \
    int persistingL2CacheMaxSize, accessPolicyMaxWindowSize, singleToDoublePrecisionPerfRatio;         \
    int hostNativeAtomicSupported, canUseHostPointerForRegisteredMem, directManagedMemAccessFromHost;  \
    int cooperativeMultiDeviceLaunch, computePreemptionSupported, globalL1CacheSupported;              \
    int localL1CacheSupported, maxBlocksPerMultiProcessor;

inline API(Error_t) API(MemGetInfo)(size_t *free_bytes, size_t *total) {
    *total = ::cudamigrate_emulation::memory_limit();
    *free_bytes = *total - ::cudamigrate_emulation::memory_in_use();
    return API(Success);
}

namespace cudamigrate_emulation {
template <typename T>
API(Error_t) give(T **address, size_t bytes, const void *place, bool on_host) {
    void *const made = bytes == 0 ? nullptr : allocate_for(bytes, place, on_host);
    *address = static_cast<T *>(made);
    return made != nullptr || bytes == 0 ? API(Success) : API(ErrorMemoryAllocation);
}
}  // namespace cudamigrate_emulation

#define CUDAMIGRATE_EMULATION_ALLOCATE(name, on_host)                                                              \
    template <typename T>                                                                                          \
    CUDAMIGRATE_EMULATION_APART API(Error_t) API(name)(T **address, size_t bytes) {                               \
        return ::cudamigrate_emulation::give(address, bytes, CUDAMIGRATE_EMULATION_PLACE, on_host);                \
    }                                                                                                              \
    template <typename T>                                                                                          \
    CUDAMIGRATE_EMULATION_APART API(Error_t) API(name)(T **address, size_t bytes, unsigned int) {                 \
        return ::cudamigrate_emulation::give(address, bytes, CUDAMIGRATE_EMULATION_PLACE, on_host);                \
    }
CUDAMIGRATE_EMULATION_ALLOCATE(Malloc, false)
CUDAMIGRATE_EMULATION_ALLOCATE(MallocManaged, true)
CUDAMIGRATE_EMULATION_ALLOCATE(MallocHost, true)
CUDAMIGRATE_EMULATION_ALLOCATE(HostAlloc, true)
#undef CUDAMIGRATE_EMULATION_ALLOCATE
template <typename T>
CUDAMIGRATE_EMULATION_APART API(Error_t) API(MallocAsync)(T **address, size_t bytes, API(Stream_t)) {
    return ::cudamigrate_emulation::give(address, bytes, CUDAMIGRATE_EMULATION_PLACE, false);
}
template <typename T>
CUDAMIGRATE_EMULATION_APART API(Error_t) API(MallocPitch)(T **address, size_t *pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return ::cudamigrate_emulation::give(address, *pitch * height, CUDAMIGRATE_EMULATION_PLACE, false);
}
inline API(Error_t) API(Free)(void *address) {
    if (address == nullptr || ::cudamigrate_emulation::release(address)) return API(Success);
    return API(ErrorInvalidValue);
}
inline API(Error_t) API(FreeAsync)(void *address, API(Stream_t)) { return API(Free)(address); }
inline API(Error_t) API(FreeHost)(void *address) { return API(Free)(address); }
template <typename T>
API(Error_t) API(HostGetDevicePointer)(T **device, void *host, unsigned int) {
    return *device = static_cast<T *>(host), API(Success);
}

namespace cudamigrate_emulation {
// Whether so many bytes are there; of the host's memory nothing is known.
inline bool fits(const void *address, size_t bytes) { return !is_device(address) || bytes_behind(address) >= bytes; }
template <typename T>
const char *name_of() {
    return type_name<std::conditional_t<std::is_void<T>::value, void *, T>>();
}

// Variables of the device whose address the program asked for, with their sizes.
inline std::map<const void *, size_t> &variables() {
    static std::map<const void *, size_t> known;
    return known;
}
inline bool is_on_device(const void *address) {
    if (is_device(address)) return true;
    const auto after = variables().upper_bound(address);
    if (after == variables().begin()) return false;
    const auto &variable = *std::prev(after);
    return static_cast<const char *>(address) < static_cast<const char *>(variable.first) + variable.second;
}

CUDAMIGRATE_EMULATION_UNSEEN inline API(Error_t)
    copy(void *to, const void *from, size_t bytes, API(MemcpyKind) kind, const char *type) {
    const bool to_host = kind == API(MemcpyDeviceToHost) || kind == API(MemcpyHostToHost);
    const bool from_host = kind == API(MemcpyHostToDevice) || kind == API(MemcpyHostToHost);
    if (!fits(to, bytes) || !fits(from, bytes)) return API(ErrorInvalidValue);
    if (kind != API(MemcpyDefault) && kind != API(MemcpyHostToHost)) {
        if ((!to_host && !is_on_device(to)) || (!from_host && !is_on_device(from))) return API(ErrorInvalidValue);
    }
    std::memmove(to, from, bytes);
    if (is_device(from) && !is_device(to)) record_copy(from, to, bytes, type);
    return API(Success);
}
}  // namespace cudamigrate_emulation

template <typename To, typename From>
API(Error_t) API(Memcpy)(To *to, const From *from, size_t bytes, API(MemcpyKind) kind) {
    return ::cudamigrate_emulation::copy(const_cast<std::remove_cv_t<To> *>(to), from, bytes, kind,
                                         ::cudamigrate_emulation::name_of<To>());
}
inline API(Error_t) API(Memcpy)(void *to, const void *from, size_t bytes, API(MemcpyKind) kind) {
    return ::cudamigrate_emulation::copy(to, from, bytes, kind, "");
}
template <typename To, typename From>
API(Error_t)
API(MemcpyAsync)(To *to, const From *from, size_t bytes, API(MemcpyKind) kind, API(Stream_t) stream = nullptr) {
    if (::cudamigrate_emulation::kept(stream, [=] { API(Memcpy)(to, from, bytes, kind); })) return API(Success);
    return API(Memcpy)(to, from, bytes, kind);
}
inline API(Error_t)
    API(MemcpyAsync)(void *to, const void *from, size_t bytes, API(MemcpyKind) kind, API(Stream_t) stream = nullptr) {
    const auto work = [=] { return ::cudamigrate_emulation::copy(to, from, bytes, kind, ""); };
    return ::cudamigrate_emulation::kept(stream, work) ? API(Success) : work();
}
inline API(Error_t) API(Memcpy2D)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                  size_t height, API(MemcpyKind) kind) {
    for (size_t row = 0; row < height; ++row) {
        const API(Error_t) done =
            API(Memcpy)(static_cast<void *>(static_cast<char *>(to) + row * to_pitch),
                        static_cast<const void *>(static_cast<const char *>(from) + row * from_pitch), width, kind);
        if (done != API(Success)) return done;
    }
    return API(Success);
}
inline API(Error_t) API(Memcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                       size_t height, API(MemcpyKind) kind, API(Stream_t) stream = nullptr) {
    const auto work = [=] { return API(Memcpy2D)(to, to_pitch, from, from_pitch, width, height, kind); };
    return ::cudamigrate_emulation::kept(stream, work) ? API(Success) : work();
}
inline API(Error_t) API(Memset)(void *address, int byte, size_t bytes) {
    if (!::cudamigrate_emulation::fits(address, bytes)) return API(ErrorInvalidValue);
    std::memset(address, byte, bytes);
    return API(Success);
}
inline API(Error_t) API(MemsetAsync)(void *address, int byte, size_t bytes, API(Stream_t) stream = nullptr) {
    const auto work = [=] { return API(Memset)(address, byte, bytes); };
    return ::cudamigrate_emulation::kept(stream, work) ? API(Success) : work();
}
inline API(Error_t) API(Memset2D)(void *address, size_t pitch, int byte, size_t width, size_t height) {
    for (size_t row = 0; row < height; ++row) API(Memset)(static_cast<char *>(address) + row * pitch, byte, width);
    return API(Success);
}

// Variables of the device are the program's own.
template <typename T>
API(Error_t) API(MemcpyToSymbol)(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                 API(MemcpyKind) = API(MemcpyHostToDevice)) {
    if (offset + bytes > sizeof(T)) return API(ErrorInvalidValue);
    std::memcpy(reinterpret_cast<char *>(const_cast<std::remove_cv_t<T> *>(&symbol)) + offset, from, bytes);
    return API(Success);
}
template <typename T>
CUDAMIGRATE_EMULATION_APART API(Error_t) API(MemcpyFromSymbol)(void *to, const T &symbol, size_t bytes,
                                                               size_t offset = 0,
                                                               API(MemcpyKind) = API(MemcpyDeviceToHost)) {
    if (offset + bytes > sizeof(T)) return API(ErrorInvalidValue);
    std::memcpy(to, reinterpret_cast<const char *>(&symbol) + offset, bytes);
    const char *const type = ::cudamigrate_emulation::type_name<std::remove_all_extents_t<T>>();
    return ::cudamigrate_emulation::record_symbol(to, bytes, type, CUDAMIGRATE_EMULATION_PLACE), API(Success);
}
template <typename T>
API(Error_t) API(MemcpyToSymbolAsync)(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                      API(MemcpyKind) = API(MemcpyHostToDevice), API(Stream_t) stream = nullptr) {
    const T *const variable = &symbol;
    const auto work = [=] { return API(MemcpyToSymbol)(*variable, from, bytes, offset); };
    return ::cudamigrate_emulation::kept(stream, work) ? API(Success) : work();
}
template <typename T>
API(Error_t) API(MemcpyFromSymbolAsync)(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                        API(MemcpyKind) = API(MemcpyDeviceToHost), API(Stream_t) stream = nullptr) {
    const T *const variable = &symbol;
    const auto work = [=] { return API(MemcpyFromSymbol)(to, *variable, bytes, offset); };
    return ::cudamigrate_emulation::kept(stream, work) ? API(Success) : work();
}
template <typename P, typename T>
API(Error_t) API(GetSymbolAddress)(P **address, const T &symbol) {
    *address = reinterpret_cast<P *>(const_cast<std::remove_cv_t<T> *>(&symbol));
    return ::cudamigrate_emulation::variables()[&symbol] = sizeof(T), API(Success);
}
template <typename T>
API(Error_t) API(GetSymbolSize)(size_t *bytes, const T &) {
    return *bytes = sizeof(T), API(Success);
}

// Each stream and event is another object, which is all that programs see of them.
inline API(Error_t) API(StreamCreate)(API(Stream_t) *stream) {
    *stream = new ::cudamigrate_emulation::Stream;
    const std::lock_guard<std::mutex> lock(::cudamigrate_emulation::streams_guard());
    return ::cudamigrate_emulation::streams().push_back(*stream), API(Success);
}
inline API(Error_t) API(StreamCreateWithFlags)(API(Stream_t) * stream, unsigned int) {
    return API(StreamCreate)(stream);
}
inline API(Error_t) API(StreamCreateWithPriority)(API(Stream_t) *stream, unsigned int, int) {
    return API(StreamCreate)(stream);
}
inline API(Error_t) API(DeviceGetStreamPriorityRange)(int *least, int *greatest) {
    return *least = *greatest = 0, API(Success);
}
inline API(Error_t) API(StreamDestroy)(API(Stream_t) stream) {
    const std::lock_guard<std::mutex> lock(::cudamigrate_emulation::streams_guard());
    auto &known = ::cudamigrate_emulation::streams();
    known.erase(std::remove(known.begin(), known.end(), stream), known.end());
    return delete stream, API(Success);
}
inline API(Error_t) API(LaunchHostFunc)(API(Stream_t) stream, API(HostFn_t) function, void *with) {
    if (!::cudamigrate_emulation::kept(stream, [=] { function(with); })) function(with);
    return API(Success);
}
inline API(Error_t)
    API(StreamAddCallback)(API(Stream_t) stream, API(StreamCallback_t) function, void *with, unsigned int) {
    return function(stream, API(Success), with), API(Success);
}
inline API(Error_t) API(EventCreate)(API(Event_t) *event) {
    return *event = new ::cudamigrate_emulation::Event, API(Success);
}
inline API(Error_t) API(EventCreateWithFlags)(API(Event_t) *event, unsigned int) { return API(EventCreate)(event); }
inline API(Error_t) API(EventCreate)(API(Event_t) *event, unsigned int) { return API(EventCreate)(event); }
inline API(Error_t) API(EventDestroy)(API(Event_t) event) { return delete event, API(Success); }
inline API(Error_t) API(EventRecord)(API(Event_t) event, API(Stream_t) stream = nullptr) {
    return event->into = stream == nullptr ? nullptr : ::cudamigrate_emulation::capturing(stream), API(Success);
}
// A stream that waits for a captured one is captured with it.
inline API(Error_t) API(StreamWaitEvent)(API(Stream_t) stream, API(Event_t) event, unsigned int = 0) {
    if (stream != nullptr && event->into != nullptr) stream->into = event->into;
    return API(Success);
}
inline API(Error_t) API(EventSynchronize)(API(Event_t)) { return API(DeviceSynchronize)(); }
// The emulation tells no times: each is a millisecond.
inline API(Error_t) API(EventElapsedTime)(float *milliseconds, API(Event_t), API(Event_t)) {
    return *milliseconds = 1.0f, API(Success);
}

template <typename Kernel>
API(Error_t) API(OccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, Kernel, int threads, size_t) {
    return *blocks = threads > 0 ? 2048 / threads : 0, API(Success);
}
template <typename Kernel>
API(Error_t) API(OccupancyMaxPotentialBlockSize)(int *grid, int *block, Kernel, size_t = 0, int most = 0) {
    *block = most > 0 && most < 256 ? most : 256;
    *grid = 4 * 2048 / *block;
    return API(Success);
}

namespace cudamigrate_emulation {
// A launch with copies of the arguments that are given by their addresses.
template <typename... Parameters, std::size_t... Number>
std::function<void()> bound_by_pointers(void (*kernel)(Parameters...), const Launch &how, void **given,
                                        std::index_sequence<Number...>) {
    typedef std::tuple<std::remove_cv_t<std::remove_reference_t<Parameters>>...> Values;
    const auto values = std::make_shared<Values>(*static_cast<std::tuple_element_t<Number, Values> *>(given[Number])...);
    return [=] {
        see(std::get<Number>(*values)...);
        launch("a kernel by its address", how, [&] { kernel(std::get<Number>(*values)...); });
    };
}
template <typename... Parameters>
std::function<void()> bound(void (*kernel)(Parameters...), const Launch &how, void **given) {
    return bound_by_pointers(kernel, how, given, std::index_sequence_for<Parameters...>());
}

// Kernels whose address is kept without its type, and how each is launched.
typedef std::function<std::function<void()>(const Launch &, void **)> Launcher;
inline std::map<const void *, Launcher> &launchers() {
    static std::map<const void *, Launcher> known;
    return known;
}
template <typename... Parameters>
void *kernel_address(void (*kernel)(Parameters...)) {
    void *address = reinterpret_cast<void *>(kernel);
    launchers()[address] = [kernel](const Launch &how, void **given) { return bound(kernel, how, given); };
    return address;
}
inline std::function<void()> bound(const void *kernel, const Launch &how, void **given) {
    const auto found = launchers().find(kernel);
    if (found == launchers().end()) missing("a launch of a kernel whose address lost its type in another file");
    return found->second(how, given);
}
template <typename Kernel>
int launch_bound(Kernel kernel, const Launch &how, void **given) {
    const auto work = bound(kernel, how, given);
    if (!kept(how.stream, work)) work();
    return last_error(false);
}
}  // namespace cudamigrate_emulation
inline API(Error_t) API(LaunchKernel)(const void *kernel, dim3 blocks, dim3 threads, void **given, size_t shared = 0,
                                      API(Stream_t) stream = nullptr) {
    return static_cast<API(Error_t)>(
        ::cudamigrate_emulation::launch_bound(kernel, {blocks, threads, shared, stream}, given));
}
template <typename... Parameters>
API(Error_t) API(LaunchKernel)(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, void **given,
                               size_t shared = 0, API(Stream_t) stream = nullptr) {
    return static_cast<API(Error_t)>(
        ::cudamigrate_emulation::launch_bound(kernel, {blocks, threads, shared, stream}, given));
}
template <typename Kernel>
API(Error_t) API(LaunchCooperativeKernel)(Kernel kernel, dim3 blocks, dim3 threads, void **given, size_t shared = 0,
                                          API(Stream_t) stream = nullptr) {
    ::cudamigrate_emulation::Launch how(blocks, threads, shared, stream);
    how.cooperative = true;
    return static_cast<API(Error_t)>(::cudamigrate_emulation::launch_bound(kernel, how, given));
}
