/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How names turn into other names: C and JSON, kinds and plurals. Each rule is here once, so that
 * clients, CRDs and file names cannot disagree. Results lie in the arena.
 */
#ifndef KUBEGEN_NAMES_H
#define KUBEGEN_NAMES_H

#include "support/arena.h"

#include <stdbool.h>

enum { NAMES_JSON_MAX = 252 }; /* bytes of a JSON name: a schema counts `"name":` in a byte */

/* "v1", "v2beta1"; the leaf directory of an API (G-41). */
bool names_is_version(const char *text);
/* A DNS subdomain in lower case. */
bool names_is_group(const char *text);
/* A DNS label in lower case: a resource, a short name. */
bool names_is_label(const char *text);
/* Lower-case letters, digits and single underscores, a letter first; a `_` at the end is allowed.
 */
bool names_is_snake(const char *text);
/* The same without a `_` at the end; two between words are allowed, as libraries mark what is
 * internal. */
bool names_is_prefix(const char *text);
/* A directory of headers, which comments and directives name: letters, digits, '-', '_' and dots,
 * none of these first. */
bool names_is_dir(const char *text);
/* An upper-case letter, then letters and digits. */
bool names_is_kind(const char *text);

/* What API names of <group>/<version> begin with: "samplecrd_v1"; "example3.io" → "example3_io". */
char *names_prefix(arena *in, const char *group_dir, const char *version);
/* "app_service" → "AppService". */
char *names_kind(arena *in, const char *snake);
/* "PodCIDR" → "pod_cidr", "podIPs" → "pod_ips", "HTTPRoute" → "http_route". */
char *names_snake(arena *in, const char *camel);
/* The same with one underscore between words and none at the ends: "Pod__cidr_" → "pod_cidr". */
char *names_tidy(arena *in, const char *text);
/* "api_version" → "apiVersion", "namespace_" → "namespace". */
char *names_json(arena *in, const char *snake);
char *names_upper(arena *in, const char *text);
char *names_lower(arena *in, const char *text);
/* The plural by G-17; of a snake_case name its last word's. */
char *names_plural(arena *in, const char *singular);

/*
 * Whether a member of this name would not compile in C or C++, or is a macro somewhere: it is
 * spelled with a trailing `_`.
 */
bool names_is_reserved(const char *text);
#endif /* KUBEGEN_NAMES_H */
