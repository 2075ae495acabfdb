// cudamigrate_nvtx.h: ranges and marks of NVTX that are given attributes, by ROCTx, which takes their message alone.
//
// Included by code that cudamigrate converted to HIP; copy it wherever that code goes. Colour, category and payload are
// kept in the attributes and not passed on. Messages are plain text; one in wide characters, or one registered before, has
// no form here, so that code with such messages does not compile. Where no ROCTx is installed, nothing is declared.
#ifndef CUDAMIGRATE_NVTX_H
#define CUDAMIGRATE_NVTX_H

#include <stdint.h>

#if defined(__has_include)
#if __has_include(<rocprofiler-sdk-roctx/roctx.h>)
#include <rocprofiler-sdk-roctx/roctx.h>
#define CUDAMIGRATE_ROCTX 1
#elif __has_include(<roctracer/roctx.h>)
#include <roctracer/roctx.h>
#define CUDAMIGRATE_ROCTX 1
#endif
#endif

#ifdef CUDAMIGRATE_ROCTX

namespace cudamigrate {

// Numbers that code writes into attributes, as NVTX 3 has them.
enum : int32_t {
    nvtx_color_unknown = 0,
    nvtx_color_argb = 1,
    nvtx_message_unknown = 0,
    nvtx_message_type_ascii = 1,
    nvtx_payload_unknown = 0,
    nvtx_payload_type_unsigned_int64 = 1,
    nvtx_payload_type_int64 = 2,
    nvtx_payload_type_double = 3,
    nvtx_payload_type_unsigned_int32 = 4,
    nvtx_payload_type_int32 = 5,
    nvtx_payload_type_float = 6
};

// What a range or a mark is given: nvtxEventAttributes_t, member for member.
struct EventAttributes {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
    } message;
};

// Bytes of the attributes: NVTX_EVENT_ATTRIB_STRUCT_SIZE.
enum : uint16_t { nvtx_event_attrib_struct_size = sizeof(EventAttributes) };

// The text of attributes; an empty one where they have none, as ROCTx wants one.
inline const char *nvtx_text(const EventAttributes *given) {
    const bool has_text = given != nullptr && given->messageType == nvtx_message_type_ascii && given->message.ascii != nullptr;
    return has_text ? given->message.ascii : "";
}

// Begin a range of this thread, begin one that any thread may end, set a mark: nvtxRangePushEx, nvtxRangeStartEx, nvtxMarkEx.
inline int range_push(const EventAttributes *given) { return roctxRangePushA(nvtx_text(given)); }
inline roctx_range_id_t range_start(const EventAttributes *given) { return roctxRangeStartA(nvtx_text(given)); }
inline void mark(const EventAttributes *given) { roctxMarkA(nvtx_text(given)); }

}  // namespace cudamigrate

#endif

#endif  // CUDAMIGRATE_NVTX_H
