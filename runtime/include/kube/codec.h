/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Turns JSON into objects and objects into JSON, looks up paths, and finds differences.
 *
 * Decoding fails for a value of the wrong type, an integer that does not fit, a fraction instead of
 * an integer, invalid UTF-8, and nesting deeper than 10,000; the error names the JSON path and the
 * offset. U+0000 in a string becomes the two bytes C0 80 (see kube_text_has_nul()), and back.
 * Members that the header does not name go to the struct's kube_extra; without one they are
 * dropped, and the object is partial.
 */
#ifndef KUBE_CODEC_H
#define KUBE_CODEC_H

#include <kube/object.h>

KUBE_BEGIN_DECLS

/** Decodes one object, which lives in @p ctx. If apiVersion and kind are given, they must be those
 * of @p type. Text after the object is an error. @p out is the address of a pointer to kube_object
 * or to the struct of the Kind. */
KUBE_CHECKED kube_code kube_decode(kube_ctx *ctx, const kube_type *type, const char *json,
                                   size_t len, void *out, kube_error *err);

typedef enum kube_encode_mode {
    KUBE_ENCODE_PLAIN, /* for create and update: all members that the header declares */
    KUBE_ENCODE_APPLY, /* for server-side apply: leaves out unset members, scalars that are zero,
                          empty structs, the status, kube_extra, and what the server sets */
    KUBE_ENCODE_APPLY_STATUS, /* for apply_status: name and namespace, and the status */
} kube_encode_mode;

/** Encodes @p object, of @p type, as JSON without blanks, in @p ctx. The text ends with NUL; @p len
 * may be NULL. */
KUBE_CHECKED kube_code kube_encode(kube_ctx *ctx, const kube_type *type, const kube_object *object,
                                   kube_encode_mode mode, const char **json, size_t *len,
                                   kube_error *err);

/**
 * Gives the JSON merge patch (RFC 7396), in @p ctx, that turns @p old_object into @p new_object, or
 * `{}` if they are equal. A list that differs is in it as a whole; maps and kube_extra only with
 * the members that differ. What @p new_object lacks is null. apiVersion and kind are never in it.
 */
KUBE_CHECKED kube_code kube_diff(kube_ctx *ctx, const kube_type *type,
                                 const kube_object *old_object, const kube_object *new_object,
                                 const char **patch, size_t *len, kube_error *err);

/**
 * Looks up a path of JSON names, such as "spec.cidr", "metadata.labels['a.b/c']" or
 * "spec.ports[0].name", and gives the value as text in @p ctx: a string without its quotes,
 * anything else as JSON. It also finds members that a kube_extra has kept.
 * @return KUBE_ERR_NOT_FOUND if it is absent, KUBE_ERR_ARGUMENT if the path is malformed
 */
KUBE_CHECKED kube_code kube_path_get(kube_ctx *ctx, const kube_type *type,
                                     const kube_object *object, const char *path, const char **text,
                                     kube_error *err);

/**
 * Calls @p visit with the path of each scalar that differs, for at most @p max of them, until it
 * returns false. A path is valid during the call. The reason of a reconcile names these paths.
 */
KUBE_API void kube_diff_paths(const kube_type *type, const kube_object *old_object,
                              const kube_object *new_object,
                              bool (*visit)(void *arg, const char *path), void *arg, size_t max);

KUBE_END_DECLS

#endif /* KUBE_CODEC_H */
