// cudamigrate stand-in: clang includes this cuRAND header before every CUDA file; code that uses cuRAND needs the real one.
