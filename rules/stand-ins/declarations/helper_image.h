// cudamigrate declarations: names and types of helper_image.h of NVIDIA's CUDA samples; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HELPER_IMAGE_H
#define CUDAMIGRATE_DECLARES_HELPER_IMAGE_H
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
template <class T> bool sdkLoadPGM(const char *, T **, unsigned *, unsigned *);
template <class T> bool sdkSavePGM(const char *, T *, unsigned, unsigned);
template <class T> bool sdkLoadPPM4(const char *, T **, unsigned *, unsigned *);
bool sdkLoadPPM4ub(const char *, unsigned char **, unsigned *, unsigned *);
bool sdkSavePPMub(const char *, unsigned char *, unsigned, unsigned);
bool sdkSavePPM4ub(const char *, unsigned char *, unsigned, unsigned);
template <class T> bool sdkReadFile(const char *, T **, unsigned *, bool);
template <class T, class S> bool sdkWriteFile(const char *, const T *, unsigned, const S, bool, bool = false);
template <class T, class S> bool compareData(const T *, const T *, unsigned, const S, float);
bool sdkCompareL2fe(const float *, const float *, unsigned, float);
bool sdkLoadPPMub(const char *, unsigned char **, unsigned *, unsigned *);
#endif
