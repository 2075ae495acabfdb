// The warp classes of CUB and hipCUB, and the functions that number lanes. Included by cub.h alone.
namespace CUDAMIGRATE_EMULATION_CUB {

// Where the caller's logical warp lies in the wave: its first lane, its width, its lanes.
template <int Lanes>
struct WarpPlace {
    static int width() { return Lanes > emulation::wave_width() ? emulation::wave_width() : Lanes; }
    static int first() { return emulation::lane() / width() * width(); }
    static int rank() { return emulation::lane() - first(); }
    static std::uint64_t lower(int count) { return (count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1); }
    static std::uint64_t lanes(int count) { return lower(count < width() ? count : width()) << first(); }
    static std::uint64_t lanes() { return lanes(width()); }
};

inline int LaneId() { return emulation::lane() % CUDAMIGRATE_EMULATION_WARP; }
inline int WarpId() { return thread_number() / CUDAMIGRATE_EMULATION_WARP; }

template <typename T, int Lanes = CUDAMIGRATE_EMULATION_WARP, int = 0>
struct WarpReduce {
    struct TempStorage {};
    typedef WarpPlace<Lanes> Place;
    explicit WarpReduce(TempStorage &) {}
    template <typename Combine>
    T Reduce(T value, Combine combine) {
        return emulation::combined(Place::lanes(), value, combine);
    }
    // Of the first lanes only; the result is the first lane's.
    template <typename Combine>
    T Reduce(T value, Combine combine, int valid) {
        return emulation::combined(Place::lanes(valid), value, combine);
    }
    T Sum(T value) { return Reduce(value, emulation::Add()); }
    T Sum(T value, int valid) { return Reduce(value, emulation::Add(), valid); }
};

template <typename T, int Lanes = CUDAMIGRATE_EMULATION_WARP, int = 0>
struct WarpScan {
    struct TempStorage {};
    typedef WarpPlace<Lanes> Place;
    explicit WarpScan(TempStorage &) {}
    T Broadcast(T value, unsigned int source) {
        return emulation::read_lane(value, Place::first() + static_cast<int>(source));
    }
    template <typename Combine>
    void InclusiveScan(T value, T &made, Combine combine) {
        made = emulation::combined(Place::lanes(Place::rank() + 1), value, combine);
    }
    template <typename Combine>
    void InclusiveScan(T value, T &made, Combine combine, T &all) {
        InclusiveScan(value, made, combine);
        all = Broadcast(made, static_cast<unsigned int>(Place::width() - 1));
    }
    template <typename Combine>
    void ExclusiveScan(T value, T &made, T first, Combine combine) {
        T upto;
        InclusiveScan(value, upto, combine);
        const int below = Place::rank() == 0 ? emulation::lane() : emulation::lane() - 1;
        const T theirs = emulation::read_lane(upto, below);
        made = Place::rank() == 0 ? first : combine(first, theirs);
    }
    template <typename Combine>
    void ExclusiveScan(T value, T &made, T first, Combine combine, T &all) {
        ExclusiveScan(value, made, first, combine);
        all = emulation::combined(Place::lanes(), value, combine);
    }
    void InclusiveSum(T value, T &made) { InclusiveScan(value, made, emulation::Add()); }
    void InclusiveSum(T value, T &made, T &all) { InclusiveScan(value, made, emulation::Add(), all); }
    void ExclusiveSum(T value, T &made) { ExclusiveScan(value, made, T(), emulation::Add()); }
    void ExclusiveSum(T value, T &made, T &all) { ExclusiveScan(value, made, T(), emulation::Add(), all); }
};

// Each lane holds some items; every item of a new place is asked of the lane that has it.
template <typename T, int Items, int Lanes = CUDAMIGRATE_EMULATION_WARP, int = 0>
struct WarpExchange {
    struct TempStorage {};
    typedef WarpPlace<Lanes> Place;
    explicit WarpExchange(TempStorage &) {}
    template <typename U>
    void StripedToBlocked(const T (&in)[Items], U (&out)[Items]) {
        move(in, out, [](int item) {
            const int place = Place::rank() * Items + item;
            return place / Place::width() + place % Place::width() * Items;
        });
    }
    template <typename U>
    void BlockedToStriped(const T (&in)[Items], U (&out)[Items]) {
        move(in, out, [](int item) { return item * Place::width() + Place::rank(); });
    }

private:
    // `from` gives for an item the lane that has it, times the number of items, plus its number there.
    template <typename U, typename From>
    void move(const T (&in)[Items], U (&out)[Items], From from) {
        U made[Items];
        for (int item = 0; item < Items; ++item) {
            const int wanted = from(item), lane = Place::first() + wanted / Items;
            for (int slot = 0; slot < Items; ++slot) {
                const T theirs = emulation::read_lane(in[slot], lane);
                if (slot == wanted % Items) made[item] = theirs;
            }
        }
        for (int item = 0; item < Items; ++item) out[item] = made[item];
    }
};

}  // namespace CUDAMIGRATE_EMULATION_CUB
