// The shared variables of the program, from the symbol table of its own file.
#ifndef CUDAMIGRATE_EMULATION_ELF_SYMBOLS_H
#define CUDAMIGRATE_EMULATION_ELF_SYMBOLS_H

#include <cstddef>
#include <string>
#include <vector>

namespace cudamigrate_emulation {

// A variable in the program's thread-local block.
struct Symbol {
    std::size_t offset, size;
    std::string name;
};

// All but the machine's own.
const std::vector<Symbol> &shared_symbols();

// The marks that the compiler sets once variables of a class with a constructor are made, which no program names.
const std::vector<Symbol> &shared_marks();

}  // namespace cudamigrate_emulation

#endif  // CUDAMIGRATE_EMULATION_ELF_SYMBOLS_H
