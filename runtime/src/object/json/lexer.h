/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads JSON tokens in a buffer that ends with zero bytes. This is where most time is spent, so
 * strings and integers are read inline and in blocks. No loop checks for the end of the buffer,
 * because every token ends at a NUL.
 */
#ifndef KUBE_OBJECT_LEXER_H
#define KUBE_OBJECT_LEXER_H

#include "scan.h"

#include <stddef.h>

#define KUBE__LIKELY(x) __builtin_expect(!!(x), 1)
#define KUBE__UNLIKELY(x) __builtin_expect(!!(x), 0)

enum {
    KUBE__LEX_PADDING = 64,       /* zero bytes behind the text; none of them is part of it */
    KUBE__LEX_DEPTH = 200,        /* objects and arrays in one another that are read by recursion */
    KUBE__LEX_SKIP_DEPTH = 10000, /* with those in a value that is skipped; Go's bound */
};

typedef enum kube__lex {
    KUBE__LEX_OK,
    KUBE__LEX_MORE,   /* the text ends in the middle */
    KUBE__LEX_SYNTAX, /* not JSON */
    KUBE__LEX_VALUE,  /* JSON, but not a value that may stand there */
    KUBE__LEX_NO_MEMORY,
} kube__lex;

typedef struct kube__lexer {
    const char *p;
    const char *end;
    const char *what;  /* of SYNTAX and VALUE: what is wrong at p */
    const char *found; /* and what stands there instead, NULL = not to be said */
    unsigned depth;
} kube__lexer;

static inline const char *kube__lex_blanks(const char *p)
{
    while (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')
        p++;
    return p;
}

static inline void kube__lex_space(kube__lexer *lexer)
{
    if (KUBE__UNLIKELY((unsigned char)*lexer->p <= ' '))
        lexer->p = kube__lex_blanks(lexer->p);
}

/* MORE at the end of the text, else SYNTAX. */
kube__lex kube__lex_broken(kube__lexer *lexer, const char *what);
kube__lex kube__lex_refuse(kube__lexer *lexer, const char *at, const char *what);
/* VALUE, with what was found, when a value of another kind is at p; else as broken(). */
kube__lex kube__lex_unexpected(kube__lexer *lexer, const char *what);

/* One escape or character beyond ASCII at *@in, as UTF-8 to *@out (room for 4 bytes); both move.
 * `\u0000` becomes KUBE_TEXT_NUL. */
kube__lex kube__lex_special(kube__lexer *lexer, const char **in, char **out);

/* Copies what needs no look; both move. */
static inline void kube__lex_plain(const char **in, char **out)
{
    const char *from = *in;
    char *to = *out;
    unsigned plain;
    do {
        plain = kube__scan_block(from);
        memcpy(to, from, KUBE__SCAN_BLOCK);
        from += plain;
        to += plain;
    } while (KUBE__UNLIKELY(plain == KUBE__SCAN_BLOCK));
    *in = from;
    *out = to;
}

/* The rest of kube__lex_string() from the first byte on that needs a look. */
kube__lex kube__lex_string_rest(kube__lexer *lexer, const char *in, char *to, char *out,
                                uint32_t *len);

/*
 * The string at p (a quote), decoded to @out, which has room for as many bytes as the text has left
 * and KUBE__SCAN_BLOCK more; it is NUL-terminated there.
 */
static inline __attribute__((always_inline)) kube__lex kube__lex_string(kube__lexer *lexer,
                                                                        char *out, uint32_t *len)
{
    const char *in = lexer->p + 1;
    char *to = out;
    kube__lex_plain(&in, &to);
    if (KUBE__UNLIKELY(*in != '"'))
        return kube__lex_string_rest(lexer, in, to, out, len);
    *to = '\0';
    *len = (uint32_t)(to - out);
    lexer->p = in + 1;
    return KUBE__LEX_OK;
}

/* The integer at p. A fraction or exponent, or a value that does not fit, is refused. */
kube__lex kube__lex_int64(kube__lexer *lexer, int64_t *out);
/* The number at p, checked against JSON's grammar; p moves behind it. */
kube__lex kube__lex_number(kube__lexer *lexer);
/* The number at p as the nearest double, whatever the locale; too large a one is refused. */
kube__lex kube__lex_double(kube__lexer *lexer, double *out);
kube__lex kube__lex_bool(kube__lexer *lexer, bool *out);
/* `null`, when p is at an n. */
kube__lex kube__lex_null(kube__lexer *lexer);
/* Moves behind any value, checked as strictly as one that is read, but for half a surrogate pair,
 * which only stays what it is as text. */
kube__lex kube__lex_skip(kube__lexer *lexer);

#endif /* KUBE_OBJECT_LEXER_H */
