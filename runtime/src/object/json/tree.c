/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include "base/ascii.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_NODES = 32, FIRST_SLOTS = 32, HASHED_AT_ONCE = 64 };

void kube__trees_fini(kube__trees *trees)
{
    free(trees->a.nodes);
    free(trees->b.nodes);
    free(trees->slots);
    memset(trees, 0, sizeof *trees);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && kube__is_blank(*p))
        p++;
    return p;
}

/* @p is at the opening quote. */
static const char *skip_string(const char *p)
{
    for (p++; *p != '"'; p++)
        p += *p == '\\';
    return p + 1;
}

static const char *skip_value(const char *p, const char *end)
{
    unsigned depth = 0;
    if (*p == '"')
        return skip_string(p);
    if (*p != '{' && *p != '[') {
        while (p < end && !kube__is_blank(*p) && !strchr(",}]", *p))
            p++;
        return p;
    }
    do {
        if (*p == '"') {
            p = skip_string(p);
        } else {
            depth += *p == '{' || *p == '[';
            depth -= *p == '}' || *p == ']';
            p++;
        }
    } while (depth > 0);
    return p;
}

/* Returns the index of a new node, or 0 if out of memory: node 0 has been made before. */
static uint32_t add_node(kube__tree *tree)
{
    if (tree->len == tree->size) {
        uint32_t size = tree->size ? 2 * tree->size : FIRST_NODES;
        kube__tree_node *nodes =
            size > tree->size ? realloc(tree->nodes, size * sizeof *nodes) : NULL;
        if (!nodes)
            return 0;
        tree->nodes = nodes;
        tree->size = size;
    }
    return tree->len++;
}

static const char *read_members(kube__tree *tree, const char *p, const char *end, unsigned depth);

/* Returns what follows the value, or NULL if out of memory. */
static const char *read_value(kube__tree *tree, const char *p, const char *end, unsigned depth)
{
    if (*p != '{' || depth == 0)
        return skip_value(p, end);
    p = read_members(tree, p + 1, end, depth - 1);
    return p ? p + 1 : NULL;
}

/* As read_value(), from the first member to the end or the brace. */
static const char *read_members(kube__tree *tree, const char *p, const char *end, unsigned depth)
{
    p = skip_space(p, end);
    while (p < end && *p == '"') {
        uint32_t index = add_node(tree);
        kube__member m = {.key = p + 1};
        if (index == 0)
            return NULL;
        p = skip_string(p);
        m.key_len = (size_t)(p - 1 - m.key);
        m.value = skip_space(skip_space(p, end) + 1, end);
        p = read_value(tree, m.value, end, depth);
        if (!p)
            return NULL;
        m.value_len = (size_t)(p - m.value);
        tree->nodes[index] = (kube__tree_node){.member = m, .next = tree->len};
        p = skip_space(p, end);
        if (p < end && *p == ',')
            p = skip_space(p + 1, end);
    }
    return p;
}

static bool read_root(kube__tree *tree, const char *text, size_t len, unsigned depth,
                      const char *(*read)(kube__tree *tree, const char *p, const char *end,
                                          unsigned depth))
{
    const char *end = text + len;
    text = skip_space(text, end);
    tree->len = 0;
    add_node(tree);
    end = tree->len ? read(tree, text, end, depth) : NULL;
    if (!end)
        return false;
    tree->nodes[0] = (kube__tree_node){.member = {.value = text, .value_len = (size_t)(end - text)},
                                       .next = tree->len};
    return true;
}

bool kube__tree_read_value(kube__tree *tree, const char *text, size_t len, unsigned depth)
{
    return read_root(tree, text, len, depth, read_value);
}

bool kube__tree_read_members(kube__tree *tree, const char *text, size_t len, unsigned depth)
{
    return read_root(tree, text, len, depth, read_members);
}

/* ---- matching -------------------------------------------------------------------------------- */

static uint32_t count_members(const kube__tree *tree, uint32_t at)
{
    uint32_t count = 0;
    for (uint32_t i = at + 1; i < tree->nodes[at].next; i = tree->nodes[i].next)
        count++;
    return count;
}

/* At most half of the slots are taken. */
static bool clear_slots(kube__trees *trees, size_t members)
{
    size_t count = FIRST_SLOTS;
    while (count < 2 * members)
        count *= 2;
    if (count > trees->slot_size) {
        kube__tree_slot *slots = realloc(trees->slots, count * sizeof *slots);
        if (!slots)
            return false;
        trees->slots = slots;
        trees->slot_size = count;
    }
    trees->slot_count = count;
    memset(trees->slots, 0, count * sizeof *trees->slots);
    return true;
}

/* Reads a name without its escapes. */
typedef struct reader {
    const char *p;
    const char *end;
    char out[8];
    size_t len; /* of what is in it */
    size_t at;
} reader;

enum { LONE_SURROGATE = 6, NO_TEXT = 256, NAME_END = -1 };

static reader read_name(const kube__member *member)
{
    return (reader){.p = member->key, .end = member->key + member->key_len};
}

/* The next byte, or NAME_END. A surrogate that stays as it is written is no text. */
static int next_byte(reader *r)
{
    if (r->at == r->len) {
        if (r->p == r->end)
            return NAME_END;
        r->len = kube__raw_read_char(&r->p, r->end, r->out);
        r->at = 0;
    }
    return (unsigned char)r->out[r->at++] | (r->len == LONE_SURROGATE ? NO_TEXT : 0);
}

static bool has_escapes(const kube__member *member)
{
    return memchr(member->key, '\\', member->key_len) != NULL;
}

static size_t next_part(reader *r, bool is_plain, char *text, size_t size)
{
    size_t len = 0;
    int c;
    if (is_plain) {
        len = (size_t)(r->end - r->p) < size ? (size_t)(r->end - r->p) : size;
        memcpy(text, r->p, len);
        r->p += len;
        return len;
    }
    while (len < size && (c = next_byte(r)) != NAME_END)
        text[len++] = (char)c;
    return len;
}

/* Part by part, so that a name without escapes need not be kept. */
static uint64_t hash_name(const kube__member *member)
{
    reader r = read_name(member);
    bool is_plain = !has_escapes(member);
    char text[HASHED_AT_ONCE];
    uint64_t hash = 0;
    size_t len;
    do {
        len = next_part(&r, is_plain, text, sizeof text);
        hash = kube__hash(hash, text, len);
    } while (len == sizeof text);
    return hash;
}

/* One name may be spelled with escapes, and the other with others or with none. */
static bool same_name(const kube__member *a, const kube__member *b)
{
    reader x = read_name(a);
    reader y = read_name(b);
    int c;
    int d;
    if (a->key_len == b->key_len && !memcmp(a->key, b->key, a->key_len))
        return true;
    if (!has_escapes(a) && !has_escapes(b))
        return false;
    do {
        c = next_byte(&x);
        d = next_byte(&y);
    } while (c == d && c != NAME_END);
    return c == d;
}

/* The slot of a name, or the free one where it belongs. */
static kube__tree_slot *find_slot(const kube__trees *trees, const kube__member *member)
{
    size_t at = (size_t)hash_name(member);
    for (;; at++) {
        kube__tree_slot *slot = &trees->slots[at & (trees->slot_count - 1)];
        const kube__member *have =
            slot->a ? &trees->a.nodes[slot->a].member : &trees->b.nodes[slot->b].member;
        if ((!slot->a && !slot->b) || same_name(have, member))
            return slot;
    }
}

bool kube__trees_match(kube__trees *trees, uint32_t at_a, uint32_t at_b)
{
    kube__tree_node *a = trees->a.nodes;
    kube__tree_node *b = trees->b.nodes;
    if (!clear_slots(trees,
                     (size_t)count_members(&trees->a, at_a) + count_members(&trees->b, at_b)))
        return false;
    for (uint32_t i = at_a + 1; i < a[at_a].next; i = a[i].next) {
        kube__tree_slot *slot = find_slot(trees, &a[i].member);
        if (slot->a)
            a[slot->a].twin = KUBE__TREE_AGAIN;
        slot->a = i;
        a[i].twin = KUBE__TREE_ALONE;
    }
    for (uint32_t i = at_b + 1; i < b[at_b].next; i = b[i].next) {
        kube__tree_slot *slot = find_slot(trees, &b[i].member);
        if (slot->b)
            b[slot->b].twin = KUBE__TREE_AGAIN;
        slot->b = i;
        b[i].twin = slot->a;
        if (slot->a)
            a[slot->a].twin = i;
    }
    return true;
}
