"""Headers that are never a project's own: those of C, POSIX, the C++ library and CUDA, and what they bring."""

from __future__ import annotations

from cudamigrate.lazy_re import re

MACROS_OF_HIP = (
    *(
        b"MASK1",
        b"MASK2",
        b"HW_ID",
        b"HW_ID_CU_ID_SIZE",
        b"HW_ID_CU_ID_OFFSET",
        b"HW_ID_SE_ID_SIZE",
        b"HW_ID_SE_ID_OFFSET",
    ),
    *(b"GETREG_IMMED", b"ICMP_NE", b"MAYBE_UNDEF", b"ADDRESS_SPACE_CONSTANT"),
)
"""Macros without a prefix in the headers of HIP 5.2 and 7.1 that code may have as names of its own."""
TEXT = ("cstring", "string.h")
"""The headers of C's functions on memory and text."""
_SYSTEM = re.compile(
    r"(?:aio|arpa/inet|assert|complex|cpio|ctype|dirent|dlfcn|err|errno|error|execinfo|fcntl|fenv|float"
    r"|fmtmsg|fnmatch|ftw|getopt|glob|grp|iconv|inttypes|iso646|langinfo|libgen|limits|locale|malloc"
    r"|math|monetary|mqueue|net/if|netdb|netinet/in|netinet/tcp|nl_types|omp|poll|pthread|pwd|regex|sched"
    r"|search|semaphore|setjmp|signal|spawn|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib"
    r"|strings|sys/file|sys/ioctl|sys/ipc|sys/mman|sys/msg|sys/param|sys/resource|sys/select|sys/sem|sys/shm"
    r"|sys/socket|sys/stat|sys/statvfs|sys/sysinfo|sys/syscall|sys/time|sys/times|sys/types|sys/uio"
    r"|sys/utsname|sys/wait|syslog|termios|tgmath|time|unistd|utime|values|wchar|wctype|immintrin"
    r"|emmintrin|xmmintrin|x86intrin)[.]h"
)
"""Headers of C and POSIX that do not bring the functions, as g++ 12 preprocesses them; `sys/un.h` and `memory.h` do."""
_KNOWN = re.compile(
    r"[a-z_0-9]+|(?:cu[a-z]+|device|math_|vector|driver|nccl|nv|sm_)\w*\.h(?:pp)?"
    r"|(?:hip|cuda|cub|thrust|hipcub|cooperative_groups|nvtx3)/.*"
    r"|(?:GL|GLUT|GLES\d?|OpenGL|EGL|KHR|CL|curl)/.*|mpi(?:-ext)?\.h"
)
"""Headers of the C++ library, of CUDA, of Khronos, curl and MPI, which do not bring them either, but for `cstring`."""


def is_foreign(path: str) -> bool:
    """Whether a header in angle brackets is one of C, of the C++ library or of CUDA, and none of a project's."""
    return path in TEXT or any(pattern.fullmatch(path) for pattern in (_SYSTEM, _KNOWN))
