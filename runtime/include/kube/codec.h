/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief JSON to objects and back, paths and differences.
 *
 * Decode refuses, naming the JSON path and the offset: a wrong type, an integer that does not fit,
 * a fraction where an integer belongs, bad UTF-8, `\u0000`, nesting deeper than 200. Unknown
 * members go to the struct's kube_extra; without one they are dropped and the object is partial.
 */
#ifndef KUBE_CODEC_H
#define KUBE_CODEC_H

#include <kube/object.h>

KUBE_BEGIN_DECLS

/** Reads one object into a block held by @p ctx. apiVersion and kind, when there, must be the
 * type's. Trailing text is an error. */
KUBE_CHECKED kube_code kube_decode(kube_ctx *ctx, const kube_type *type, const char *json,
                                   size_t len, kube_object **out, kube_error *err);

typedef enum kube_encode_mode {
    KUBE_ENCODE_PLAIN, /* as declared: what create and update send */
    KUBE_ENCODE_APPLY, /* what server-side apply sends: no unset member, no zero scalar, no empty
                          struct, no status, nothing the server sets, no kube_extra */
    KUBE_ENCODE_APPLY_STATUS, /* the same for the status subresource: metadata's name and
                                 namespace, and status */
} kube_encode_mode;

/** Writes @p object (of @p type) as compact JSON, NUL-terminated, in @p ctx. @p len may be NULL. */
KUBE_CHECKED kube_code kube_encode(kube_ctx *ctx, const kube_type *type, const kube_object *object,
                                   kube_encode_mode mode, const char **json, size_t *len,
                                   kube_error *err);

/**
 * The difference as a JSON merge patch (RFC 7396): `{}` when there is none. Lists are replaced
 * whole, map entries and kube_extra members one by one, what @p new_object lacks becomes null.
 * apiVersion and kind never differ.
 */
KUBE_CHECKED kube_code kube_diff(kube_ctx *ctx, const kube_type *type,
                                 const kube_object *old_object, const kube_object *new_object,
                                 const char **patch, size_t *len, kube_error *err);

/**
 * Looks up a dotted path of JSON names, such as "spec.cidr", "metadata.labels['a.b/c']" or
 * "spec.ports[0].name", and gives its value as text in @p ctx: a string without its quotes,
 * anything else as JSON. Members kept by kube_extra are found too.
 * @return KUBE_ERR_NOT_FOUND when it is absent, KUBE_ERR_ARGUMENT when the path is malformed
 */
KUBE_CHECKED kube_code kube_path_get(kube_ctx *ctx, const kube_type *type,
                                     const kube_object *object, const char *path,
                                     const char **text, kube_error *err);

/**
 * Calls @p visit with each differing leaf path, at most @p max of them; stops early when it
 * returns false. Paths are valid during the call. For "why" of a reconcile and for logs.
 */
KUBE_API void kube_diff_paths(const kube_type *type, const kube_object *old_object,
                              const kube_object *new_object,
                              bool (*visit)(void *arg, const char *path), void *arg, size_t max);

KUBE_END_DECLS

#endif /* KUBE_CODEC_H */
