// cuRAND and hipRAND: generators whose numbers are alike on both sides, though not those of the libraries. A header
// that includes this defines API(name) as the runtime's names, RAND(name) and RAND_UPPER(name) as the library's, and
// RAND_STATE(name) as its types of states.
#include "language.h"

namespace cudamigrate_emulation {

// A counter that is mixed, so that each seed and sequence is another row of numbers.
struct Random {
    unsigned long long at = 0;

    CUDAMIGRATE_EMULATION_UNSEEN unsigned int next() {
        unsigned long long mixed = at += 0x9e3779b97f4a7c15ull;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
        return static_cast<unsigned int>((mixed ^ mixed >> 31) >> 32);
    }
    CUDAMIGRATE_EMULATION_UNSEEN void begin(unsigned long long seed, unsigned long long sequence,
                                            unsigned long long skipped) {
        at = seed * 0xd1342543de82ef95ull + sequence * 0xaf251af3b0f025b5ull + skipped * 0x9e3779b97f4a7c15ull;
    }
    CUDAMIGRATE_EMULATION_UNSEEN double uniform() { return (next() + 1.0) / 4294967296.0; }  // 0 is none, 1 is one
    CUDAMIGRATE_EMULATION_UNSEEN double normal() {
        const double radius = sqrt(-2.0 * log(uniform()));
        return radius * cos(6.283185307179586 * uniform());
    }
};

}  // namespace cudamigrate_emulation

typedef ::cudamigrate_emulation::Random RAND_STATE(State), RAND_STATE(StateXORWOW_t), RAND_STATE(StatePhilox4_32_10_t);
typedef RAND_STATE(State) RAND_STATE(State_t);

template <typename State>
void RAND(_init)(unsigned long long seed, unsigned long long sequence, unsigned long long skipped, State *state) {
    state->begin(seed, sequence, skipped);
}
template <typename State> unsigned int RAND()(State *state) { return state->next(); }
template <typename State> float RAND(_uniform)(State *state) { return static_cast<float>(state->uniform()); }
template <typename State> double RAND(_uniform_double)(State *state) { return state->uniform(); }
template <typename State> float RAND(_normal)(State *state) { return static_cast<float>(state->normal()); }
template <typename State> double RAND(_normal_double)(State *state) { return state->normal(); }
template <typename State> float2 RAND(_normal2)(State *state) {
    const float first = RAND(_normal)(state);
    return float2{first, RAND(_normal)(state)};
}
template <typename State> float4 RAND(_uniform4)(State *state) {
    const float x = RAND(_uniform)(state), y = RAND(_uniform)(state), z = RAND(_uniform)(state);
    return float4{x, y, z, RAND(_uniform)(state)};
}
template <typename State> float4 RAND(_normal4)(State *state) {
    const float x = RAND(_normal)(state), y = RAND(_normal)(state), z = RAND(_normal)(state);
    return float4{x, y, z, RAND(_normal)(state)};
}

enum RAND(Status_t) { RAND_UPPER(STATUS_SUCCESS) = 0, RAND_UPPER(STATUS_TYPE_ERROR) = 103 };
typedef enum RAND(Status_t) RAND(Status);
enum RAND(RngType_t) {
    RAND_UPPER(RNG_PSEUDO_DEFAULT) = 100,
    RAND_UPPER(RNG_PSEUDO_XORWOW),
    RAND_UPPER(RNG_PSEUDO_MRG32K3A) = 121,
    RAND_UPPER(RNG_PSEUDO_MTGP32) = 141,
    RAND_UPPER(RNG_PSEUDO_PHILOX4_32_10) = 161,
};
typedef ::cudamigrate_emulation::Random *RAND(Generator_t);

inline RAND(Status_t) RAND(CreateGenerator)(RAND(Generator_t) *made, RAND(RngType_t)) {
    return *made = new ::cudamigrate_emulation::Random, RAND_UPPER(STATUS_SUCCESS);
}
inline RAND(Status_t) RAND(DestroyGenerator)(RAND(Generator_t) made) { return delete made, RAND_UPPER(STATUS_SUCCESS); }
inline RAND(Status_t) RAND(SetPseudoRandomGeneratorSeed)(RAND(Generator_t) made, unsigned long long seed) {
    return made->begin(seed, 0, 0), RAND_UPPER(STATUS_SUCCESS);
}
inline RAND(Status_t) RAND(SetGeneratorOffset)(RAND(Generator_t) made, unsigned long long skipped) {
    return made->at += skipped * 0x9e3779b97f4a7c15ull, RAND_UPPER(STATUS_SUCCESS);
}
inline RAND(Status_t) RAND(SetStream)(RAND(Generator_t), API(Stream_t)) { return RAND_UPPER(STATUS_SUCCESS); }

namespace cudamigrate_emulation {
template <typename T, typename Number>
CUDAMIGRATE_EMULATION_UNSEEN RAND(Status_t) fill_random(T *to, size_t count, Number number) {
    for (size_t at = 0; at < count; ++at) to[at] = static_cast<T>(number());
    return RAND_UPPER(STATUS_SUCCESS);
}
}  // namespace cudamigrate_emulation
#define CUDAMIGRATE_EMULATION_FILL(name, T, number, ...)                                           \
    inline RAND(Status_t) RAND(name)(RAND(Generator_t) made, T *to, size_t count, ##__VA_ARGS__) { \
        return ::cudamigrate_emulation::fill_random(to, count, [&] { return number; });            \
    }
CUDAMIGRATE_EMULATION_FILL(Generate, unsigned int, made->next())
CUDAMIGRATE_EMULATION_FILL(GenerateUniform, float, made->uniform())
CUDAMIGRATE_EMULATION_FILL(GenerateUniformDouble, double, made->uniform())
CUDAMIGRATE_EMULATION_FILL(GenerateNormal, float, mean + deviation * made->normal(), float mean, float deviation)
CUDAMIGRATE_EMULATION_FILL(GenerateNormalDouble, double, mean + deviation * made->normal(), double mean,
                           double deviation)
#undef CUDAMIGRATE_EMULATION_FILL
