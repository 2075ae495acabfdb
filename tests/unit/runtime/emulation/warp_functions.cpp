// Runs every warp function of cudamigrate_hip.h on emulated wavefronts of 32 and 64 lanes and compares each lane's
// result with the model of CUDA. Prints a table of the calls compared; stops at a result that differs and ends with 1.
//
// usage: warp_functions [beginning of a name]...
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "cudamigrate_hip.h"
#include "model.h"
#include "wavefront.h"

namespace {

using model::Answer;
using model::Arguments;
using model::Mode;
using model::Warp;

struct Function {
    const char *name;
    Answer (*ours)(const Arguments &);
    Answer (*expected)(const Warp &, int self);
};

struct Bytes3 {
    unsigned char byte[3];
};
struct Record {
    explicit Record(int number) : count(number), scale(1.0f), kind(0) {}
    Record() = default;
    int count;
    float scale;
    short kind;
    short spare;
};

#define OURS [](const Arguments &with)
#define MODEL [](const Warp &warp, int self)

unsigned int exchanged[64];

// Each lane writes, all meet, each reads what its neighbour wrote.
unsigned int through_memory(const Arguments &with) {
    const unsigned int self = __lane_id();
    exchanged[self] = with.value<unsigned int>();
    cudamigrate::syncwarp(with.mask);
    const unsigned int theirs = exchanged[self ^ 1u];
    cudamigrate::syncwarp(with.mask);
    exchanged[self] = 0;
    return theirs;
}

Answer neighbour(const Warp &warp, int self) {
    Answer answer(warp.lane[self ^ 1].value<unsigned int>());
    answer.defined = model::takes_part(warp, self, self ^ 1, true);
    return answer;
}

template <typename T>
void add_matches(std::vector<Function> &all) {
    all.push_back({"match_any_sync", OURS { return Answer(cudamigrate::match_any_sync(with.mask, with.value<T>())); },
                   MODEL { return Answer(model::match_any<T>(warp, self)); }});
    all.push_back({"match_all_sync",
                   OURS {
                       model::MatchAll result = {0, -1};
                       result.mask = cudamigrate::match_all_sync(with.mask, with.value<T>(), &result.predicate);
                       return Answer(result);
                   },
                   MODEL { return Answer(model::match_all<T>(warp, self)); }});
}

template <typename T>
void add_shuffles(std::vector<Function> &all) {
    all.push_back({"shfl_sync",
                   OURS {
                       return Answer(
                           static_cast<T>(cudamigrate::shfl_sync(with.mask, with.value<T>(), with.number, with.width)));
                   },
                   MODEL { return model::shuffle<T>(warp, self, Mode::index); }});
    all.push_back({"shfl_up_sync",
                   OURS {
                       const unsigned int delta = static_cast<unsigned int>(with.number);
                       return Answer(
                           static_cast<T>(cudamigrate::shfl_up_sync(with.mask, with.value<T>(), delta, with.width)));
                   },
                   MODEL { return model::shuffle<T>(warp, self, Mode::up); }});
    all.push_back({"shfl_down_sync",
                   OURS {
                       const unsigned int delta = static_cast<unsigned int>(with.number);
                       return Answer(
                           static_cast<T>(cudamigrate::shfl_down_sync(with.mask, with.value<T>(), delta, with.width)));
                   },
                   MODEL { return model::shuffle<T>(warp, self, Mode::down); }});
    all.push_back(
        {"shfl_xor_sync",
         OURS {
             return Answer(
                 static_cast<T>(cudamigrate::shfl_xor_sync(with.mask, with.value<T>(), with.number, with.width)));
         },
         MODEL { return model::shuffle<T>(warp, self, Mode::butterfly); }});
}

#define REDUCTION(name, T, result)                                                                \
    all.push_back({#name, OURS { return Answer(cudamigrate::name(with.mask, with.value<T>())); }, \
                   MODEL {                                                                        \
                       const auto combine = [](std::int64_t a, std::int64_t b) { return result; }; \
                       return Answer(model::reduce<T>(warp, self, combine));                      \
                   }})

std::vector<Function> functions() {
    std::vector<Function> all = {
        {"lane_id", OURS { return (void)with, Answer(cudamigrate::lane_id()); },
         MODEL { return (void)warp, Answer(self); }},
        {"lanemask_eq", OURS { return (void)with, Answer(cudamigrate::lanemask_eq()); },
         MODEL { return (void)warp, Answer(model::lanemask(self, false, true, false)); }},
        {"lanemask_lt", OURS { return (void)with, Answer(cudamigrate::lanemask_lt()); },
         MODEL { return (void)warp, Answer(model::lanemask(self, true, false, false)); }},
        {"lanemask_le", OURS { return (void)with, Answer(cudamigrate::lanemask_le()); },
         MODEL { return (void)warp, Answer(model::lanemask(self, true, true, false)); }},
        {"lanemask_gt", OURS { return (void)with, Answer(cudamigrate::lanemask_gt()); },
         MODEL { return (void)warp, Answer(model::lanemask(self, false, false, true)); }},
        {"lanemask_ge", OURS { return (void)with, Answer(cudamigrate::lanemask_ge()); },
         MODEL { return (void)warp, Answer(model::lanemask(self, false, true, true)); }},
        {"ballot", OURS { return Answer(cudamigrate::ballot(with.predicate)); },
         MODEL { return Answer(model::ballot(warp, self, false)); }},
        {"any", OURS { return Answer(cudamigrate::any(with.predicate)); },
         MODEL { return Answer(model::any(warp, self, false)); }},
        {"all", OURS { return Answer(cudamigrate::all(with.predicate)); },
         MODEL { return Answer(model::all(warp, self, false)); }},
        {"activemask", OURS { return (void)with, Answer(cudamigrate::activemask()); },
         MODEL { return Answer(model::activemask(warp, self)); }},
        {"ballot_sync", OURS { return Answer(cudamigrate::ballot_sync(with.mask, with.predicate)); },
         MODEL { return Answer(model::ballot(warp, self, true)); }},
        {"any_sync", OURS { return Answer(cudamigrate::any_sync(with.mask, with.predicate)); },
         MODEL { return Answer(model::any(warp, self, true)); }},
        {"all_sync", OURS { return Answer(cudamigrate::all_sync(with.mask, with.predicate)); },
         MODEL { return Answer(model::all(warp, self, true)); }},
        {"uni_sync", OURS { return Answer(cudamigrate::uni_sync(with.mask, with.predicate)); },
         MODEL { return Answer(model::uni(warp, self)); }},
        {"syncwarp", OURS { return Answer(through_memory(with)); }, neighbour},
        {"fns",
         OURS {
             const unsigned int base = static_cast<unsigned int>(with.predicate) & 31u;
             return Answer(cudamigrate::fns(with.value<unsigned int>(), base, with.number));
         },
         MODEL {
             const Arguments &with = warp.lane[self];
             return Answer(model::fns(with.value<unsigned int>(), with.predicate & 31, with.number));
         }},
    };
    add_matches<int>(all);
    add_matches<unsigned int>(all);
    add_matches<long>(all);
    add_matches<unsigned long long>(all);
    add_matches<float>(all);
    add_matches<double>(all);
    add_matches<short>(all);
    REDUCTION(reduce_add_sync, int, a + b);
    REDUCTION(reduce_add_sync, unsigned int, a + b);
    REDUCTION(reduce_min_sync, int, a < b ? a : b);
    REDUCTION(reduce_min_sync, unsigned int, a < b ? a : b);
    REDUCTION(reduce_max_sync, int, a > b ? a : b);
    REDUCTION(reduce_max_sync, unsigned int, a > b ? a : b);
    REDUCTION(reduce_and_sync, unsigned int, a & b);
    REDUCTION(reduce_or_sync, unsigned int, a | b);
    REDUCTION(reduce_xor_sync, unsigned int, a ^ b);
    add_shuffles<int>(all);
    add_shuffles<unsigned char>(all);
    add_shuffles<short>(all);
    add_shuffles<float>(all);
    add_shuffles<unsigned long long>(all);
    add_shuffles<double>(all);
    add_shuffles<void *>(all);
    add_shuffles<Bytes3>(all);
    add_shuffles<Record>(all);
    return all;
}

// Two calls with every lane's arguments, by warps of the wavefront. Between them lanes meet, and some may end.
struct Scenario {
    Warp call[2][2];
};

using Random = std::mt19937;

bool chance(Random &random, int percent) { return static_cast<int>(random() % 100) < percent; }

// Few different values, and such as differ in one bit or in sign only.
std::uint64_t drawn_value(Random &random, std::uint64_t base) {
    static const std::uint64_t edges[] = {
        0, 1, ~0ull, 0x8000000080000000ull, 0x7fffffff7fffffffull, 0x7fc000007fc00000ull};
    switch (random() % 5) {
        case 0: return base;
        case 1: return base ^ std::uint64_t{1} << random() % 64;
        case 2: return edges[random() % 6];
        case 3: return (std::uint64_t{random()} << 32) | random();
        default: return base + random() % 3;
    }
}

void draw_arguments(Random &random, Warp &warp) {
    static const int yes[] = {1, -1, 256, static_cast<int>(0x80000000u)};
    const int likely = static_cast<int>(random() % 4) * 34;  // none, some, most, all
    const bool equal = chance(random, 40);
    const std::uint64_t base = (std::uint64_t{random()} << 32) | random();
    for (Arguments &lane : warp.lane) {
        lane.predicate = chance(random, likely) ? yes[random() % 4] : 0;
        lane.number = static_cast<int>(random() % 140) - 40;
        lane.width = 1 << random() % 6;
        for (int half = 0; half < 2; ++half) {
            const std::uint64_t value = equal && chance(random, 98) ? base : drawn_value(random, base);
            std::memcpy(lane.bytes + 8 * half, &value, 8);
        }
    }
}

// Who runs, in which branch, with whom. `shape` 0: all together; 1: a block that fills the wavefront in part; 2: some
// have ended; 3: branches; 4: several masks in one call; 5: all of that.
void draw_groups(Random &random, int shape, Warp &warp) {
    const bool ends = shape == 2 || shape == 5;
    const int groups = shape < 3 ? 1 : 1 + static_cast<int>(random() % 4);
    int branch_of[4];
    for (int &branch : branch_of) branch = shape == 4 ? 0 : static_cast<int>(random() % 4);
    int group_of[32];
    unsigned int members[4] = {};
    unsigned int gone = 0;
    const int likely = static_cast<int>(random() % 100);
    for (int lane = 0; lane < 32; ++lane) {
        if (ends && chance(random, likely)) warp.exited[lane] = true;
        group_of[lane] = static_cast<int>(random() % groups);
        warp.branch[lane] = branch_of[group_of[lane]];
        (warp.exited[lane] ? gone : members[group_of[lane]]) |= 1u << lane;
    }
    const unsigned int named_too = chance(random, 50) ? gone : gone & random();
    for (int lane = 0; lane < 32; ++lane) warp.lane[lane].mask = members[group_of[lane]] | named_too;
}

Scenario drawn_scenario(Random &random, int warps) {
    Scenario scenario = {};
    const int shape = static_cast<int>(random() % 6);
    const int block = shape == 1 ? 1 + static_cast<int>(random() % (32 * warps)) : 32 * warps;
    for (int round = 0; round < 2; ++round) {
        for (int number = 0; number < warps; ++number) {
            Warp &warp = scenario.call[round][number];
            for (int lane = 0; lane < 32; ++lane) {
                warp.exited[lane] = round == 0 ? 32 * number + lane >= block : scenario.call[0][number].exited[lane];
            }
            draw_arguments(random, warp);
            draw_groups(random, shape, warp);
        }
    }
    return scenario;
}

void complain(const Function &function, int lanes, int lane, const Answer &got, const Answer &wanted) {
    std::printf("WRONG %s, lane %d of %d:", function.name, lane, lanes);
    for (unsigned char byte : got.bytes) std::printf(" %02x", byte);
    std::printf(" instead of");
    for (unsigned char byte : wanted.bytes) std::printf(" %02x", byte);
    std::printf("\n");
}

// Returns the number of results compared, and counts the wrong ones.
int run_scenario(const Function &function, const Scenario &scenario, int lanes, unsigned int seed, int &wrong) {
    static Answer got[2][64];
    wavefront::run(lanes, seed, [&] {
        const int self = wavefront::lane();
        for (int round = 0; round < 2; ++round) {
            const Warp &warp = scenario.call[round][self / 32];
            if (warp.exited[self % 32]) return;
            wavefront::branch(warp.branch[self % 32]);
            got[round][self] = function.ours(warp.lane[self % 32]);
            wavefront::reconverge();
        }
    });
    int compared = 0;
    for (int round = 0; round < 2; ++round) {
        for (int lane = 0; lane < lanes; ++lane) {
            const Warp &warp = scenario.call[round][lane / 32];
            if (warp.exited[lane % 32]) continue;
            const Answer wanted = function.expected(warp, lane % 32);
            compared += wanted.defined;
            if (got[round][lane] == wanted) continue;
            if (wrong++ == 0) complain(function, lanes, lane, got[round][lane], wanted);
        }
    }
    return compared;
}

bool asked_for(const char *name, int count, char **names) {
    for (int at = 1; at < count; ++at) {
        if (std::string(name).rfind(names[at], 0) == 0) return true;
    }
    return count == 1;
}

}  // namespace

int main(int count, char **names) {
    constexpr int scenarios = 360;
    std::map<std::string, std::pair<int, int>> compared;
    int wrong = 0;
    Random random(20240);
    for (const Function &function : functions()) {
        if (!asked_for(function.name, count, names)) continue;
        std::pair<int, int> &calls = compared[function.name];
        for (int number = 0; number < scenarios && wrong == 0; ++number) {
            calls.first += run_scenario(function, drawn_scenario(random, 1), 32, random(), wrong);
            calls.second += run_scenario(function, drawn_scenario(random, 2), 64, random(), wrong);
        }
    }
    std::printf("%-16s %12s %12s\n", "function", "wavefront 32", "wavefront 64");
    for (const auto &row : compared) {
        std::printf("%-16s %12d %12d\n", row.first.c_str(), row.second.first, row.second.second);
    }
    return wrong != 0;
}
