// cudamigrate declarations: names and types of helper_string.h of NVIDIA's CUDA samples; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HELPER_STRING_H
#define CUDAMIGRATE_DECLARES_HELPER_STRING_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <fstream>
#include <string>
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define SSCANF sscanf
#define SPRINTF sprintf
int stringRemoveDelimiter(char, const char *);
int getFileExtension(char *, char **);
bool checkCmdLineFlag(int, const char **, const char *);
template <class T> bool getCmdLineArgumentValue(int, const char **, const char *, T *);
int getCmdLineArgumentInt(int, const char **, const char *);
float getCmdLineArgumentFloat(int, const char **, const char *);
bool getCmdLineArgumentString(int, const char **, const char *, char **);
char *sdkFindFilePath(const char *, const char *);
#endif
