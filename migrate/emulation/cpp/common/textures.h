// Arrays, textures and surfaces on the emulated GPU: plain reads, with coordinates, borders and linear filters as the
// programming guides say, but filtered in full precision. runtime_api.h comes before this, and API(name) is defined.
#include <memory>

#include "language.h"

enum API(ChannelFormatKind) {
    API(ChannelFormatKindSigned),
    API(ChannelFormatKindUnsigned),
    API(ChannelFormatKindFloat),
    API(ChannelFormatKindNone),
};
struct API(ChannelFormatDesc) {
    int x, y, z, w;
    API(ChannelFormatKind) f;
};
enum API(TextureAddressMode) { API(AddressModeWrap), API(AddressModeClamp), API(AddressModeMirror), API(AddressModeBorder) };
enum API(TextureFilterMode) { API(FilterModePoint), API(FilterModeLinear) };
enum API(TextureReadMode) { API(ReadModeElementType), API(ReadModeNormalizedFloat) };
enum API(ResourceType) { API(ResourceTypeArray), API(ResourceTypeMipmappedArray), API(ResourceTypeLinear), API(ResourceTypePitch2D) };
enum API(SurfaceBoundaryMode) { API(BoundaryModeZero), API(BoundaryModeClamp), API(BoundaryModeTrap) };
enum { API(ArrayDefault) = 0, API(ArrayLayered) = 1, API(ArraySurfaceLoadStore) = 2 };

struct API(Extent) {
    size_t width, height, depth;
};
struct API(Pos) {
    size_t x, y, z;
};
struct API(PitchedPtr) {
    void *ptr;
    size_t pitch, xsize, ysize;
};

namespace cudamigrate_emulation {

// Elements in rows; with a texture also how they are read. What an array holds is device memory.
struct Grid {
    unsigned char *data = nullptr;
    size_t width = 0, height = 0, depth = 0, pitch = 0;
    API(ChannelFormatDesc) format = {};
    size_t element() const { return static_cast<size_t>(format.x + format.y + format.z + format.w) / 8; }
};
struct Texture {
    Grid grid;
    API(TextureAddressMode) address[3] = {API(AddressModeClamp), API(AddressModeClamp), API(AddressModeClamp)};
    bool linear = false, normalised = false, as_float = false;
};

template <typename T, typename = void> struct Components {
    typedef T Type;
    static constexpr int count = 1;
};
template <typename T> struct Components<T, std::void_t<decltype(std::declval<T>().x)>> {
    typedef decltype(std::declval<T>().x) Type;
    static constexpr int count = static_cast<int>(sizeof(T) / sizeof(Type));
};
template <typename T>
API(ChannelFormatDesc) format_of() {
    typedef typename Components<T>::Type Part;
    const int bits = 8 * static_cast<int>(sizeof(Part)), count = Components<T>::count;
    const auto kind = std::is_floating_point<Part>::value ? API(ChannelFormatKindFloat)
                      : std::is_signed<Part>::value       ? API(ChannelFormatKindSigned)
                                                          : API(ChannelFormatKindUnsigned);
    return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}

// The four components of an element as numbers, integers scaled to 1 where the texture says so.
struct Texel {
    double part[4] = {0, 0, 0, 0};
};
template <typename Part>
double stored(const unsigned char *from, bool as_float) {
    Part value;
    __builtin_memcpy(&value, from, sizeof(value));
    const double most = static_cast<double>(std::numeric_limits<Part>::max());
    const double number = static_cast<double>(value);
    return as_float && std::is_integral<Part>::value ? std::max(-1.0, number / most) : number;
}
CUDAMIGRATE_EMULATION_UNSEEN inline Texel texel(const Texture &texture, long x, long y, long z) {
    const Grid &grid = texture.grid;
    const unsigned char *at = grid.data + (static_cast<size_t>(z) * std::max<size_t>(grid.height, 1) + static_cast<size_t>(y)) * grid.pitch +
                              static_cast<size_t>(x) * grid.element();
    const int bits[4] = {grid.format.x, grid.format.y, grid.format.z, grid.format.w};
    const bool is_signed = grid.format.f == API(ChannelFormatKindSigned), scaled = texture.as_float;
    Texel made;
    for (int number = 0; number < 4 && bits[number] != 0; at += bits[number++] / 8) {
        double &part = made.part[number];
        if (grid.format.f == API(ChannelFormatKindFloat)) part = bits[number] == 32 ? stored<float>(at, false) : 0;
        else if (bits[number] == 8) part = is_signed ? stored<signed char>(at, scaled) : stored<unsigned char>(at, scaled);
        else if (bits[number] == 16) part = is_signed ? stored<short>(at, scaled) : stored<unsigned short>(at, scaled);
        else part = is_signed ? stored<int>(at, scaled) : stored<unsigned int>(at, scaled);
    }
    return made;
}

// The index of an element in one direction; -1 for one beyond the border, which is zero.
inline long place_in(long at, size_t size, API(TextureAddressMode) mode, bool normalised) {
    const long count = static_cast<long>(std::max<size_t>(size, 1));
    if (at >= 0 && at < count) return at;
    if (mode == API(AddressModeBorder)) return -1;
    if (normalised && mode == API(AddressModeWrap)) return ((at % count) + count) % count;
    if (normalised && mode == API(AddressModeMirror)) {
        const long turn = ((at % (2 * count)) + 2 * count) % (2 * count);
        return turn < count ? turn : 2 * count - 1 - turn;
    }
    return at < 0 ? 0 : count - 1;
}

CUDAMIGRATE_EMULATION_UNSEEN inline Texel sampled(const Texture &texture, double x, double y, double z, int directions) {
    const size_t size[3] = {texture.grid.width, texture.grid.height, texture.grid.depth};
    double given[3] = {x, y, z};
    long first[3] = {0, 0, 0};
    double weight[3] = {0, 0, 0};
    for (int number = 0; number < directions; ++number) {
        if (texture.normalised) given[number] *= static_cast<double>(size[number]);
        const double at = texture.linear ? given[number] - 0.5 : given[number];
        first[number] = static_cast<long>(std::floor(at));
        weight[number] = texture.linear ? at - std::floor(at) : 0;
    }
    Texel made;
    for (int corner = 0; corner < (texture.linear ? 1 << directions : 1); ++corner) {
        long at[3] = {0, 0, 0};
        double share = 1;
        bool inside = true;
        for (int number = 0; number < directions; ++number) {
            const int beside = corner >> number & 1;
            at[number] = place_in(first[number] + beside, size[number], texture.address[number], texture.normalised);
            share *= beside != 0 ? weight[number] : 1 - weight[number];
            inside = inside && at[number] >= 0;
        }
        if (!inside || share == 0) continue;
        const Texel read = texel(texture, at[0], at[1], at[2]);
        for (int number = 0; number < 4; ++number) made.part[number] += share * read.part[number];
    }
    return made;
}
template <typename T>
CUDAMIGRATE_EMULATION_UNSEEN T as_type(const Texel &read) {
    typedef typename Components<T>::Type Part;
    T made;
    for (int number = 0; number < Components<T>::count; ++number) {
        const Part part = static_cast<Part>(read.part[number]);
        __builtin_memcpy(reinterpret_cast<char *>(&made) + number * static_cast<int>(sizeof(Part)), &part, sizeof(Part));
    }
    return made;
}
// An element by its number, without any filter.
template <typename T>
CUDAMIGRATE_EMULATION_UNSEEN T fetched(const Texture &texture, int at) {
    const bool inside = at >= 0 && static_cast<size_t>(at) < std::max<size_t>(texture.grid.width, 1);
    return inside ? as_type<T>(texel(texture, at, 0, 0)) : as_type<T>(Texel());
}

}  // namespace cudamigrate_emulation

template <typename T> API(ChannelFormatDesc) API(CreateChannelDesc)() { return ::cudamigrate_emulation::format_of<T>(); }
inline API(ChannelFormatDesc) API(CreateChannelDesc)(int x, int y, int z, int w, API(ChannelFormatKind) f) {
    return {x, y, z, w, f};
}
inline API(Extent) API_MAKE(Extent)(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
inline API(Pos) API_MAKE(Pos)(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline API(PitchedPtr) API_MAKE(PitchedPtr)(void *pointer, size_t pitch, size_t x, size_t y) { return {pointer, pitch, x, y}; }

struct API(Array) : ::cudamigrate_emulation::Grid {};
typedef API(Array) *API(Array_t);
typedef const API(Array) *API(Array_const_t);
CUDAMIGRATE_EMULATION_APART inline API(Error_t) API(Malloc3DArray)(API(Array_t) *array, const API(ChannelFormatDesc) *format,
                                                                  API(Extent) extent, unsigned int = 0) {
    const std::unique_ptr<API(Array)> made(new API(Array));
    made->format = *format;
    made->width = extent.width, made->height = extent.height, made->depth = extent.depth;
    made->pitch = extent.width * made->element();
    const size_t bytes = made->pitch * std::max<size_t>(extent.height, 1) * std::max<size_t>(extent.depth, 1);
    const API(Error_t) done = ::cudamigrate_emulation::give(&made->data, bytes, CUDAMIGRATE_EMULATION_PLACE, false);
    *array = new API(Array)(*made);
    return done;
}
CUDAMIGRATE_EMULATION_APART inline API(Error_t) API(MallocArray)(API(Array_t) *array, const API(ChannelFormatDesc) *format,
                                                                size_t width, size_t height = 0, unsigned int flags = 0) {
    return API(Malloc3DArray)(array, format, {width, height, 0}, flags);
}
inline API(Error_t) API(FreeArray)(API(Array_t) array) {
    if (array == nullptr) return API(Success);
    API(Free)(array->data);
    delete array;
    return API(Success);
}
inline API(Error_t) API(Memcpy2DToArray)(API(Array_t) to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                         size_t height, API(MemcpyKind) kind) {
    return API(Memcpy2D)(to->data + y * to->pitch + x, to->pitch, from, pitch, width, height, kind);
}
inline API(Error_t) API(Memcpy2DFromArray)(void *to, size_t pitch, API(Array_const_t) from, size_t x, size_t y, size_t width,
                                           size_t height, API(MemcpyKind) kind) {
    return API(Memcpy2D)(to, pitch, from->data + y * from->pitch + x, from->pitch, width, height, kind);
}
inline API(Error_t) API(MemcpyToArray)(API(Array_t) to, size_t x, size_t y, const void *from, size_t bytes, API(MemcpyKind) kind) {
    return API(Memcpy)(static_cast<void *>(to->data + y * to->pitch + x), from, bytes, kind);
}
inline API(Error_t) API(MemcpyFromArray)(void *to, API(Array_const_t) from, size_t x, size_t y, size_t bytes, API(MemcpyKind) kind) {
    return API(Memcpy)(to, static_cast<const void *>(from->data + y * from->pitch + x), bytes, kind);
}
inline API(Error_t) API(Malloc3D)(API(PitchedPtr) *made, API(Extent) extent) {
    *made = {nullptr, (extent.width + 511) / 512 * 512, extent.width, extent.height};
    return API(Malloc)(&made->ptr, made->pitch * extent.height * extent.depth);
}
struct API(Memcpy3DParms) {
    API(Array_t) srcArray;
    API(Pos) srcPos;
    API(PitchedPtr) srcPtr;
    API(Array_t) dstArray;
    API(Pos) dstPos;
    API(PitchedPtr) dstPtr;
    API(Extent) extent;
    API(MemcpyKind) kind;
};
inline API(Error_t) API(Memcpy3D)(const API(Memcpy3DParms) *how) {
    const auto start = [](API(Array_t) array, const API(PitchedPtr) &linear, const API(Pos) &at, size_t z, size_t &pitch) {
        pitch = array != nullptr ? array->pitch : linear.pitch;
        const size_t rows = array != nullptr ? std::max<size_t>(array->height, 1) : linear.ysize;
        unsigned char *data = array != nullptr ? array->data : static_cast<unsigned char *>(linear.ptr);
        return data + ((at.z + z) * rows + at.y) * pitch + at.x * (array != nullptr ? array->element() : 1);
    };
    API(Array_t) array = how->srcArray != nullptr ? how->srcArray : how->dstArray;  // whose elements the extent counts
    const size_t width = how->extent.width * (array != nullptr ? array->element() : 1);
    for (size_t z = 0; z < how->extent.depth; ++z) {
        size_t from_pitch, to_pitch;
        unsigned char *from = start(how->srcArray, how->srcPtr, how->srcPos, z, from_pitch);
        unsigned char *to = start(how->dstArray, how->dstPtr, how->dstPos, z, to_pitch);
        const API(Error_t) done = API(Memcpy2D)(to, to_pitch, from, from_pitch, width, how->extent.height, how->kind);
        if (done != API(Success)) return done;
    }
    return API(Success);
}

struct API(ResourceDesc) {
    API(ResourceType) resType;
    union {
        struct { API(Array_t) array; } array;
        struct { void *devPtr; API(ChannelFormatDesc) desc; size_t sizeInBytes; } linear;
        struct { void *devPtr; API(ChannelFormatDesc) desc; size_t width, height, pitchInBytes; } pitch2D;
    } res;
};
struct API(TextureDesc) {
    API(TextureAddressMode) addressMode[3];
    API(TextureFilterMode) filterMode;
    API(TextureReadMode) readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
};
struct API(ResourceViewDesc) {};
typedef ::cudamigrate_emulation::Texture *API(TextureObject_t);
typedef ::cudamigrate_emulation::Grid *API(SurfaceObject_t);
namespace cudamigrate_emulation {
inline Grid grid_of(const API(ResourceDesc) &resource) {
    if (resource.resType == API(ResourceTypeArray)) return *resource.res.array.array;
    Grid grid;
    if (resource.resType == API(ResourceTypeLinear)) {
        grid.data = static_cast<unsigned char *>(resource.res.linear.devPtr);
        grid.format = resource.res.linear.desc;
        grid.width = resource.res.linear.sizeInBytes / grid.element();
    } else if (resource.resType == API(ResourceTypePitch2D)) {
        grid.data = static_cast<unsigned char *>(resource.res.pitch2D.devPtr);
        grid.format = resource.res.pitch2D.desc;
        grid.width = resource.res.pitch2D.width, grid.height = resource.res.pitch2D.height;
        grid.pitch = resource.res.pitch2D.pitchInBytes;
    } else {
        missing("textures with levels of detail");
    }
    return grid;
}
}  // namespace cudamigrate_emulation
inline API(Error_t) API(CreateTextureObject)(API(TextureObject_t) *made, const API(ResourceDesc) *resource,
                                             const API(TextureDesc) *how, const API(ResourceViewDesc) *) {
    auto *const texture = new ::cudamigrate_emulation::Texture;
    texture->grid = ::cudamigrate_emulation::grid_of(*resource);
    std::copy(how->addressMode, how->addressMode + 3, texture->address);
    texture->linear = how->filterMode == API(FilterModeLinear);
    texture->normalised = how->normalizedCoords != 0;
    texture->as_float = how->readMode == API(ReadModeNormalizedFloat);
    return *made = texture, API(Success);
}
inline API(Error_t) API(DestroyTextureObject)(API(TextureObject_t) texture) { return delete texture, API(Success); }
inline API(Error_t) API(CreateSurfaceObject)(API(SurfaceObject_t) *made, const API(ResourceDesc) *resource) {
    return *made = resource->res.array.array, API(Success);
}
inline API(Error_t) API(DestroySurfaceObject)(API(SurfaceObject_t)) { return API(Success); }

template <typename T> T tex1Dfetch(API(TextureObject_t) texture, int at) { return ::cudamigrate_emulation::fetched<T>(*texture, at); }
#define CUDAMIGRATE_EMULATION_SAMPLE(name, parameters, arguments, directions)                              \
    template <typename T> T name(API(TextureObject_t) texture, CUDAMIGRATE_EMULATION_LIST parameters) {    \
        using namespace ::cudamigrate_emulation;                                                           \
        return as_type<T>(sampled(*texture, CUDAMIGRATE_EMULATION_LIST arguments, directions));            \
    }
#define CUDAMIGRATE_EMULATION_LIST(...) __VA_ARGS__
CUDAMIGRATE_EMULATION_SAMPLE(tex1D, (float x), (x, 0, 0), 1)
CUDAMIGRATE_EMULATION_SAMPLE(tex2D, (float x, float y), (x, y, 0), 2)
CUDAMIGRATE_EMULATION_SAMPLE(tex3D, (float x, float y, float z), (x, y, z), 3)
#undef CUDAMIGRATE_EMULATION_SAMPLE

// Surfaces count bytes along a row.
template <typename T>
T *cudamigrate_emulation_surface(API(SurfaceObject_t) surface, int x, int y, int z) {
    const bool inside = x >= 0 && static_cast<size_t>(x) + sizeof(T) <= surface->pitch && y >= 0 &&
                        static_cast<size_t>(y) < std::max<size_t>(surface->height, 1) && z >= 0 &&
                        static_cast<size_t>(z) < std::max<size_t>(surface->depth, 1);
    const size_t row = static_cast<size_t>(z) * std::max<size_t>(surface->height, 1) + static_cast<size_t>(y);
    return inside ? reinterpret_cast<T *>(surface->data + row * surface->pitch + x) : nullptr;
}
template <typename T> void surf2Dwrite(T value, API(SurfaceObject_t) surface, int x, int y, int = API(BoundaryModeTrap)) {
    if (T *const at = cudamigrate_emulation_surface<T>(surface, x, y, 0)) *at = value;
}
template <typename T> T surf2Dread(API(SurfaceObject_t) surface, int x, int y, int = API(BoundaryModeTrap)) {
    const T *const at = cudamigrate_emulation_surface<T>(surface, x, y, 0);
    return at != nullptr ? *at : T();
}
template <typename T> void surf2Dread(T *made, API(SurfaceObject_t) surface, int x, int y, int = API(BoundaryModeTrap)) {
    *made = surf2Dread<T>(surface, x, y);
}
