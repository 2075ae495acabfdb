#include "elf_symbols.h"

#include <cxxabi.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace cudamigrate_emulation {

namespace {

std::string readable(const char *name) {
    int status = 0;
    char *made = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    const std::string text = made == nullptr ? name : made;
    std::free(made);
    const std::size_t last = text.rfind("::");
    return last == std::string::npos ? text : text.substr(last + 2);
}

// Whether the compiler made a variable that says whether others are made.
bool is_mark(const char *name) { return std::strncmp(name, "_ZGV", 4) == 0 || std::strcmp(name, "__tls_guard") == 0; }

// Whether a variable is in the machine's namespace: a program's may have a type of it among its template arguments.
bool is_ours(const char *name) {
    name += std::strspn(name, "_ZGV");
    return std::strncmp(name, "N21cudamigrate_emulation", 24) == 0;
}

struct Found {
    std::vector<Symbol> variables, marks;
};

Found read_symbols() {
    Found found;
    std::ifstream file("/proc/self/exe", std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const auto *header = reinterpret_cast<const ElfW(Ehdr) *>(bytes.data());
    if (bytes.size() < sizeof(*header)) return found;
    const auto *sections = reinterpret_cast<const ElfW(Shdr) *>(bytes.data() + header->e_shoff);
    for (int number = 0; number < header->e_shnum; ++number) {
        const ElfW(Shdr) &section = sections[number];
        if (section.sh_type != SHT_SYMTAB) continue;
        const char *names = bytes.data() + sections[section.sh_link].sh_offset;
        const auto *symbol = reinterpret_cast<const ElfW(Sym) *>(bytes.data() + section.sh_offset);
        const auto *end = symbol + section.sh_size / sizeof(*symbol);
        for (; symbol != end; ++symbol) {
            const char *name = names + symbol->st_name;
            if ((symbol->st_info & 0xf) != STT_TLS || symbol->st_size == 0) continue;
            if (is_ours(name)) continue;
            (is_mark(name) ? found.marks : found.variables).push_back({symbol->st_value, symbol->st_size, readable(name)});
        }
    }
    return found;
}

const Found &symbols() {
    static const Found found = read_symbols();
    return found;
}

}  // namespace

const std::vector<Symbol> &shared_symbols() { return symbols().variables; }
const std::vector<Symbol> &shared_marks() { return symbols().marks; }

}  // namespace cudamigrate_emulation
