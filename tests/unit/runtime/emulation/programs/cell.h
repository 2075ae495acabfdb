// A number in memory whose every access is a call: the lanes of an emulated wavefront reach it in lock step, as those
// of AMD's do. Lanes in different branches take turns, and one that is ahead waits where branches meet.
#ifndef EMULATION_CELL_H
#define EMULATION_CELL_H

#include "grid.h"

struct Cell {
    int value;

    Cell() = default;
    Cell(int in_value) : value(in_value) {}
    Cell(const volatile Cell &other) : value(other.read()) {}

    int read() const volatile {
        grid::meet(0);
        return value;
    }
    void write(int in_value) volatile {
        grid::meet(0);
        value = in_value;
    }

    operator int() const volatile { return read(); }
    void operator=(int in_value) volatile { write(in_value); }
    void operator=(const volatile Cell &other) volatile { write(other.read()); }
    void operator+=(int in_value) volatile { write(read() + in_value); }
};

#endif  // EMULATION_CELL_H
