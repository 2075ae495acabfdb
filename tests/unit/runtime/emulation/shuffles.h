// Which lane of the wavefront a shuffle of HIP reads, for the lane that asks and parts of `width` lanes.
#ifndef EMULATION_SHUFFLES_H
#define EMULATION_SHUFFLES_H

#include "wavefront.h"

namespace shuffles {

// Releases of HIP disagree about a lane outside the part: -1, which no lane is.
inline int at(int lane, int width) {
    return lane >= 0 && lane < width ? lane + (wavefront::lane() & ~(width - 1)) : -1;
}
inline int up(unsigned int delta, int width) {
    const int self = wavefront::lane(), from = self - static_cast<int>(delta);
    return from < (self & ~(width - 1)) ? self : from;
}
inline int down(unsigned int delta, int width) {
    const int self = wavefront::lane(), distance = static_cast<int>(delta);
    return (self & (width - 1)) + distance >= width ? self : self + distance;
}
inline int across(int lane_mask, int width) {
    const int self = wavefront::lane(), from = self ^ lane_mask;
    return from >= ((self + width) & ~(width - 1)) ? self : from;
}

}  // namespace shuffles

#endif  // EMULATION_SHUFFLES_H
