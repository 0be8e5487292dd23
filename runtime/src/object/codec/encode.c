/* SPDX-License-Identifier: Apache-2.0 */
#include "encode.h"

#include "base/ctx.h"
#include "base/memory.h"
#include "object/json/raw.h"

#include <math.h>
#include <stdio.h>

/* ---- faults -------------------------------------------------------------------------------- */

bool kube__encode_fault(kube__encoder *e, const char *fault)
{
    e->fault = fault;
    return false;
}

/* Puts @text before the path; what no longer fits shows as dots. */
static bool prepend(kube__encoder *e, const char *text, size_t len)
{
    static const char dots[] = "...";
    bool needs_dot = e->path[e->path_at] != '\0' && e->path[e->path_at] != '[';
    if (e->path_is_cut)
        return false;
    if (e->path_at < len + sizeof dots + 1) {
        e->path_is_cut = true;
        needs_dot = false;
        text = dots;
        len = sizeof dots - 1;
    }
    if (needs_dot)
        e->path[--e->path_at] = '.';
    e->path_at -= len;
    memcpy(e->path + e->path_at, text, len);
    return false;
}

bool kube__fault_in_path(kube__encoder *e, const char *path)
{
    return prepend(e, path, strlen(path));
}

bool kube__fault_in_field(kube__encoder *e, const kube_schema *schema, const kube_field *field)
{
    return prepend(e, kube__field_key(schema, field) + 1, (size_t)field->key_len - 3);
}

static bool fault_in_index(kube__encoder *e, size_t index)
{
    char text[32];
    int len = snprintf(text, sizeof text, "[%zu]", index);
    return prepend(e, text, (size_t)len);
}

bool kube__fault_in_key(kube__encoder *e, const char *key)
{
    char text[80];
    int len = snprintf(text, sizeof text, "['%.70s']", key);
    return prepend(e, text, (size_t)len);
}

kube_code kube__encoder_error(const kube__encoder *e, kube_error *err)
{
    const char *path = e->path + e->path_at;
    if (e->fault == kube__fault_no_memory)
        return kube__no_memory(err, "encoding");
    kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: %s", path, e->fault);
    if (err)
        snprintf(err->field, sizeof err->field, "%s", path);
    return KUBE_ERR_ARGUMENT;
}

static bool or_no_memory(kube__encoder *e, bool written)
{
    return written || kube__encode_fault(e, kube__fault_no_memory);
}

/* ---- values -------------------------------------------------------------------------------- */

void kube__encoder_init(kube__encoder *e, kube_encode_mode mode)
{
    kube__writer_init(&e->w);
    e->apply = mode != KUBE_ENCODE_PLAIN;
    e->optional = e->apply ? KUBE_FIELD_OPTIONAL : 0;
    e->skip = e->apply ? KUBE_FIELD_SERVER | KUBE_FIELD_STATUS | KUBE_FIELD_MANAGED : 0;
    e->fault = kube__fault_no_memory;
    e->path_is_cut = false;
    e->path_at = sizeof e->path - 1;
    e->path[e->path_at] = '\0';
}

void kube__encoder_fini(kube__encoder *e)
{
    kube__writer_fini(&e->w);
}

bool kube__encode_string(kube__encoder *e, const char *text)
{
    switch (kube__write_string(&e->w, text, strlen(text))) {
    case KUBE__WRITTEN:
        return true;
    case KUBE__WRITTEN_BAD_UTF8:
        return kube__encode_fault(e, "not valid UTF-8");
    default:
        return kube__encode_fault(e, kube__fault_no_memory);
    }
}

static bool encode_bool(kube__encoder *e, const void *at)
{
    bool value;
    memcpy(&value, at, sizeof value);
    return or_no_memory(e, value ? kube__write_bytes(&e->w, "true", 4)
                                 : kube__write_bytes(&e->w, "false", 5));
}

static bool encode_int32(kube__encoder *e, const void *at)
{
    int32_t value;
    memcpy(&value, at, sizeof value);
    return or_no_memory(e, kube__write_int64(&e->w, value));
}

static bool encode_int64(kube__encoder *e, const void *at)
{
    int64_t value;
    memcpy(&value, at, sizeof value);
    return or_no_memory(e, kube__write_int64(&e->w, value));
}

static bool encode_double(kube__encoder *e, const void *at)
{
    double value;
    memcpy(&value, at, sizeof value);
    if (!isfinite(value))
        return kube__encode_fault(e, "not a finite number");
    return or_no_memory(e, kube__write_double(&e->w, value));
}

/* Times and durations: digits and letters only, nothing to escape. */
static bool encode_time(kube__encoder *e, unsigned kind, const void *at)
{
    kube_time t;
    kube_micro_time micro;
    kube_duration d;
    char *text;
    size_t len;
    if (!kube__writer_room(&e->w, KUBE_TIME_MAX + 2))
        return kube__encode_fault(e, kube__fault_no_memory);
    text = e->w.at + 1;
    switch (kind) {
    case KUBE_KIND_TIME:
        memcpy(&t, at, sizeof t);
        len = kube_time_format(t, text);
        break;
    case KUBE_KIND_MICRO_TIME:
        memcpy(&micro, at, sizeof micro);
        len = kube_micro_time_format(micro, text);
        break;
    default:
        memcpy(&d, at, sizeof d);
        len = kube_duration_format(d, text);
        break;
    }
    if (len == 0 || (kind != KUBE_KIND_DURATION && text[4] != '-'))
        return kube__encode_fault(e, "year has not four digits"); /* RFC 3339 */
    text[-1] = '"';
    text[len] = '"';
    e->w.at = text + len + 1;
    return true;
}

static bool encode_int_or_string(kube__encoder *e, const void *at)
{
    kube_int_or_string value;
    memcpy(&value, at, sizeof value);
    if (value.text)
        return kube__encode_string(e, value.text);
    return or_no_memory(e, kube__write_int64(&e->w, value.number));
}

static bool encode_raw(kube__encoder *e, const void *at, unsigned depth)
{
    kube__span raw = kube__load_span(at);
    if (!kube__raw_is_value(raw.items, raw.len, kube__raw_depth_left(depth)))
        return kube__encode_fault(e, "not valid JSON");
    return or_no_memory(e, kube__write_bytes(&e->w, raw.items, raw.len));
}

static bool encode_bytes(kube__encoder *e, const void *at)
{
    kube__span bytes = kube__load_span(at);
    return or_no_memory(e,
                        kube__write_base64(&e->w, (const unsigned char *)bytes.items, bytes.len));
}

bool kube__encode_close(kube__encoder *e, size_t start, char open, char close)
{
    if (!kube__writer_room(&e->w, 2))
        return kube__encode_fault(e, kube__fault_no_memory);
    if (kube__writer_len(&e->w) == start)
        e->w.at++;
    e->w.start[start] = open;
    *e->w.at++ = close;
    return true;
}

static bool encode_comma(kube__encoder *e)
{
    if (!kube__writer_room(&e->w, 1))
        return kube__encode_fault(e, kube__fault_no_memory);
    *e->w.at++ = ',';
    return true;
}

/* Inside a list or map absence has no other spelling than null. */
static bool encode_element(kube__encoder *e, unsigned kind, const kube_schema *sub, const void *at,
                           unsigned depth)
{
    if (!kube__value_is_present(kind, 0, sub, at))
        return or_no_memory(e, kube__write_bytes(&e->w, "null", 4));
    return kube__encode_value(e, kind, sub, at, depth);
}

static bool encode_list(kube__encoder *e, const kube_schema *schema, const void *at, unsigned depth)
{
    kube__span list = kube__load_span(at);
    const kube_schema *sub = kube__element_sub(schema);
    size_t start = kube__writer_len(&e->w);
    if (depth == 0)
        return kube__encode_fault(e, "nested deeper than 200");
    for (size_t i = 0; i < list.len; i++)
        if (!encode_comma(e) ||
            !encode_element(e, schema->element_kind, sub, list.items + i * schema->size, depth - 1))
            return fault_in_index(e, i);
    return kube__encode_close(e, start, '[', ']');
}

static bool encode_entry(kube__encoder *e, const kube_schema *schema, const char *entry,
                         unsigned depth)
{
    if (!encode_comma(e) || !kube__encode_string(e, kube__entry_key(entry)) ||
        !kube__writer_room(&e->w, 1))
        return false;
    *e->w.at++ = ':';
    return encode_element(e, schema->element_kind, kube__element_sub(schema),
                          entry + KUBE__MAP_VALUE_OFFSET, depth);
}

/* Sorted by key: decoded maps are, others are put in order, so that output is stable. */
static bool encode_map(kube__encoder *e, const kube_schema *schema, const void *at, unsigned depth)
{
    kube__map_order order;
    const char *key = NULL;
    size_t start = kube__writer_len(&e->w);
    bool ok = false;
    if (depth == 0)
        return kube__encode_fault(e, "nested deeper than 200");
    const char *fault = kube__map_order_init(&order, schema, kube__load_span(at), &key);
    if (fault) {
        kube__encode_fault(e, fault);
        if (key)
            kube__fault_in_key(e, key);
        goto out;
    }
    for (size_t i = 0; i < order.len; i++) {
        const char *entry = kube__map_entry(&order, i);
        if (!encode_entry(e, schema, entry, depth - 1)) {
            kube__fault_in_key(e, kube__entry_key(entry));
            goto out;
        }
    }
    ok = kube__encode_close(e, start, '{', '}');
out:
    kube__map_order_fini(&order);
    return ok;
}

static inline bool put_key(kube__encoder *e, const kube_schema *schema, const kube_field *field)
{
    if (!kube__writer_room(&e->w, (size_t)field->key_len + 1))
        return kube__encode_fault(e, kube__fault_no_memory);
    char *at = e->w.at;
    at[0] = ',';
    if (field->key_len <= KUBE_FIELD_KEY_SIZE)
        memcpy(at + 1, field->key, KUBE_FIELD_KEY_SIZE); /* the rest goes into the slack */
    else
        memcpy(at + 1, kube__field_key(schema, field), field->key_len);
    e->w.at = at + 1 + field->key_len;
    return true;
}

bool kube__encode_key(kube__encoder *e, const kube_schema *schema, const kube_field *field)
{
    return put_key(e, schema, field);
}

static bool encode_field(kube__encoder *e, const kube_schema *schema, const kube_field *field,
                         const char *at, unsigned depth)
{
    size_t before = kube__writer_len(&e->w);
    if (!put_key(e, schema, field))
        return false;
    if (field->kind == KUBE_KIND_STRING) /* most are: no need to go through the switch */
        return kube__encode_string(e, kube__load_pointer(at)) ||
               kube__fault_in_field(e, schema, field);
    size_t value = kube__writer_len(&e->w);
    if (!kube__encode_value(e, field->kind, kube__field_sub(schema, field), at, depth))
        return kube__fault_in_field(e, schema, field);
    /* Apply owns what it sends: a struct in which nothing was set is not sent. */
    if (e->apply && field->kind == KUBE_KIND_STRUCT && kube__writer_len(&e->w) - value == 2)
        kube__writer_cut(&e->w, before);
    return true;
}

static bool encode_extra(kube__encoder *e, const kube_schema *schema, const void *at,
                         unsigned depth)
{
    kube__span extra = kube__load_extra(schema, at);
    if (!extra.items || extra.len == 0)
        return true;
    if (!kube__raw_is_members(extra.items, extra.len, kube__raw_depth_left(depth)))
        return kube__encode_fault(e, "extra members are not valid JSON");
    return encode_comma(e) && or_no_memory(e, kube__write_bytes(&e->w, extra.items, extra.len));
}

/* Whether this mode sends the field; inline for the pointers that most fields are. */
static inline bool is_sent(const kube__encoder *e, const kube_schema *schema,
                           const kube_field *field, const char *at)
{
    if (field->flags & e->skip)
        return false;
    if (kube__kind_in(KUBE__KINDS_POINTER, field->kind))
        return kube__load_pointer(at) != NULL;
    if (e->apply && field->kind == KUBE_KIND_STRUCT)
        return true; /* encode_field() takes it back when it stays empty */
    return kube__value_is_present(field->kind, field->flags | e->optional,
                                  kube__field_sub(schema, field), at);
}

static bool encode_members(kube__encoder *e, const kube_schema *schema, const void *at,
                           unsigned depth)
{
    const kube_field *end = schema->fields + schema->field_count;
    for (const kube_field *field = schema->fields; field < end; field++) {
        const char *slot = (const char *)at + field->offset;
        if (is_sent(e, schema, field, slot) && !encode_field(e, schema, field, slot, depth))
            return false;
    }
    return e->apply || encode_extra(e, schema, at, depth);
}

static bool encode_struct(kube__encoder *e, const kube_schema *schema, const void *at,
                          unsigned depth)
{
    size_t start = kube__writer_len(&e->w);
    if (depth == 0)
        return kube__encode_fault(e, "nested deeper than 200");
    return encode_members(e, schema, at, depth - 1) && kube__encode_close(e, start, '{', '}');
}

bool kube__encode_value(kube__encoder *e, unsigned kind, const kube_schema *sub, const void *at,
                        unsigned depth)
{
    switch (kind) {
    case KUBE_KIND_STRING:
    case KUBE_KIND_QUANTITY:
        return kube__encode_string(e, kube__load_pointer(at));
    case KUBE_KIND_BOOL:
        return encode_bool(e, at);
    case KUBE_KIND_INT32:
        return encode_int32(e, at);
    case KUBE_KIND_INT64:
        return encode_int64(e, at);
    case KUBE_KIND_DOUBLE:
        return encode_double(e, at);
    case KUBE_KIND_OPT_BOOL:
        return encode_bool(e, (const char *)at + offsetof(kube_opt_bool, value));
    case KUBE_KIND_OPT_INT32:
        return encode_int32(e, (const char *)at + offsetof(kube_opt_int32, value));
    case KUBE_KIND_OPT_INT64:
        return encode_int64(e, (const char *)at + offsetof(kube_opt_int64, value));
    case KUBE_KIND_OPT_DOUBLE:
        return encode_double(e, (const char *)at + offsetof(kube_opt_double, value));
    case KUBE_KIND_TIME:
    case KUBE_KIND_MICRO_TIME:
    case KUBE_KIND_DURATION:
        return encode_time(e, kind, at);
    case KUBE_KIND_INT_OR_STRING:
        return encode_int_or_string(e, at);
    case KUBE_KIND_BYTES:
        return encode_bytes(e, at);
    case KUBE_KIND_RAW_JSON:
        return encode_raw(e, at, depth);
    case KUBE_KIND_STRUCT:
        return encode_struct(e, sub, at, depth);
    case KUBE_KIND_STRUCT_PTR:
        return encode_struct(e, sub, kube__load_pointer(at), depth);
    case KUBE_KIND_LIST:
    case KUBE_KIND_STRING_LIST:
        return encode_list(e, sub, at, depth);
    default: /* KUBE_KIND_MAP, KUBE_KIND_STRING_MAP */
        return encode_map(e, sub, at, depth);
    }
}

/* ---- objects ------------------------------------------------------------------------------- */

static bool encode_named(kube__encoder *e, const char *key, size_t key_len, const char *text)
{
    if (!text)
        return true;
    if (!or_no_memory(e, kube__write_bytes(&e->w, key, key_len)))
        return false;
    return kube__encode_string(e, text);
}

static bool encode_type(kube__encoder *e, const kube_type *type)
{
    return encode_named(e, ",\"apiVersion\":", 14, type->api_version) &&
           encode_named(e, ",\"kind\":", 8, type->kind);
}

static bool encode_object(kube__encoder *e, const kube_type *type, const kube_object *object)
{
    return encode_type(e, type) && encode_members(e, type->schema, object, KUBE__MAX_DEPTH - 1) &&
           kube__encode_close(e, 0, '{', '}');
}

static bool encode_name(kube__encoder *e, const kube_object_meta *metadata)
{
    if (!or_no_memory(e, kube__write_bytes(&e->w, ",\"metadata\":", 12)))
        return false;
    size_t start = kube__writer_len(&e->w);
    if (!encode_named(e, ",\"name\":", 8, metadata->name))
        return kube__fault_in_path(e, "metadata.name");
    if (!encode_named(e, ",\"namespace\":", 13, metadata->namespace_))
        return kube__fault_in_path(e, "metadata.namespace");
    return kube__encode_close(e, start, '{', '}');
}

/* Of metadata just what says which object it is: the rest belongs to the main resource. */
static bool encode_status(kube__encoder *e, const kube_type *type, const kube_object *object)
{
    const kube_schema *schema = type->schema;
    const void *metadata = (const char *)object + type->metadata_offset;
    e->skip &= (uint8_t)~KUBE_FIELD_STATUS;
    if (!encode_type(e, type) || !encode_name(e, metadata))
        return false;
    for (unsigned i = 0; i < schema->field_count; i++) {
        const kube_field *field = &schema->fields[i];
        const char *slot = (const char *)object + field->offset;
        if ((field->flags & KUBE_FIELD_STATUS) && is_sent(e, schema, field, slot) &&
            !encode_field(e, schema, field, slot, KUBE__MAX_DEPTH - 1))
            return false;
    }
    return kube__encode_close(e, 0, '{', '}');
}

kube_code kube_encode(kube_ctx *ctx, const kube_type *type, const kube_object *object,
                      kube_encode_mode mode, const char **json, size_t *len, kube_error *err)
{
    kube__encoder e;
    kube_code rc;
    *json = NULL;
    if (len)
        *len = 0;
    rc = kube__ctx_check(ctx, err);
    if (rc)
        return rc;
    if (!object)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "cannot encode: there is no %s",
                              type->singular);
    if (mode == KUBE_ENCODE_APPLY_STATUS && type->status_offset == 0)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s has no status", type->kind);
    kube__encoder_init(&e, mode);
    bool ok = mode == KUBE_ENCODE_APPLY_STATUS ? encode_status(&e, type, object)
                                               : encode_object(&e, type, object);
    rc = ok ? kube__writer_finish(&e.w, ctx, json, len, err) : kube__encoder_error(&e, err);
    kube__encoder_fini(&e);
    return rc;
}
