/* SPDX-License-Identifier: Apache-2.0 */
#include "reason.h"

#include "base/text.h"
#include "base/utf8.h"

#include <kube/codec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION_MAX = 32,
    CHANGED_PATHS = 8,
    MORE_TEXT = sizeof " and 4294967295 more",
    PATHS_MAX = KUBE__CHANGED_MAX - MORE_TEXT,
    CUT_PATH = 100, /* of one that is longer than all that there is room for */
    OBJECTS_MAX = 4,
};

/* All events of one object since the last run, told as one. */
typedef struct event {
    struct event *next;    /* of another object, before this one */
    const kube_type *type; /* NULL = an enqueue */
    kube_reason_what what;
    unsigned count;
    char *changed;    /* paths, and " and N more"; NULL = nothing known */
    size_t paths_len; /* of the paths in it */
    unsigned more_paths;
    char old_version[VERSION_MAX];
    char new_version[VERSION_MAX];
    kube_key key; /* its text follows */
} event;

struct kube__reason_node {
    kube__keynode node;
    kube__reason_node *next; /* in the book */
    kube__reason_node *previous;
    event *newest;
    unsigned forgotten; /* events of objects beyond OBJECTS_MAX */
};

/* ---- changed paths --------------------------------------------------------------------------- */

/* What every change changes: it says nothing. */
static bool is_bookkeeping(const char *path, size_t len)
{
    static const char managed[] = "metadata.managedFields";
    return (len == strlen("metadata.resourceVersion") &&
            memcmp(path, "metadata.resourceVersion", len) == 0) ||
           (len == strlen("metadata.generation") &&
            memcmp(path, "metadata.generation", len) == 0) ||
           (len >= strlen(managed) && memcmp(path, managed, strlen(managed)) == 0);
}

static bool has_path(const char *text, const char *path, size_t len)
{
    for (const char *p = text; *p;) {
        size_t one = strcspn(p, ",");
        if (one == len && memcmp(p, path, len) == 0)
            return true;
        p += one + (p[one] == ',');
    }
    return false;
}

static void add_path(kube__changed *changed, const char *path, size_t len)
{
    size_t used = strlen(changed->text);
    if (has_path(changed->text, path, len))
        return;
    if (changed->count == CHANGED_PATHS || used + 1 + len >= PATHS_MAX) {
        changed->more++;
        return;
    }
    if (used)
        changed->text[used++] = ',';
    memcpy(changed->text + used, path, len);
    changed->text[used + len] = '\0';
    changed->count++;
}

/* The first path is told in any case, since "" would say that nothing is known. */
static void add_cut_path(kube__changed *changed, const char *path, size_t len)
{
    char text[CUT_PATH + sizeof "..."];
    len = kube__utf8_cut(path, len, CUT_PATH);
    snprintf(text, sizeof text, "%.*s...", (int)len, path);
    add_path(changed, text, strlen(text));
}

/* However long the paths are, there may be many that begin alike: no more is read than is told. */
static bool visit_path(void *arg, const char *path)
{
    kube__changed *changed = arg;
    size_t len = strnlen(path, KUBE__CHANGED_MAX);
    if (is_bookkeeping(path, len))
        return true;
    if (!*changed->text && 1 + len >= PATHS_MAX)
        add_cut_path(changed, path, len);
    else
        add_path(changed, path, len);
    return true;
}

void kube__changed_paths(const kube_change *change, kube__changed *changed)
{
    memset(changed, 0, sizeof *changed);
    if (change->old_object && change->new_object &&
        !kube_meta_same_version(kube_object_metadata(change->old_object),
                                kube_object_metadata(change->new_object)))
        kube_diff_paths(change->type, change->old_object, change->new_object, visit_path, changed,
                        SIZE_MAX);
}

/* If out of memory, what @e had stays. */
static void set_paths(event *e, const kube__changed *changed)
{
    char text[KUBE__CHANGED_MAX + MORE_TEXT];
    char more[MORE_TEXT] = "";
    char *copy;
    if (!*changed->text)
        return;
    if (changed->more)
        snprintf(more, sizeof more, " and %u more", changed->more);
    snprintf(text, sizeof text, "%s%s", changed->text, more);
    copy = strdup(text);
    if (!copy)
        return;
    free(e->changed);
    e->changed = copy;
    e->paths_len = strlen(changed->text);
    e->more_paths = changed->more;
}

static void add_paths_of(kube__changed *changed, const event *e)
{
    const char *text = e->changed;
    const char *end = text ? text + e->paths_len : NULL;
    changed->more += e->more_paths;
    while (text < end) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        size_t len = comma ? (size_t)(comma - text) : (size_t)(end - text);
        add_path(changed, text, len);
        text += len + (comma != NULL);
    }
}

static void join_paths(event *then, const event *first)
{
    kube__changed changed = {.count = 0};
    add_paths_of(&changed, first);
    add_paths_of(&changed, then);
    set_paths(then, &changed);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void copy_text(char *to, size_t size, const char *from)
{
    size_t len = strlen(kube__text_or_empty(from));
    len = kube__utf8_cut(kube__text_or_empty(from), len, size - 1);
    memcpy(to, kube__text_or_empty(from), len);
    to[len] = '\0';
}

static void free_event(event *e)
{
    if (e)
        free(e->changed);
    free(e);
}

static event *event_new(const kube_change *change, const kube__changed *changed)
{
    const kube_object *object = NULL;
    const kube_object_meta *old_meta = NULL;
    const kube_object_meta *new_meta = NULL;
    const char *ns = "";
    const char *name = "";
    event *e;
    char *text;
    if (change) {
        object = change->new_object ? change->new_object : change->old_object;
        ns = kube__text_or_empty(kube_object_metadata(object)->namespace_);
        name = kube__text_or_empty(kube_object_metadata(object)->name);
        old_meta = change->old_object ? kube_object_metadata(change->old_object) : NULL;
        new_meta = change->new_object ? kube_object_metadata(change->new_object) : NULL;
    }
    e = calloc(1, sizeof *e + strlen(ns) + strlen(name) + 2);
    if (!e)
        return NULL;
    text = (char *)(e + 1);
    e->key.namespace_ = memcpy(text, ns, strlen(ns) + 1);
    text += strlen(ns) + 1;
    e->key.name = memcpy(text, name, strlen(name) + 1);
    e->count = 1;
    e->type = change ? change->type : NULL;
    if (changed)
        set_paths(e, changed);
    copy_text(e->old_version, VERSION_MAX, old_meta ? old_meta->resource_version : "");
    copy_text(e->new_version, VERSION_MAX, new_meta ? new_meta->resource_version : "");
    if (!change)
        e->what = KUBE_REASON_ENQUEUE;
    else if (!old_meta || !new_meta)
        e->what = old_meta ? KUBE_REASON_DELETE : KUBE_REASON_ADD;
    else
        e->what =
            kube_meta_same_version(old_meta, new_meta) ? KUBE_REASON_RESYNC : KUBE_REASON_UPDATE;
    return e;
}

static bool is_same_object(const event *a, const event *b)
{
    return a->type && b->type && strcmp(a->type->kind, b->type->kind) == 0 &&
           strcmp(a->type->group, b->type->group) == 0 && strcmp(a->key.name, b->key.name) == 0 &&
           strcmp(a->key.namespace_, b->key.namespace_) == 0;
}

/* What is no news does not take the place of what no run has seen yet. */
static int weight(const event *e)
{
    if (!e->type)
        return 1;
    return e->what == KUBE_REASON_RESYNC ? 0 : 2;
}

/* Makes @then tell of @first too, which came before it. */
static void fold(event *then, const event *first)
{
    then->count += first->count;
    if (*first->old_version)
        memcpy(then->old_version, first->old_version, VERSION_MAX);
    if (then->what != KUBE_REASON_UPDATE)
        return;
    if (first->what != KUBE_REASON_ADD) {
        join_paths(then, first);
        return;
    }
    then->what = first->what; /* no run has seen it yet */
    memcpy(then->old_version, first->old_version, VERSION_MAX);
    free(then->changed);
    then->changed = NULL;
    then->paths_len = 0;
    then->more_paths = 0;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void clear(kube__reason_node *node)
{
    while (node->newest) {
        event *e = node->newest;
        node->newest = e->next;
        free_event(e);
    }
}

void kube__reason_free(kube__reason_node *node)
{
    if (node)
        clear(node);
    free(node);
}

/* Takes the event of the same object out of @node. Returns NULL if it has no such event. */
static event *take_same(kube__reason_node *node, const event *like)
{
    event **link = &node->newest;
    event *e;
    while (*link && !is_same_object(*link, like))
        link = &(*link)->next;
    e = *link;
    if (e)
        *link = e->next;
    return e;
}

static void forget_oldest(kube__reason_node *node)
{
    event **link = &node->newest;
    int count = 1;
    if (!*link)
        return;
    while ((*link)->next) {
        link = &(*link)->next;
        count++;
    }
    if (count <= OBJECTS_MAX)
        return;
    node->forgotten += (*link)->count;
    free_event(*link);
    *link = NULL;
}

/* Enters @e, which is newer than all that @node has, and takes it. */
static void enter(kube__reason_node *node, event *e)
{
    int had = node->newest ? weight(node->newest) : -1;
    event *same;
    if (weight(e) < had || (weight(e) == had && had < 2)) {
        free_event(e);
        return;
    }
    if (had < 2)
        clear(node);
    same = take_same(node, e);
    if (same)
        fold(e, same);
    free_event(same);
    e->next = node->newest;
    node->newest = e;
    forget_oldest(node);
}

/* ---- the book -------------------------------------------------------------------------------- */

kube_code kube__reason_book_init(kube__reason_book *book, kube_error *err)
{
    kube_code rc = kube__mutex_init(&book->mutex, err);
    if (rc)
        return rc;
    book->first = NULL;
    rc = kube__key_table_init(&book->nodes, err);
    if (rc)
        kube__mutex_fini(&book->mutex);
    return rc;
}

static void insert(kube__reason_book *book, kube__reason_node *node)
{
    kube__key_table_insert(&book->nodes, &node->node);
    node->previous = NULL;
    node->next = book->first;
    if (node->next)
        node->next->previous = node;
    book->first = node;
}

static void take_out(kube__reason_book *book, kube__reason_node *node)
{
    kube__key_table_remove(&book->nodes, &node->node);
    if (node->next)
        node->next->previous = node->previous;
    if (node->previous)
        node->previous->next = node->next;
    else
        book->first = node->next;
}

void kube__reason_book_fini(kube__reason_book *book)
{
    while (book->first) {
        kube__reason_node *node = book->first;
        take_out(book, node);
        kube__reason_free(node);
    }
    kube__key_table_fini(&book->nodes);
    kube__mutex_fini(&book->mutex);
}

void kube__reason_note(kube__reason_book *book, kube_key key, const kube_change *change,
                       const kube__changed *changed)
{
    event *e = event_new(change, changed);
    kube__reason_node *node;
    if (!e)
        return;
    kube__lock(&book->mutex);
    node = kube__key_table_find(&book->nodes, key);
    if (!node) {
        node = kube__keynode_new(sizeof *node, key);
        if (node)
            insert(book, node);
    }
    if (node)
        enter(node, e);
    else
        free_event(e);
    kube__unlock(&book->mutex);
}

kube__reason_node *kube__reason_take(kube__reason_book *book, kube_key key)
{
    kube__reason_node *node;
    kube__lock(&book->mutex);
    node = kube__key_table_find(&book->nodes, key);
    if (node)
        take_out(book, node);
    kube__unlock(&book->mutex);
    return node;
}

/* Enters into @older what came since, oldest first. */
static void enter_all(kube__reason_node *older, event *newest)
{
    event *reversed = NULL;
    while (newest) {
        event *next = newest->next;
        newest->next = reversed;
        reversed = newest;
        newest = next;
    }
    while (reversed) {
        event *next = reversed->next;
        enter(older, reversed);
        reversed = next;
    }
}

void kube__reason_put_back(kube__reason_book *book, kube__reason_node *node)
{
    kube__reason_node *since;
    if (!node)
        return;
    kube__lock(&book->mutex);
    since = kube__key_table_find(&book->nodes, node->node.key);
    if (since) {
        take_out(book, since);
        node->forgotten += since->forgotten;
        enter_all(node, since->newest);
        since->newest = NULL;
        kube__reason_free(since);
    }
    insert(book, node);
    kube__unlock(&book->mutex);
}

kube_reason kube__reason_of(const kube__reason_node *node, kube_reason_what otherwise)
{
    const event *e = node ? node->newest : NULL;
    kube_reason why = {.what = otherwise,
                       .old_version = "",
                       .new_version = "",
                       .changed = "",
                       .kind = "",
                       .object = {"", ""}};
    if (!e)
        return why;
    why.what = e->what;
    why.old_version = e->old_version;
    why.new_version = e->new_version;
    why.changed = kube__text_or_empty(e->changed);
    why.kind = e->type ? e->type->kind : "";
    why.object = e->key;
    why.more = node->forgotten;
    for (e = e->next; e; e = e->next)
        why.more += e->count;
    return why;
}

/* ---- as text --------------------------------------------------------------------------------- */

static const char *version_text(const kube_reason *why, char *text, size_t size)
{
    const char *old_version = why->old_version;
    const char *new_version = why->new_version;
    *text = '\0';
    if (*old_version && *new_version && strcmp(old_version, new_version) != 0)
        snprintf(text, size, " %s -> %s", old_version, new_version);
    else if (*old_version || *new_version)
        snprintf(text, size, " %s", *new_version ? new_version : old_version);
    return text;
}

const char *kube_reason_what_name(kube_reason_what what)
{
    static const char *const names[] = {
        [KUBE_REASON_ADD] = "add",         [KUBE_REASON_UPDATE] = "update",
        [KUBE_REASON_DELETE] = "delete",   [KUBE_REASON_RESYNC] = "resync",
        [KUBE_REASON_RETRY] = "retry",     [KUBE_REASON_REQUEUE] = "requeue",
        [KUBE_REASON_ENQUEUE] = "enqueue",
    };
    return (size_t)what < sizeof names / sizeof *names ? names[what] : "unknown";
}

size_t kube__reason_format(const kube_reason *why, char *text, size_t size)
{
    const char *ns = why->object.namespace_;
    char versions[160];
    char more[40] = "";
    int len;
    if (!*why->kind) {
        len = snprintf(text, size, "%s", kube_reason_what_name(why->what));
        return len < 0 ? 0 : (size_t)len;
    }
    if (why->more)
        snprintf(more, sizeof more, ", and %u more", why->more);
    len = snprintf(text, size, "%s of %s %s%s%s%s%s%s%s%s", kube_reason_what_name(why->what),
                   why->kind, ns, *ns ? "/" : "", why->object.name,
                   version_text(why, versions, sizeof versions), *why->changed ? " (" : "",
                   why->changed, *why->changed ? ")" : "", more);
    return len < 0 ? 0 : (size_t)len;
}

const char *kube_reason_text(kube_ctx *ctx, const kube_reason *why)
{
    size_t len = kube__reason_format(why, NULL, 0);
    char *text = kube_ctx_alloc(ctx, len + 1);
    if (text)
        kube__reason_format(why, text, len + 1);
    return text;
}
