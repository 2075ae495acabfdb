// redux.sync of floats against the words of the PTX ISA, on emulated wavefronts of 32 and 64 lanes: float_reductions COUNT.
#include "wavefront.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "cudamigrate_ptx.h"

namespace {

std::mt19937 draw(31);
const unsigned int edges[] = {0u, 0x80000000u, 1u, 0x80000001u, 0x7fffffu, 0x800000u, 0x3f800000u, 0xbf800000u,
                              0x7f7fffffu, 0xff7fffffu, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc12345u, 0x7f800001u, 0x7fffffffu};
typedef float (*Function)(unsigned int, float);
const struct {
    const char *name;
    Function ours;
    bool largest, nan;
} functions[] = {{"max", cudamigrate::redux_max, true, false},
                 {"min", cudamigrate::redux_min, false, false},
                 {"max.NaN", cudamigrate::redux_max_nan, true, true},
                 {"min.NaN", cudamigrate::redux_min_nan, false, true}};

unsigned int given[64], made[64], masks[64];

bool less(float a, float b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

unsigned int expected(bool largest, bool nan, int first, unsigned int mask) {
    bool any = false, missing = false;
    float best = 0.0f;
    for (int at = 0; at < 32; ++at) {
        if ((mask >> at & 1u) == 0u) continue;
        const float x = cudamigrate::bits<float>(given[first + at]);
        if (x != x) {
            missing = true;
        } else if (!any || (largest ? less(best, x) : less(x, best))) {
            best = x, any = true;
        }
    }
    return !any || (nan && missing) ? 0x7fffffffu : cudamigrate::bits<unsigned int>(best);
}

}  // namespace

int main(int, char **argv) {
    const int count = std::atoi(argv[1]);
    for (const auto &one : functions) {
        for (int trial = 0; trial < count; ++trial) {
            const int lanes = trial % 2 ? 64 : 32, nans = static_cast<int>(draw() % 3);
            for (int at = 0; at < 64; ++at) {
                const unsigned int any = static_cast<unsigned int>(draw());
                given[at] = nans == 0 ? edges[12 + draw() % 4] : nans == 1 ? any : edges[draw() % 16];
            }
            // Lanes of a warp by two masks that share none, or all by one; sometimes a lane alone.
            for (int warp = 0; warp < 2; ++warp) {
                const unsigned int mask = trial % 3 == 0 ? 0xffffffffu : trial % 3 == 1 ? static_cast<unsigned int>(draw()) : 1u << draw() % 32;
                for (int at = 0; at < 32; ++at) masks[32 * warp + at] = mask >> at & 1u ? mask : ~mask;
            }
            wavefront::run(lanes, static_cast<unsigned int>(draw()), [&one] {
                const int lane = wavefront::lane();
                wavefront::branch(1 + static_cast<int>(masks[lane] & 1u));
                made[lane] = cudamigrate::bits<unsigned int>(one.ours(masks[lane], cudamigrate::bits<float>(given[lane])));
            });
            for (int lane = 0; lane < lanes; ++lane) {
                const unsigned int want = expected(one.largest, one.nan, lane / 32 * 32, masks[lane]);
                if (made[lane] == want) continue;
                std::printf("WRONG %s: wavefront of %d, lane %d, mask %x: %x, not %x\n", one.name, lanes, lane, masks[lane], made[lane], want);
                return 1;
            }
        }
        std::printf("%s %d\n", one.name, count);
    }
}
