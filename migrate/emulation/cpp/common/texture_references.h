// References to textures, which CUDA had before objects: variables of a file, bound to memory by the host.
#include "textures.h"

enum {
    API(TextureType1D) = 1,
    API(TextureType2D) = 2,
    API(TextureType3D) = 3,
};
struct textureReference {
    int normalized = 0;
    API(TextureFilterMode) filterMode = API(FilterModePoint);
    API(TextureAddressMode) addressMode[3] = {API(AddressModeClamp), API(AddressModeClamp), API(AddressModeClamp)};
    API(ChannelFormatDesc) channelDesc = {};
    ::cudamigrate_emulation::Grid bound;

    ::cudamigrate_emulation::Texture as_texture(bool as_float) const {
        ::cudamigrate_emulation::Texture made;
        made.grid = bound;
        std::copy(addressMode, addressMode + 3, made.address);
        made.linear = filterMode == API(FilterModeLinear);
        made.normalised = normalized != 0;
        made.as_float = as_float;
        return made;
    }
};
template <typename T, int Directions = 1, API(TextureReadMode) Mode = API(ReadModeElementType)>
struct texture : textureReference {
    texture() { channelDesc = API(CreateChannelDesc)<T>(); }
    texture(int is_normalized, API(TextureFilterMode) filter, API(TextureAddressMode) address) : texture() {
        normalized = is_normalized;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
    }
};

inline API(Error_t) API(BindTexture)(size_t *offset, textureReference &to, const void *memory,
                                     const API(ChannelFormatDesc) &format, size_t bytes = ~size_t{0}) {
    if (offset != nullptr) *offset = 0;
    to.bound = ::cudamigrate_emulation::Grid();
    to.bound.data = static_cast<unsigned char *>(const_cast<void *>(memory));
    to.bound.format = format;
    to.bound.width = std::min(bytes, ::cudamigrate_emulation::bytes_behind(memory)) / to.bound.element();
    return API(Success);
}
template <typename T, int Directions, API(TextureReadMode) Mode>
API(Error_t) API(BindTexture)(size_t *offset, texture<T, Directions, Mode> &to, const void *memory, size_t bytes = ~size_t{0}) {
    return API(BindTexture)(offset, to, memory, to.channelDesc, bytes);
}
inline API(Error_t) API(BindTexture2D)(size_t *offset, textureReference &to, const void *memory,
                                       const API(ChannelFormatDesc) &format, size_t width, size_t height, size_t pitch) {
    API(BindTexture)(offset, to, memory, format);
    to.bound.width = width, to.bound.height = height, to.bound.pitch = pitch;
    return API(Success);
}
template <typename T, int Directions, API(TextureReadMode) Mode>
API(Error_t) API(BindTexture2D)(size_t *offset, texture<T, Directions, Mode> &to, const void *memory, size_t width,
                                size_t height, size_t pitch) {
    return API(BindTexture2D)(offset, to, memory, to.channelDesc, width, height, pitch);
}
inline API(Error_t) API(BindTextureToArray)(textureReference &to, API(Array_const_t) array, const API(ChannelFormatDesc) &) {
    return to.bound = *array, API(Success);
}
inline API(Error_t) API(BindTextureToArray)(textureReference &to, API(Array_const_t) array) {
    return to.bound = *array, API(Success);
}
inline API(Error_t) API(UnbindTexture)(textureReference &) { return API(Success); }

namespace cudamigrate_emulation {
// What a read of a texture gives: its element, or numbers up to 1 in its place.
template <typename T, bool AsFloat> struct Sampled { typedef T Type; };
template <typename T> struct Sampled<T, true> {
    typedef std::conditional_t<Components<T>::count == 4, float4, std::conditional_t<Components<T>::count == 2, float2, float>> Type;
};
}  // namespace cudamigrate_emulation
#define CUDAMIGRATE_EMULATION_SAMPLE(name, parameters, read)                                                       \
    template <typename T, int Directions, API(TextureReadMode) Mode>                                               \
    auto name(const texture<T, Directions, Mode> &from, CUDAMIGRATE_EMULATION_LIST parameters) {                   \
        using namespace ::cudamigrate_emulation;                                                                   \
        constexpr bool as_float = Mode == API(ReadModeNormalizedFloat);                                            \
        const Texture as = from.as_texture(as_float);                                                              \
        return CUDAMIGRATE_EMULATION_LIST read;                                                                    \
    }
#define CUDAMIGRATE_EMULATION_GIVEN typename Sampled<T, as_float>::Type
CUDAMIGRATE_EMULATION_SAMPLE(tex1Dfetch, (int at), (fetched<CUDAMIGRATE_EMULATION_GIVEN>(as, at)))
CUDAMIGRATE_EMULATION_SAMPLE(tex1D, (float x), (as_type<CUDAMIGRATE_EMULATION_GIVEN>(sampled(as, x, 0, 0, 1))))
CUDAMIGRATE_EMULATION_SAMPLE(tex2D, (float x, float y), (as_type<CUDAMIGRATE_EMULATION_GIVEN>(sampled(as, x, y, 0, 2))))
CUDAMIGRATE_EMULATION_SAMPLE(tex3D, (float x, float y, float z),
                             (as_type<CUDAMIGRATE_EMULATION_GIVEN>(sampled(as, x, y, z, 3))))
#undef CUDAMIGRATE_EMULATION_GIVEN
#undef CUDAMIGRATE_EMULATION_SAMPLE
