// Thrust's generators on the emulated GPU: those of the standard library, whose numbers differ from Thrust's but are the
// same for both languages.
#ifndef CUDAMIGRATE_EMULATION_THRUST_RANDOM_H
#define CUDAMIGRATE_EMULATION_THRUST_RANDOM_H

#include <complex>
#include <random>

namespace thrust {

using std::complex;
namespace random {
using std::minstd_rand;
using std::minstd_rand0;
using std::normal_distribution;
using std::uniform_int_distribution;
using std::uniform_real_distribution;
typedef std::minstd_rand default_random_engine;
typedef std::ranlux24 ranlux24;
typedef std::mt19937 taus88;
}  // namespace random
using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust

#endif  // CUDAMIGRATE_EMULATION_THRUST_RANDOM_H
