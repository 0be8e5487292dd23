/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Visibility, compiler attributes and the C++ bracket used by every public header; and the
 * one place that says which platforms libkube is for.
 */
#ifndef KUBE_EXPORT_H
#define KUBE_EXPORT_H

#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ != 8
#error "libkube needs a 64-bit platform: its field tables and limits assume pointers of 8 bytes"
#endif

#if defined(__GNUC__) || defined(__clang__)
#define KUBE_API __attribute__((visibility("default")))
#define KUBE__CHECKED __attribute__((warn_unused_result)) /* for libkube's internal functions */
/* A program may call its own variables as a header's function calls its parameters. */
#ifdef __cplusplus
#define KUBE_QUIET_CASTS _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"")
#else
#define KUBE_QUIET_CASTS
#endif
#define KUBE_BEGIN_HEADER                                                                          \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"") KUBE_QUIET_CASTS
#define KUBE_END_HEADER _Pragma("GCC diagnostic pop")
#define KUBE_PRINTF(format_index, first_argument)                                                  \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define KUBE_API
#define KUBE__CHECKED
#define KUBE_BEGIN_HEADER
#define KUBE_END_HEADER
#define KUBE_PRINTF(format_index, first_argument)
#endif
#define KUBE_CHECKED KUBE_API KUBE__CHECKED
/* F_sized() is what the header's F() calls with the size that a struct of options or stats has for
 * the program. So these structs may get members at their end: a program that was built before runs
 * with a newer library, for which what the program does not know is zero. */
#define KUBE_INLINE static inline KUBE__CHECKED /* a header's function whose result matters */

#ifdef __cplusplus
#define KUBE_BEGIN_DECLS                                                                           \
    KUBE_BEGIN_HEADER extern "C"                                                                   \
    {
#define KUBE_END_DECLS                                                                             \
    }                                                                                              \
    KUBE_END_HEADER
#else
#define KUBE_BEGIN_DECLS KUBE_BEGIN_HEADER
#define KUBE_END_DECLS KUBE_END_HEADER
#endif

#endif /* KUBE_EXPORT_H */
