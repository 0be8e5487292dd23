/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What generated code needs from the runtime. Programs should not use it.
 *
 * Constant tables describe a type: a kube_schema for each struct, list or map, and a kube_field for
 * each JSON member. The runtime walks them to decode, encode, copy and compare, so that a generated
 * function is one typed line. There is no registry of types; the linker drops those that a program
 * does not use.
 */
#ifndef KUBE_GENERATED_H
#define KUBE_GENERATED_H

#include <kube/object.h>
#include <kube/rbac.h>

KUBE_BEGIN_DECLS

/** Rises when generated code must be regenerated; types carry its address, so skew cannot link. */
#define KUBE_GENERATED_ABI 2
extern KUBE_API const char kube_abi_2[];

/** How a value is laid out in C and spelled in JSON. */
typedef enum kube_kind {
    KUBE_KIND_STRING,   /* const char * */
    KUBE_KIND_BOOL,     /* bool */
    KUBE_KIND_INT32,    /* int32_t */
    KUBE_KIND_INT64,    /* int64_t */
    KUBE_KIND_DOUBLE,   /* double */
    KUBE_KIND_OPT_BOOL, /* kube_opt_… */
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
    KUBE_FIELD_REQUIRED = 0,
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

/* ---- tables -------------------------------------------------------------------------------- */

/*
 * A row says what the member's type must be, and the compiler holds it against the header: a
 * types.h that was edited without running kubegen does not compile, and the message names the
 * member. Most kinds have one type; rows of structs, lists and maps name theirs.
 */
#define KUBE_TYPE_STRING const char *
#define KUBE_TYPE_BOOL bool
#define KUBE_TYPE_INT32 int32_t
#define KUBE_TYPE_INT64 int64_t
#define KUBE_TYPE_DOUBLE double
#define KUBE_TYPE_OPT_BOOL kube_opt_bool
#define KUBE_TYPE_OPT_INT32 kube_opt_int32
#define KUBE_TYPE_OPT_INT64 kube_opt_int64
#define KUBE_TYPE_OPT_DOUBLE kube_opt_double
#define KUBE_TYPE_TIME kube_time
#define KUBE_TYPE_MICRO_TIME kube_micro_time
#define KUBE_TYPE_DURATION kube_duration
#define KUBE_TYPE_QUANTITY kube_quantity
#define KUBE_TYPE_INT_OR_STRING kube_int_or_string
#define KUBE_TYPE_BYTES kube_bytes
#define KUBE_TYPE_RAW_JSON kube_raw_json
#define KUBE_TYPE_STRING_LIST kube_string_list
#define KUBE_TYPE_STRING_MAP kube_string_map

/** Zero; a compile error with this text unless @p holds_. To be added inside an initialiser. */
#define KUBE_REQUIRE(holds_, text_)                                                                \
    (0 * sizeof(struct {                                                                           \
         _Static_assert(holds_, text_);                                                            \
         int unused;                                                                               \
     }))
#define KUBE_REQUIRE_TYPE(struct_, member_, type_)                                                 \
    KUBE_REQUIRE(_Generic(((struct_ *)0)->member_, type_ : 1, default : 0),                        \
                 #struct_ "." #member_ " is not " #type_ ": run kubegen")
#define KUBE_OFFSET(struct_, member_, type_)                                                       \
    (uint16_t)(offsetof(struct_, member_) + KUBE_REQUIRE_TYPE(struct_, member_, type_))
#define KUBE_ROW(struct_, member_, name_, kind_, flags_, type_, sub_)                              \
    {                                                                                              \
        "\"" name_ "\":", (uint32_t)((UINT64_C(1) << (sizeof(name_) + 2)) - 1),                    \
            KUBE_OFFSET(struct_, member_, type_), (sub_), (kind_), (flags_),                       \
            (uint8_t)(sizeof(name_) + 2), 0                                                        \
    }

/**
 * A row of a struct's table. @p name_ is the JSON name as a literal of at most 29 characters,
 * @p kind_ a KUBE_KIND_… and @p flags_ a KUBE_FIELD_…, both without that beginning; further flags
 * follow in full: `OPTIONAL | KUBE_FIELD_INTERN`.
 */
#define KUBE_FIELD(struct_, member_, name_, kind_, flags_)                                         \
    KUBE_ROW(struct_, member_, name_, KUBE_KIND_##kind_, KUBE_FIELD_##flags_, KUBE_TYPE_##kind_, 0)
/** The same for a struct, list or map of type @p type_, whose schema is @p sub_ in the subs. */
#define KUBE_PART(struct_, member_, name_, kind_, flags_, type_, sub_)                             \
    KUBE_ROW(struct_, member_, name_, KUBE_KIND_##kind_, KUBE_FIELD_##flags_, type_, sub_)
/** The same for a longer name: @p head_ is the first 32 bytes of `"name":`, @p len_ its length. */
#define KUBE_FIELD_LONG(struct_, member_, head_, len_, kind_, flags_, type_, sub_)                 \
    {                                                                                              \
        head_, 0xffffffffu, KUBE_OFFSET(struct_, member_, type_), (sub_), KUBE_KIND_##kind_,       \
            KUBE_FIELD_##flags_,                                                                   \
            (uint8_t)((len_) + KUBE_REQUIRE((len_) <= UINT8_MAX,                                   \
                                            #struct_ "." #member_ " has too long a name")),        \
            0                                                                                      \
    }

/** The schemas that the rows of a table number, from 0. */
#define KUBE_SUBS(...)                                                                             \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

#define KUBE_STRUCT_PARTS(struct_, fields_)                                                        \
    .name = #struct_, .fields = (fields_), .size = sizeof(struct_),                                \
    .field_count = sizeof(fields_) / sizeof *(fields_), .kind = KUBE_KIND_STRUCT
/**
 * The schema of a struct. After its table of fields comes that of its subs, or NULL, and then
 * whatever else it has: `.long_keys = …`.
 */
#define KUBE_STRUCT_SCHEMA(struct_, fields_, ...)                                                  \
    {                                                                                              \
        KUBE_STRUCT_PARTS(struct_, fields_), .extra_offset = KUBE_NO_EXTRA, .subs = __VA_ARGS__    \
    }
/** The same for a struct that keeps what its header does not name in member @p extra_. */
#define KUBE_OPEN_STRUCT_SCHEMA(struct_, extra_, fields_, ...)                                     \
    {                                                                                              \
        KUBE_STRUCT_PARTS(struct_, fields_),                                                       \
            .extra_offset = KUBE_OFFSET(struct_, extra_, kube_extra), .subs = __VA_ARGS__          \
    }

/** The schema of a list, or of a map, that holds scalars. */
#define KUBE_LIST_SCHEMA(list_, kind_)                                                             \
    KUBE_LIST_PARTS(list_, KUBE_KIND_##kind_, KUBE_TYPE_##kind_, NULL)
#define KUBE_MAP_SCHEMA(map_, entry_, kind_)                                                       \
    KUBE_MAP_PARTS(map_, entry_, KUBE_KIND_##kind_, KUBE_TYPE_##kind_, NULL)
/** The schema of a list, or of a map, of structs, lists or maps; theirs is @p type_ with _schema.
 */
#define KUBE_LIST_SCHEMA_OF(list_, kind_, type_)                                                   \
    KUBE_LIST_PARTS(list_, KUBE_KIND_##kind_, type_, (const kube_schema *const[]){&type_##_schema})
#define KUBE_MAP_SCHEMA_OF(map_, entry_, kind_, type_)                                             \
    KUBE_MAP_PARTS(map_, entry_, KUBE_KIND_##kind_, type_,                                         \
                   (const kube_schema *const[]){&type_##_schema})
#define KUBE_LIST_PARTS(list_, kind_, type_, subs_)                                                \
    {                                                                                              \
        .name = #list_, .subs = subs_,                                                             \
        .size = sizeof(type_) + KUBE_REQUIRE_TYPE(list_, items, type_ *),                          \
        .extra_offset = KUBE_NO_EXTRA, .kind = KUBE_KIND_LIST, .element_kind = kind_               \
    }
#define KUBE_MAP_PARTS(map_, entry_, kind_, type_, subs_)                                          \
    {                                                                                              \
        .name = #map_, .subs = subs_,                                                              \
        .size = sizeof(entry_) + KUBE_REQUIRE_TYPE(map_, items, entry_ *) +                        \
                KUBE_REQUIRE_TYPE(entry_, value, type_) +                                          \
                KUBE_REQUIRE(offsetof(entry_, value) == 8,                                         \
                             "the value of " #entry_ " is not at offset 8"),                       \
        .extra_offset = KUBE_NO_EXTRA, .kind = KUBE_KIND_MAP, .element_kind = kind_                \
    }

/* ---- typed results ------------------------------------------------------------------------- */

/*
 * A function of libkube that takes `void *out` writes what it found there with memcpy(): a pointer
 * to an object where the caller has a pointer to its struct, a kube_cached_list or kube_event where
 * the caller has the generated struct of the same layout. So the typed functions are one call each,
 * and no list is copied to give its items their type. C gives all pointers to structs one
 * representation (C11 6.2.5); wherever libkube runs, pointers to such pointers have one, too. A
 * declared pointer keeps its own type through memcpy(). Allocated memory formally takes libkube's
 * (C11 6.5), which gcc and clang do not exploit across a library.
 */
#ifdef __cplusplus
#define KUBE_STATIC_ASSERT static_assert
#else
#define KUBE_STATIC_ASSERT _Static_assert
#endif
#define KUBE_CHECK_LAYOUT(typed_, untyped_, member_)                                               \
    KUBE_STATIC_ASSERT(sizeof(typed_) == sizeof(untyped_) &&                                       \
                           offsetof(typed_, member_) == offsetof(untyped_, member_),               \
                       #typed_ " is not laid out as " #untyped_)

/** That a Kind begins with its base. */
#define KUBE_CHECK_ROOT(type_)                                                                     \
    _Static_assert(_Generic(((type_ *)0)->base, kube_object : 1, default : 0) &&                   \
                       offsetof(type_, base) == 0,                                                 \
                   #type_ " does not begin with its kube_object base: run kubegen")

/* Schemas of the shapes and meta types that API structs use. */
extern KUBE_API const kube_schema kube_object_meta_schema;
extern KUBE_API const kube_schema kube_list_meta_schema;
extern KUBE_API const kube_schema kube_owner_reference_schema;
extern KUBE_API const kube_schema kube_managed_fields_entry_schema;
extern KUBE_API const kube_schema kube_label_selector_schema;
extern KUBE_API const kube_schema kube_label_selector_requirement_schema;
extern KUBE_API const kube_schema kube_field_selector_requirement_schema;
extern KUBE_API const kube_schema kube_condition_schema;

/** Copies any struct with a schema into @p ctx. Returns NULL if out of memory or if @p in is NULL.
 */
KUBE_API void *kube_schema_deep_copy(kube_ctx *ctx, const kube_schema *schema, const void *in);
/** Returns whether both have the same values; absent and empty differ. */
KUBE_API bool kube_schema_equal(const kube_schema *schema, const void *a, const void *b);

/* ---- typed handlers ------------------------------------------------------------------------ */

/**
 * A generated function that calls a typed handler on behalf of an untyped informer, so that no
 * function pointer is cast. @p typed is the runtime's copy of the typed handler struct. If there is
 * no old object it calls on_add, and @p flag is in_initial_list; if there is no new one it calls
 * on_delete, and @p flag is final_state_known; otherwise it calls on_update.
 */
typedef void kube_handler_thunk(const void *typed, void *arg, const kube_object *old_object,
                                const kube_object *new_object, bool flag);

enum { KUBE_TYPED_HANDLER_MAX = 64 };

struct kube_informer; /* of <kube/informer.h>, which not every generated file needs */
struct kube_handler_options;
struct kube_registration;

/** Adds a typed handler of at most KUBE_TYPED_HANDLER_MAX bytes, as kube_informer_add_handler(). */
KUBE_CHECKED kube_code kube_informer_add_typed_handler(
    struct kube_informer *informer, kube_handler_thunk *thunk, const void *typed, size_t typed_size,
    void *arg, const struct kube_handler_options *options, size_t options_size,
    struct kube_registration **out, kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_GENERATED_H */
