/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What generated code, and only generated code, needs of the runtime.
 *
 * A type is described by constant tables: one kube_schema a struct, list or map, one kube_field a
 * JSON member. One engine walks them for decode, encode, copy, equality, path and diff, so the
 * generated functions are typed one-liners. No registry: the linker drops what is not used.
 */
#ifndef KUBE_GENERATED_H
#define KUBE_GENERATED_H

#include <kube/kube.h>

KUBE_BEGIN_DECLS

/** Rises when generated code must be regenerated; types carry its address, so skew cannot link. */
#define KUBE_GENERATED_ABI 1
extern KUBE_API const char kube_abi_1[];

/** How a value is laid out in C and spelled in JSON. */
typedef enum kube_kind {
    KUBE_KIND_STRING,        /* const char * */
    KUBE_KIND_BOOL,          /* bool */
    KUBE_KIND_INT32,         /* int32_t */
    KUBE_KIND_INT64,         /* int64_t */
    KUBE_KIND_DOUBLE,        /* double */
    KUBE_KIND_OPT_BOOL,      /* kube_opt_… */
    KUBE_KIND_OPT_INT32,
    KUBE_KIND_OPT_INT64,
    KUBE_KIND_OPT_DOUBLE,
    KUBE_KIND_TIME,          /* kube_time */
    KUBE_KIND_MICRO_TIME,    /* kube_micro_time */
    KUBE_KIND_DURATION,      /* kube_duration */
    KUBE_KIND_QUANTITY,      /* kube_quantity: JSON string or number */
    KUBE_KIND_INT_OR_STRING, /* kube_int_or_string */
    KUBE_KIND_BYTES,         /* kube_bytes: base64 */
    KUBE_KIND_RAW_JSON,      /* kube_raw_json */
    KUBE_KIND_STRUCT,        /* T: sub is its schema */
    KUBE_KIND_STRUCT_PTR,    /* T *: sub is its schema */
    KUBE_KIND_LIST,          /* {T *items; size_t len;}: sub is a list schema */
    KUBE_KIND_MAP,           /* {entry *items; size_t len;}: sub is a map schema */
    KUBE_KIND_STRING_LIST,   /* kube_string_list */
    KUBE_KIND_STRING_MAP,    /* kube_string_map */
} kube_kind;

enum kube_field_flags {
    KUBE_FIELD_OPTIONAL = 1, /* +optional: a zero is not sent; without it, it is */
    KUBE_FIELD_INTERN = 2,   /* few different values: decode shares them through the pool */
    KUBE_FIELD_SERVER = 4,   /* set by the server: apply mode does not send it */
    KUBE_FIELD_STATUS = 8,   /* the root's status */
    KUBE_FIELD_MANAGED = 16, /* managedFields: an informer may skip it while decoding */
};

enum { KUBE_FIELD_KEY_SIZE = 32, KUBE_NO_EXTRA = 0xffff };

/**
 * One JSON member: 44 bytes and no pointer. `key` holds the member's name as it stands in compact
 * JSON, quotes and colon included, so that decode compares 32 bytes at once under `key_mask` (one
 * bit a byte of `key` that counts).
 */
typedef struct kube_field {
    char key[KUBE_FIELD_KEY_SIZE]; /* `"name":`, zero padded; a longer one is cut, see long_keys */
    uint32_t key_mask;
    uint16_t offset;
    uint16_t sub; /* index into the schema's subs */
    uint8_t kind; /* kube_kind */
    uint8_t flags;
    uint8_t key_len; /* whole length, also when cut */
    uint8_t reserved;
} kube_field;

/**
 * A struct (kind KUBE_KIND_STRUCT), or the element of a list or map (kind KUBE_KIND_LIST, _MAP).
 * For lists and maps `size` is the stride of an element or entry, `element_kind` the kind of what
 * it holds and `subs[0]` that one's schema when it has one; a map's value lies at offset 8.
 */
typedef struct kube_schema {
    const char *name; /* C name without the API prefix rules: for messages and debugging */
    const kube_field *fields;
    const struct kube_schema *const *subs;
    const char *const *long_keys; /* by field, NULL = none is longer than 32 */
    uint32_t size;
    uint16_t field_count;
    uint16_t extra_offset; /* of the kube_extra member, KUBE_NO_EXTRA = none */
    uint8_t kind;          /* KUBE_KIND_STRUCT, KUBE_KIND_LIST or KUBE_KIND_MAP */
    uint8_t element_kind;
    uint8_t element_flags; /* KUBE_FIELD_INTERN */
    uint8_t reserved;
} kube_schema;

/** A row of a struct's table. @p name_ is the JSON name as a literal of at most 29 characters. */
#define KUBE_FIELD(struct_, member_, name_, kind_, flags_, sub_)                                   \
    {"\"" name_ "\":",                                                                             \
     (uint32_t)((UINT64_C(1) << (sizeof(name_) + 2)) - 1),                                         \
     (uint16_t)offsetof(struct_, member_),                                                         \
     (sub_),                                                                                       \
     (kind_),                                                                                      \
     (flags_),                                                                                     \
     (uint8_t)(sizeof(name_) + 2),                                                                 \
     0}
/** The same for a longer name: @p head_ is the first 32 bytes of `"name":`, @p len_ its length. */
#define KUBE_FIELD_LONG(struct_, member_, head_, len_, kind_, flags_, sub_)                        \
    {head_, 0xffffffffu, (uint16_t)offsetof(struct_, member_), (sub_), (kind_), (flags_), (len_), 0}

/**
 * Beside each row: the compiler verifies that the member is what the row says, so a types.h that
 * was edited without running kubegen does not compile.
 */
#define KUBE_CHECK_MEMBER(struct_, member_, type_)                                                 \
    _Static_assert(_Generic(((struct_ *)0)->member_, type_ : 1, default : 0),                      \
                   #struct_ "." #member_ " is not " #type_ ": run kubegen")
#define KUBE_CHECK_ROOT(type_)                                                                     \
    KUBE_CHECK_MEMBER(type_, base, kube_object);                                                   \
    _Static_assert(offsetof(type_, base) == 0, "base is not the first member of " #type_)
#define KUBE_CHECK_LIST(list_, type_) KUBE_CHECK_MEMBER(list_, items, type_ *)
#define KUBE_CHECK_MAP(map_, entry_, type_)                                                        \
    KUBE_CHECK_MEMBER(map_, items, entry_ *);                                                      \
    KUBE_CHECK_MEMBER(entry_, value, type_);                                                       \
    _Static_assert(offsetof(entry_, value) == 8, "the value of " #entry_ " is not at offset 8")

/* Schemas of the shapes and meta types that API structs use. */
extern KUBE_API const kube_schema kube_object_meta_schema;
extern KUBE_API const kube_schema kube_list_meta_schema;
extern KUBE_API const kube_schema kube_owner_reference_schema;
extern KUBE_API const kube_schema kube_managed_fields_entry_schema;
extern KUBE_API const kube_schema kube_label_selector_schema;
extern KUBE_API const kube_schema kube_label_selector_requirement_schema;
extern KUBE_API const kube_schema kube_field_selector_requirement_schema;
extern KUBE_API const kube_schema kube_condition_schema;

/** Copies any struct with a schema into @p ctx; NULL when memory is out or @p in is NULL. */
KUBE_API void *kube_schema_deep_copy(kube_ctx *ctx, const kube_schema *schema, const void *in);
/** Same values; absent and empty differ. */
KUBE_API bool kube_schema_equal(const kube_schema *schema, const void *a, const void *b);

/* ---- typed handlers ------------------------------------------------------------------------ */

/**
 * How a typed handler is called from an untyped informer: generated, so no function pointer is
 * ever cast. `typed` is the runtime's copy of the typed handler struct.
 */
typedef struct kube_handler_thunks {
    void (*on_add)(const void *typed, void *arg, const kube_object *object, bool in_initial_list);
    void (*on_update)(const void *typed, void *arg, const kube_object *old_object,
                      const kube_object *new_object);
    void (*on_delete)(const void *typed, void *arg, const kube_object *object,
                      bool final_state_known);
} kube_handler_thunks;

enum { KUBE_TYPED_HANDLER_MAX = 64 };

/** Registers a typed handler; as kube_informer_add_handler(). @p typed_size ≤ the maximum above. */
KUBE_CHECKED kube_code kube_informer_add_typed_handler(kube_informer *informer,
                                                       const kube_handler_thunks *thunks,
                                                       const void *typed, size_t typed_size,
                                                       void *arg, kube_registration **out,
                                                       kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_GENERATED_H */
