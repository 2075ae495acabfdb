// Runs every function of cudamigrate_groups.h on emulated wavefronts of 32 and 64 lanes and compares each lane's result
// with what CUDA says of the group that the lane is in. Prints a table of the results compared; stops at a result that
// differs and ends with 1.
//
// The model knows a group as the list of its threads, in the order of their ranks. It is built on the side, from who
// runs, where, and with which label. Text is joined too, to see in which order values are combined.
//
// usage: group_functions [beginning of a name]...
//
// Most of it is compiled for eleven kinds of groups: WITHOUT_REDUCTIONS and WITHOUT_SCANS leave out what is not asked for.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "cudamigrate_groups.h"
#include "wavefront.h"

namespace {

namespace cg = cooperative_groups;
using Random = std::mt19937;

constexpr int kinds = 11;
const char *const kind_names[kinds] = {
    "tile of 1", "tile of 2", "tile of 4", "tile of 8", "tile of 16", "tile of 32", "active", "same label",
    "same truth value", "labels of labels", "same boolean",
};

// What one lane brings.
struct Input {
    bool exited, truth;
    int branch, label, second, number;
    unsigned int bits;
    float real;
};

// A few letters: joined in another order they are another text.
struct Text {
    char letters[68];
};
struct Join {
    Text operator()(const Text &a, const Text &b) const {
        Text joined = a;
        std::strncat(joined.letters, b.letters, sizeof(joined.letters) - std::strlen(joined.letters) - 1);
        return joined;
    }
};

Input input[64];
int lanes;
int whole_group;  // threads of a group of the kind that runs, where none is missing

// The threads that are in one group with `self`, by rank.
std::vector<int> group_of(int kind, int self) {
    std::vector<int> threads;
    for (int lane = self / 32 * 32; lane < self / 32 * 32 + 32; ++lane) {
        const Input &mine = input[self], &theirs = input[lane];
        bool together = !theirs.exited && theirs.branch == mine.branch;
        if (kind < 6) together = together && lane >> kind == self >> kind;
        if (kind == 7) together = together && lane / 8 == self / 8 && theirs.label == mine.label;
        if (kind == 8) together = together && theirs.truth == mine.truth;
        if (kind == 10) together = together && lane / 4 == self / 4 && theirs.truth == mine.truth;
        if (kind == 9) together = together && theirs.label == mine.label && theirs.second == mine.second;
        if (together) threads.push_back(lane);
    }
    return threads;
}

int running_kind;

// The number of a group among those that came of one partition, by their first threads, and how many there are.
std::pair<int, int> siblings(const std::vector<int> &group) {
    if (running_kind == 6) return {0, 1};
    const int parent = running_kind == 7 ? 3 : running_kind == 8 ? 5 : running_kind == 10 ? 2 : 6;
    std::vector<int> firsts;
    for (int lane : group_of(parent, group[0])) {
        const bool among = running_kind != 9 || input[lane].label == input[group[0]].label;
        if (among && group_of(running_kind, lane)[0] == lane) firsts.push_back(lane);
    }
    const int count = static_cast<int>(firsts.size());
    if (running_kind == 8 || running_kind == 10) return {count == 2 && input[group[0]].truth, count};
    int number = 0;
    while (firsts[number] != group[0]) ++number;
    return {number, count};
}

Text letter(int lane) {
    Text text = {};
    text.letters[0] = static_cast<char>('0' + lane);
    return text;
}

// A result as bytes, so that those of all types can be kept together.
struct Answer {
    unsigned char bytes[72] = {};
    bool defined = true;
    Answer() = default;
    template <typename T>
    Answer(const T &value) {
        static_assert(sizeof(T) <= sizeof(bytes), "the answer is too large");
        std::memcpy(bytes, &value, sizeof(T));
    }
    bool operator==(const Answer &other) const { return std::memcmp(bytes, other.bytes, sizeof(bytes)) == 0; }
};
Answer text_answer(const Text &text) {
    Text clean = {};
    std::strcpy(clean.letters, text.letters);
    return clean;
}

// What the model says of the thread `self` of a group.
using Expected = std::function<Answer(const std::vector<int> &group, int rank)>;

// The values of a group after a scan with an operation, by rank: as CUDA's headers join them, the lower one second.
template <typename T, typename Combine>
std::vector<T> scanned(std::vector<T> values, Combine combine) {
    for (std::size_t by = 1; by < values.size(); by *= 2) {
        const std::vector<T> before = values;
        for (std::size_t at = by; at < values.size(); ++at) values[at] = combine(before[at], before[at - by]);
    }
    return values;
}

// The result that each thread of a group has: by exchange across where the group is a whole tile or a whole warp, else
// that of the last thread of a scan.
template <typename T, typename Combine>
std::vector<T> reduced(std::vector<T> values, bool whole, Combine combine) {
    if (!whole) return std::vector<T>(values.size(), scanned(values, combine).back());
    for (std::size_t by = values.size() / 2; by > 0; by /= 2) {
        const std::vector<T> before = values;
        for (std::size_t at = 0; at < values.size(); ++at) values[at] = combine(before[at], before[at ^ by]);
    }
    return values;
}

struct Function {
    std::string name;
    Expected expected;
    int number;
};

// The calls, by number; every kind of group makes each of them.
enum Call {
    add_numbers, least, most, all_bits, any_bits, odd_bits, add_reals, join, scan_add, scan_most, scan_join, scan_plain,
    before_add, before_join, before_plain, calls_for_all,
    size = calls_for_all, rank, number, count, shuffle, shuffle_up, shuffle_down, shuffle_text, vote, any, all, match,
    match_all, meet, calls
};

unsigned int written[64];

template <typename Group>
Answer made([[maybe_unused]] const Group &group, int call, [[maybe_unused]] const Input &with) {
    namespace cm = cudamigrate;
    [[maybe_unused]] const int self = wavefront::lane();
    switch (call) {
#ifndef WITHOUT_REDUCTIONS
        case add_numbers: return cm::reduce(group, with.number, cm::plus<int>());
        case least: return cm::reduce(group, with.number, cm::less<int>());
        case most: return cm::reduce(group, with.number, cm::greater<int>());
        case all_bits: return cm::reduce(group, with.bits, cm::bit_and<unsigned int>());
        case any_bits: return cm::reduce(group, with.bits, cm::bit_or<unsigned int>());
        case odd_bits: return cm::reduce(group, with.bits, cm::bit_xor<unsigned int>());
        case add_reals: return cm::reduce(group, with.real, cm::plus<float>());
        case join: return text_answer(cm::reduce(group, letter(self), Join()));
#endif
#ifndef WITHOUT_SCANS
        case scan_add: return cm::inclusive_scan(group, with.number, cm::plus<int>());
        case scan_most: return cm::inclusive_scan(group, with.number, cm::greater<int>());
        case scan_join: return text_answer(cm::inclusive_scan(group, letter(self), Join()));
        case scan_plain: return cm::inclusive_scan(group, with.number);
        case before_add: return cm::exclusive_scan(group, with.number, cm::plus<int>());
        case before_join: return text_answer(cm::exclusive_scan(group, letter(self), Join()));
        case before_plain: return cm::exclusive_scan(group, with.number);
#endif
        default: std::abort();  // it was left out
    }
}

Answer made_of_active(const cudamigrate::coalesced_group &group, int call, const Input &with) {
    const unsigned int by = static_cast<unsigned int>(with.label);
    const int self = wavefront::lane();
    int same = -1;
    switch (call) {
        case size: return group.size() == group.num_threads() ? Answer(group.size()) : Answer(-1);
        case rank: return group.thread_rank();
        case number: return group.meta_group_rank();
        case count: return group.meta_group_size();
        case shuffle: return group.shfl(with.number, with.bits);
        case shuffle_up: return group.shfl_up(with.number, by);
        case shuffle_down: return group.shfl_down(with.number, by);
        case shuffle_text: return text_answer(group.shfl(letter(self), with.bits));
        case vote: return group.ballot(with.truth);
        case any: return group.any(with.truth);
        case all: return group.all(with.truth);
        case match: return group.match_any(with.second);
        case match_all: {
            const unsigned int found = group.match_all(with.second, same);
            return std::pair<unsigned int, int>(found, same);
        }
        case meet: {
            written[self] = with.bits;
            group.sync();
            const unsigned int lowest = static_cast<unsigned int>(__builtin_ctz(group.lanes()));
            const unsigned int theirs = written[static_cast<unsigned int>(self) / 32 * 32 + lowest];
            cg::sync(group);
            written[self] = 0;
            return theirs;
        }
        default: return made(group, call, with);
    }
}

Answer ours(int kind, int call, const Input &with) {
    namespace cm = cudamigrate;
    const cg::thread_block block = cg::this_thread_block();
    switch (kind) {
        case 0: return made(cg::tiled_partition<1>(block), call, with);
        case 1: return made(cg::tiled_partition<2>(block), call, with);
        case 2: return made(cg::tiled_partition<4>(block), call, with);
        case 3: return made(cg::tiled_partition<8>(block), call, with);
        case 4: return made(cg::tiled_partition<16>(block), call, with);
        case 5: return made(cg::tiled_partition<32>(block), call, with);
        case 6: return made_of_active(cm::coalesced_threads(), call, with);
        case 7: return made_of_active(cm::labeled_partition(cg::tiled_partition<8>(block), with.label), call, with);
        case 8: return made_of_active(cm::binary_partition(cg::tiled_partition<32>(block), with.truth), call, with);
        case 10: return made_of_active(cm::labeled_partition(cg::tiled_partition<4>(block), with.truth), call, with);
        default: {
            const cm::coalesced_group peers = cm::labeled_partition(cm::coalesced_threads(), with.label);
            return made_of_active(cm::labeled_partition(peers, with.second), call, with);
        }
    }
}

unsigned int ranks_that(const std::vector<int> &group, const std::function<bool(int)> &holds) {
    unsigned int found = 0;
    for (std::size_t at = 0; at < group.size(); ++at) found |= static_cast<unsigned int>(holds(group[at])) << at;
    return found;
}

int number_of(int lane) { return input[lane].number; }
unsigned int bits_of(int lane) { return input[lane].bits; }
float real_of(int lane) { return input[lane].real; }
int sum(int a, int b) { return a + b; }
int larger(int a, int b) { return a < b ? b : a; }

std::vector<Function> functions() {
    using Threads = const std::vector<int> &;
    const auto end = [](Threads group) { return static_cast<int>(group.size()); };
    const auto all_of = [](Threads group, auto value) {
        std::vector<decltype(value(0))> values;
        for (int lane : group) values.push_back(value(lane));
        return values;
    };
    [[maybe_unused]] const auto reduction = [all_of](auto value, auto combine) {
        return Expected([=](Threads group, int rank) {
            const bool whole = static_cast<int>(group.size()) == whole_group;
            return Answer(reduced(all_of(group, value), whole, combine)[rank]);
        });
    };
    [[maybe_unused]] const auto scan = [all_of](auto value, auto combine, int own) {
        return Expected([=](Threads group, int rank) {
            if (rank + own == 0) return Answer(decltype(value(0))());
            return Answer(scanned(all_of(group, value), combine)[rank + own - 1]);
        });
    };
    const auto member = [](auto answer) {
        return Expected([=](Threads group, int rank) { return Answer(answer(group, rank)); });
    };
    const auto last = [](Threads group) { return static_cast<int>(group.size()) - 1; };
    return {
#ifndef WITHOUT_REDUCTIONS
        {"reduce", reduction(number_of, sum), add_numbers},
        {"reduce", reduction(number_of, [](int a, int b) { return b < a ? b : a; }), least},
        {"reduce", reduction(number_of, larger), most},
        {"reduce", reduction(bits_of, [](unsigned int a, unsigned int b) { return a & b; }), all_bits},
        {"reduce", reduction(bits_of, [](unsigned int a, unsigned int b) { return a | b; }), any_bits},
        {"reduce", reduction(bits_of, [](unsigned int a, unsigned int b) { return a ^ b; }), odd_bits},
        {"reduce", reduction(real_of, [](float a, float b) { return a + b; }), add_reals},
        {"reduce", reduction(letter, Join()), join},
#endif
#ifndef WITHOUT_SCANS
        {"inclusive_scan", scan(number_of, sum, 1), scan_add},
        {"inclusive_scan", scan(number_of, larger, 1), scan_most},
        {"inclusive_scan", scan(letter, Join(), 1), scan_join},
        {"inclusive_scan", scan(number_of, sum, 1), scan_plain},
        {"exclusive_scan", scan(number_of, sum, 0), before_add},
        {"exclusive_scan", scan(letter, Join(), 0), before_join},
        {"exclusive_scan", scan(number_of, sum, 0), before_plain},
#endif
        {"size", member([end](Threads group, int) { return end(group); }), size},
        {"thread_rank", member([](Threads, int rank) { return rank; }), rank},
        {"meta_group_rank", member([](Threads group, int) { return siblings(group).first; }), number},
        {"meta_group_size", member([](Threads group, int) { return siblings(group).second; }), count},
        {"shfl", member([](Threads group, int rank) {
             return input[group[input[group[rank]].bits % group.size()]].number;
         }), shuffle},
        {"shfl_up", member([](Threads group, int rank) {
             const int from = rank - input[group[rank]].label;
             return number_of(group[from < 0 ? rank : from]);
         }), shuffle_up},
        {"shfl_down", member([last](Threads group, int rank) {
             const int from = rank + input[group[rank]].label;
             return number_of(group[from > last(group) ? rank : from]);
         }), shuffle_down},
        {"shfl", member([](Threads group, int rank) {
             return letter(group[input[group[rank]].bits % group.size()]);
         }), shuffle_text},
        {"ballot", member([](Threads group, int) {
             return ranks_that(group, [](int lane) { return input[lane].truth; });
         }), vote},
        {"any", member([](Threads group, int) {
             return static_cast<int>(ranks_that(group, [](int lane) { return input[lane].truth; }) != 0);
         }), any},
        {"all", member([](Threads group, int) {
             return static_cast<int>(ranks_that(group, [](int lane) { return !input[lane].truth; }) == 0);
         }), all},
        {"match_any", member([](Threads group, int rank) {
             const int mine = input[group[rank]].second;
             return ranks_that(group, [mine](int lane) { return input[lane].second == mine; });
         }), match},
        {"match_all", member([](Threads group, int rank) {
             const int mine = input[group[rank]].second;
             const unsigned int others = ranks_that(group, [mine](int lane) { return input[lane].second != mine; });
             const unsigned int everyone = ranks_that(group, [](int) { return true; });
             return std::pair<unsigned int, int>(others == 0 ? everyone : 0, others == 0);
         }), match_all},
        {"sync", member([](Threads group, int) { return bits_of(group[0]); }), meet},
    };
}

bool chance(Random &random, int percent) { return static_cast<int>(random() % 100) < percent; }

// Who runs, in which branch, with which values. Sums of the floats depend on the order in which they are added.
void draw_inputs(Random &random) {
    const int leaving = chance(random, 50) ? 0 : static_cast<int>(random() % 100);
    const int branches = chance(random, 50) ? 1 : 3;
    const int labels = 1 + static_cast<int>(random() % 5);
    const int likely = static_cast<int>(random() % 4) * 34;
    for (Input &lane : input) {
        lane.exited = chance(random, leaving);
        lane.branch = static_cast<int>(random() % branches);
        lane.label = static_cast<int>(random() % labels);
        lane.second = chance(random, 20) ? static_cast<int>(random() % 3) - 1 : 7;
        lane.truth = chance(random, likely);
        lane.number = static_cast<int>(random() % 2001) - 1000;
        lane.bits = random();
        lane.real = static_cast<float>(lane.number) * (1.0f + static_cast<float>(random() % 1000) / 7.0f);
    }
}

int run(const Function &function, int kind, Random &random, int &wrong) {
    static Answer got[64];
    running_kind = kind;
    whole_group = kind < 6 ? 1 << kind : 32;
    draw_inputs(random);
    wavefront::run(lanes, random(), [&] {
        const int self = wavefront::lane();
        if (input[self].exited) return;
        wavefront::branch(input[self].branch);
        got[self] = ours(kind, function.number, input[self]);
        wavefront::reconverge();
    });
    int compared = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        if (input[lane].exited) continue;
        const std::vector<int> group = group_of(kind, lane);
        int rank = 0;
        while (group[rank] != lane) ++rank;
        ++compared;
        if (got[lane] == function.expected(group, rank)) continue;
        if (wrong++ == 0) {
            std::printf("WRONG %s, %s, call %d, lane %d of %d\n", function.name.c_str(), kind_names[kind],
                        function.number, lane, lanes);
        }
    }
    return compared;
}

// What a lane of a tile gets of its neighbours, all of which run.
template <unsigned int Size>
Text shuffled(const std::string &name, const Input &with) {
    namespace cm = cudamigrate;
    const cg::thread_block_tile<Size, cg::thread_block> tile = cg::tiled_partition<Size>(cg::this_thread_block());
    const Text mine = letter(wavefront::lane());
    const unsigned int by = with.bits % 32u;
    if (name == "shfl") return cm::shfl(tile, mine, static_cast<int>(with.bits % 100u));
    if (name == "shfl_up") return cm::shfl_up(tile, mine, by);
    if (name == "shfl_down") return cm::shfl_down(tile, mine, by);
    return cm::shfl_xor(tile, mine, by % Size);
}

template <unsigned int Size>
int run_for_tiles(const std::string &name, Random &random, int &wrong) {
    static Text got[64];
    draw_inputs(random);
    wavefront::run(lanes, random(), [&] { got[wavefront::lane()] = shuffled<Size>(name, input[wavefront::lane()]); });
    const int size = static_cast<int>(Size);
    for (int lane = 0; lane < lanes; ++lane) {
        const int rank = lane % size, by = static_cast<int>(input[lane].bits % 32u);
        const int below = rank < by ? rank : rank - by, above = rank + by < size ? rank + by : rank;
        const int other = name == "shfl" ? static_cast<int>(input[lane].bits % 100u) % size
                        : name == "shfl_up" ? below : name == "shfl_down" ? above : rank ^ by % size;
        if (Answer(got[lane]) == Answer(letter(lane - rank + other))) continue;
        if (wrong++ == 0) std::printf("WRONG %s, tile of %d, lane %d of %d\n", name.c_str(), size, lane, lanes);
    }
    return lanes;
}

// Copies and single calls concern whole blocks: here the block is one wavefront, and all of it runs.
int run_for_block(const std::string &name, Random &random, int &wrong) {
    namespace cm = cudamigrate;
    alignas(16) static unsigned char from[300], to[300], wanted[300];
    static int made, result[64];
    const std::size_t skew = random() % 3, bytes = random() % 250, room = random() % 60, count = random() % 60;
    const bool elements = chance(random, 50);
    for (unsigned char &byte : from) byte = static_cast<unsigned char>(random());
    std::memset(to, 0, sizeof(to));
    std::memset(wanted, 0, sizeof(wanted));
    made = 0;
    const std::size_t copied = elements ? 4 * (room < count ? room : count) : bytes;
    std::memcpy(wanted + (elements ? 0 : skew), from + (elements ? 0 : skew), copied);
    wavefront::run(lanes, random(), [&] {
        const cg::thread_block block = cg::this_thread_block();
        const cg::thread_block_tile<8, cg::thread_block> tile = cg::tiled_partition<8>(block);
        const int self = wavefront::lane();
        if (name == "memcpy_async" || name == "wait" || name == "wait_prior") {
            if (elements) {
                cm::memcpy_async(block, reinterpret_cast<int *>(to), room, reinterpret_cast<const int *>(from), count);
            } else {
                cm::memcpy_async(block, to + skew, from + skew, bytes);
            }
            if (name == "wait_prior") {
                cm::wait_prior<1>(block);
            } else {
                cm::wait(block);
            }
            result[self] = std::memcmp(to, wanted, sizeof(to));
        } else if (name.rfind("pipeline", 0) == 0) {
            alignas(16) static unsigned char copies[64][16];
            const std::size_t size = std::size_t{4} << room % 3, zeros = elements ? count % (size + 1) : 0;
            const unsigned char *source = from + 16 * (self % 16);
            unsigned char expected[16] = {};
            std::memcpy(expected, source, size - zeros);
            std::memset(copies[self], 0, 16);
            std::memset(copies[self], 0xff, size);
            cm::pipeline_memcpy_async(copies[self], source, size, zeros);
            cm::pipeline_commit();
            cm::pipeline_wait_prior(0);
            result[self] = std::memcmp(copies[self], expected, 16);
        } else if (name == "invoke_one") {
            cm::invoke_one(tile, [](int by) { made += by; }, 3);
            result[self] = 0;
        } else {
            result[self] = cm::invoke_one_broadcast(tile, [](int by) { return made += by; }, 1) - 1;
        }
    });
    int compared = 0;
    std::map<int, int> seen;
    for (int lane = 0; lane < lanes; ++lane, ++compared) {
        bool right = result[lane] == 0;
        if (name == "invoke_one") right = made == 3 * lanes / 8;
        if (name == "invoke_one_broadcast") {
            right = made == lanes / 8 && result[lane] == result[lane / 8 * 8] && result[lane] < lanes / 8;
            ++seen[result[lane]];
        }
        if (!right && wrong++ == 0) std::printf("WRONG %s, lane %d of %d\n", name.c_str(), lane, lanes);
    }
    if (name == "invoke_one_broadcast" && static_cast<int>(seen.size()) != lanes / 8 && wrong++ == 0) {
        std::printf("WRONG %s: two tiles got one result\n", name.c_str());
    }
    return compared;
}

bool asked_for(const std::string &name, int count, char **names) {
    for (int at = 1; at < count; ++at) {
        if (name.rfind(names[at], 0) == 0) return true;
    }
    return count == 1;
}

}  // namespace

int main(int count, char **names) {
    std::map<std::string, std::pair<int, int>> compared;
    Random random(7);
    int wrong = 0;
    const auto both = [&](const std::string &name, const std::function<int()> &once) {
        for (int time = 0; time < 30 && wrong == 0; ++time) {
            lanes = 32;
            compared[name].first += once();
            lanes = 64;
            compared[name].second += once();
        }
    };
    for (const Function &function : functions()) {
        if (!asked_for(function.name, count, names)) continue;
        for (int kind = function.number < calls_for_all ? 0 : 6; kind < kinds; ++kind) {
            both(function.name, [&] { return run(function, kind, random, wrong); });
        }
    }
    for (const char *name : {"shfl", "shfl_up", "shfl_down", "shfl_xor"}) {
        if (!asked_for(name, count, names)) continue;
        for (int time = 0; time < 2; ++time) both(name, [&] { return run_for_tiles<4>(name, random, wrong); });
        both(name, [&] { return run_for_tiles<32>(name, random, wrong); });
    }
    for (const char *name : {"memcpy_async", "wait", "wait_prior", "pipeline_memcpy_async", "pipeline_commit",
                             "pipeline_wait_prior", "invoke_one", "invoke_one_broadcast"}) {
        if (!asked_for(name, count, names)) continue;
        for (int time = 0; time < 4; ++time) both(name, [&] { return run_for_block(name, random, wrong); });
    }
    std::printf("%-22s %12s %12s\n", "function", "wavefront 32", "wavefront 64");
    for (const auto &row : compared) {
        std::printf("%-22s %12d %12d\n", row.first.c_str(), row.second.first, row.second.second);
    }
    return wrong != 0;
}
