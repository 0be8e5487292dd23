/* SPDX-License-Identifier: Apache-2.0 */
#include "kubeconfig.h"

#include "base/ctx.h"
#include "base/memory.h"
#include "file.h"
#include "object/json/base64.h"

#include <string.h>
#include <yaml.h>

enum { MAX_FILE_BYTES = 16 << 20, MAX_ENTRIES = 10000 };

typedef struct reader {
    kube__kubeconfig *into;
    kube_ctx *memory;
    const char *file;
    const char *directory;
    yaml_document_t *document;
    kube_error *err;
} reader;

static kube_code fail_at(const reader *r, const yaml_node_t *node, const char *what,
                         const char *detail)
{
    return kube_error_set(r->err, KUBE_ERR_CONFIG, "%s:%zu:%zu: %s%s", r->file,
                          node->start_mark.line + 1, node->start_mark.column + 1, what,
                          detail ? detail : "");
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_null(const yaml_node_t *node)
{
    const char *text;
    if (!node)
        return true;
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return false;
    text = (const char *)node->data.scalar.value;
    return !*text || !strcmp(text, "~") || !strcmp(text, "null") || !strcmp(text, "Null") ||
           !strcmp(text, "NULL");
}

/* The value of @key in a mapping (NULL = an empty one), NULL when it is absent or null. */
static yaml_node_t *member(const reader *r, const yaml_node_t *map, const char *key)
{
    const yaml_node_pair_t *pair;
    if (!map)
        return NULL;
    for (pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        yaml_node_t *name = yaml_document_get_node(r->document, pair->key);
        if (name->type == YAML_SCALAR_NODE && !strcmp((const char *)name->data.scalar.value, key)) {
            yaml_node_t *value = yaml_document_get_node(r->document, pair->value);
            return is_null(value) ? NULL : value;
        }
    }
    return NULL;
}

static kube_code get_text(const reader *r, const yaml_node_t *node, const char *what,
                          const char **out)
{
    const char *text;
    if (node->type != YAML_SCALAR_NODE)
        return fail_at(r, node, what, " must be a string");
    text = (const char *)node->data.scalar.value;
    if (memchr(text, '\0', node->data.scalar.length))
        return fail_at(r, node, what, " contains a NUL byte");
    *out = kube_ctx_strdup(r->memory, text);
    return kube__ctx_check(r->memory, r->err);
}

/* Absent and empty are the same: NULL. */
static kube_code read_text(const reader *r, const yaml_node_t *map, const char *key,
                           const char **out)
{
    const yaml_node_t *node = member(r, map, key);
    kube_code rc = node ? get_text(r, node, key, out) : KUBE_OK;
    if (!rc && *out && !**out)
        *out = NULL;
    return rc;
}

static kube_code read_bool(const reader *r, const yaml_node_t *map, const char *key, bool *out)
{
    const yaml_node_t *node = member(r, map, key);
    const char *text = NULL;
    kube_code rc;
    if (!node)
        return KUBE_OK;
    rc = get_text(r, node, key, &text);
    if (rc)
        return rc;
    *out = !strcmp(text, "true") || !strcmp(text, "True") || !strcmp(text, "TRUE");
    if (!*out && strcmp(text, "false") != 0 && strcmp(text, "False") != 0 &&
        strcmp(text, "FALSE") != 0)
        return fail_at(r, node, key, " must be true or false");
    return KUBE_OK;
}

/* A path, made absolute by the directory of its file (KC-3). */
static kube_code read_path(const reader *r, const yaml_node_t *map, const char *key,
                           const char **out)
{
    kube_code rc = read_text(r, map, key, out);
    if (rc || !*out || **out == '/' || !r->directory)
        return rc;
    *out = kube_printf(r->memory, "%s/%s", r->directory, *out);
    return kube__ctx_check(r->memory, r->err);
}

/* Decodes base64, which may contain blanks. Returns NULL if it is malformed. */
static char *decode_base64(char *text, size_t *len)
{
    uint32_t decoded;
    size_t kept = 0;
    for (const char *c = text; *c; c++) {
        if (!strchr(" \t\r\n", *c))
            text[kept++] = *c;
    }
    text[kept] = '\0';
    if (kept > UINT32_MAX || !kube__base64_decode(text, (uint32_t)kept, &decoded))
        return NULL;
    *len = decoded;
    return text;
}

static kube_code read_pem(const reader *r, const yaml_node_t *map, const char *file_key,
                          const char *data_key, kube__pem *out)
{
    const yaml_node_t *node = member(r, map, data_key);
    const char *text = NULL;
    char *data;
    kube_code rc = read_path(r, map, file_key, &out->file);
    if (!rc)
        rc = read_text(r, map, data_key, &text);
    if (rc || !text)
        return rc;
    data = kube_ctx_strdup(r->memory, text);
    if (!data)
        return kube__ctx_check(r->memory, r->err);
    out->data = decode_base64(data, &out->data_len);
    if (!out->data)
        return fail_at(r, node, data_key, " is not base64");
    if (out->file)
        return fail_at(r, node, file_key, kube_printf(r->memory, " and %s are both set", data_key));
    return KUBE_OK;
}

static kube_code expect_map(const reader *r, const yaml_node_t *node, const char *what)
{
    return node->type == YAML_MAPPING_NODE ? KUBE_OK : fail_at(r, node, what, " must be a mapping");
}

/* ---- entries --------------------------------------------------------------------------------- */

static kube_code read_cluster(const reader *r, const yaml_node_t *map, kube__cluster *cluster)
{
    kube_code rc = read_text(r, map, "server", &cluster->server);
    if (!rc)
        rc = read_text(r, map, "tls-server-name", &cluster->tls_server_name);
    if (!rc)
        rc = read_text(r, map, "proxy-url", &cluster->proxy_url);
    if (!rc)
        rc = read_bool(r, map, "insecure-skip-tls-verify", &cluster->insecure);
    if (!rc)
        rc = read_pem(r, map, "certificate-authority", "certificate-authority-data", &cluster->ca);
    return rc;
}

static kube_code read_groups(const reader *r, const yaml_node_t *map, kube__user *user)
{
    const yaml_node_t *list = member(r, map, "as-groups");
    kube_code rc = KUBE_OK;
    if (!list)
        return KUBE_OK;
    if (list->type != YAML_SEQUENCE_NODE)
        return fail_at(r, list, "as-groups", " must be a list");
    for (yaml_node_item_t *item = list->data.sequence.items.start;
         !rc && item < list->data.sequence.items.top; item++) {
        const char *group = NULL;
        rc = get_text(r, yaml_document_get_node(r->document, *item), "a group", &group);
        if (!rc)
            rc = kube_string_list_append(r->memory, &user->as_groups, group, r->err);
    }
    return rc;
}

static kube_code add_extra(const reader *r, kube__user *user, const char *key,
                           const yaml_node_t *node)
{
    kube__http_header *row;
    if (user->as_extra_count == MAX_ENTRIES)
        return fail_at(r, node, "as-user-extra", " has more than 10000 values");
    user->as_extra =
        kube_list_grow(r->memory, user->as_extra, user->as_extra_count, sizeof *user->as_extra);
    if (!user->as_extra)
        return kube__ctx_check(r->memory, r->err);
    row = &user->as_extra[user->as_extra_count++];
    row->name = key;
    return get_text(r, node, "a value of as-user-extra", &row->value);
}

static kube_code read_extra(const reader *r, const yaml_node_t *map, kube__user *user)
{
    const yaml_node_t *extra = member(r, map, "as-user-extra");
    kube_code rc = extra ? expect_map(r, extra, "as-user-extra") : KUBE_OK;
    if (rc || !extra)
        return rc;
    for (yaml_node_pair_t *pair = extra->data.mapping.pairs.start;
         !rc && pair < extra->data.mapping.pairs.top; pair++) {
        const yaml_node_t *list = yaml_document_get_node(r->document, pair->value);
        const char *key = NULL;
        rc = get_text(r, yaml_document_get_node(r->document, pair->key), "a key", &key);
        if (!rc && list->type != YAML_SEQUENCE_NODE)
            rc = fail_at(r, list, "a value of as-user-extra", " must be a list");
        for (yaml_node_item_t *item = list->data.sequence.items.start;
             !rc && item < list->data.sequence.items.top; item++)
            rc = add_extra(r, user, key, yaml_document_get_node(r->document, *item));
    }
    return rc;
}

static kube_code read_user(const reader *r, const yaml_node_t *map, kube__user *user)
{
    kube_code rc =
        read_pem(r, map, "client-certificate", "client-certificate-data", &user->certificate);
    if (!rc)
        rc = read_pem(r, map, "client-key", "client-key-data", &user->key);
    if (!rc)
        rc = read_text(r, map, "token", &user->token);
    if (!rc)
        rc = read_path(r, map, "tokenFile", &user->token_file);
    if (!rc)
        rc = read_text(r, map, "username", &user->username);
    if (!rc)
        rc = read_text(r, map, "password", &user->password);
    if (!rc)
        rc = read_text(r, map, "as", &user->as);
    if (!rc)
        rc = read_text(r, map, "as-uid", &user->as_uid);
    if (!rc)
        rc = read_groups(r, map, user);
    if (!rc)
        rc = read_extra(r, map, user);
    if (member(r, map, "exec"))
        user->plugin = "exec";
    else if (member(r, map, "auth-provider"))
        user->plugin = "auth-provider";
    return rc;
}

static kube_code read_context(const reader *r, const yaml_node_t *map, kube__context *context)
{
    kube_code rc = read_text(r, map, "cluster", &context->cluster);
    if (!rc)
        rc = read_text(r, map, "user", &context->user);
    if (!rc)
        rc = read_text(r, map, "namespace", &context->namespace_);
    return rc;
}

/* ---- the three lists ------------------------------------------------------------------------- */

const kube__context *kube__kubeconfig_context(const kube__kubeconfig *kubeconfig, const char *name)
{
    for (size_t i = 0; i < kubeconfig->context_count; i++) {
        if (!strcmp(kubeconfig->contexts[i].name, name))
            return &kubeconfig->contexts[i];
    }
    return NULL;
}

const kube__cluster *kube__kubeconfig_cluster(const kube__kubeconfig *kubeconfig, const char *name)
{
    for (size_t i = 0; i < kubeconfig->cluster_count; i++) {
        if (!strcmp(kubeconfig->clusters[i].name, name))
            return &kubeconfig->clusters[i];
    }
    return NULL;
}

const kube__user *kube__kubeconfig_user(const kube__kubeconfig *kubeconfig, const char *name)
{
    for (size_t i = 0; i < kubeconfig->user_count; i++) {
        if (!strcmp(kubeconfig->users[i].name, name))
            return &kubeconfig->users[i];
    }
    return NULL;
}

typedef enum entry_kind { CLUSTERS, USERS, CONTEXTS } entry_kind;

static const struct {
    const char *list; /* "clusters" */
    const char *item; /* "cluster" */
} entry_names[] = {
    [CLUSTERS] = {"clusters", "cluster"},
    [USERS] = {"users", "user"},
    [CONTEXTS] = {"contexts", "context"},
};

static const kube__origin *find_place(const kube__kubeconfig *into, entry_kind kind,
                                      const char *name)
{
    const kube__cluster *cluster = kind == CLUSTERS ? kube__kubeconfig_cluster(into, name) : NULL;
    const kube__user *user = kind == USERS ? kube__kubeconfig_user(into, name) : NULL;
    const kube__context *context = kind == CONTEXTS ? kube__kubeconfig_context(into, name) : NULL;
    return cluster ? &cluster->place : user ? &user->place : context ? &context->place : NULL;
}

/* Appends an entry whose name no earlier file had. */
static kube_code append(const reader *r, entry_kind kind, const char *name, kube__origin place,
                        const yaml_node_t *map)
{
    kube__kubeconfig *into = r->into;
    if (kind == CLUSTERS) {
        kube__cluster *list =
            kube_list_grow(r->memory, into->clusters, into->cluster_count, sizeof *list);
        if (!list)
            return kube__ctx_check(r->memory, r->err);
        into->clusters = list;
        list[into->cluster_count].name = name;
        list[into->cluster_count].place = place;
        return read_cluster(r, map, &list[into->cluster_count++]);
    }
    if (kind == USERS) {
        kube__user *list = kube_list_grow(r->memory, into->users, into->user_count, sizeof *list);
        if (!list)
            return kube__ctx_check(r->memory, r->err);
        into->users = list;
        list[into->user_count].name = name;
        list[into->user_count].place = place;
        return read_user(r, map, &list[into->user_count++]);
    }
    kube__context *list =
        kube_list_grow(r->memory, into->contexts, into->context_count, sizeof *list);
    if (!list)
        return kube__ctx_check(r->memory, r->err);
    into->contexts = list;
    list[into->context_count].name = name;
    list[into->context_count].place = place;
    return read_context(r, map, &list[into->context_count++]);
}

static kube_code read_entry(const reader *r, entry_kind kind, const yaml_node_t *node)
{
    const char *item = entry_names[kind].item;
    const yaml_node_t *body;
    const kube__origin *known;
    const char *name = NULL;
    kube__origin place = {r->file, node->start_mark.line + 1};
    kube_code rc = expect_map(r, node, item);
    if (!rc)
        rc = read_text(r, node, "name", &name);
    if (rc)
        return rc;
    if (!name)
        return fail_at(r, node, item, " has no name");
    known = find_place(r->into, kind, name);
    if (known && known->file == r->file)
        return kube_error_set(r->err, KUBE_ERR_CONFIG,
                              "%s:%zu:%zu: %s \"%s\" is defined twice, first in line %zu", r->file,
                              node->start_mark.line + 1, node->start_mark.column + 1, item, name,
                              known->line);
    if (known)
        return KUBE_OK;
    body = member(r, node, item);
    if (body)
        rc = expect_map(r, body, item);
    return rc ? rc : append(r, kind, name, place, body);
}

static kube_code read_list(const reader *r, const yaml_node_t *root, entry_kind kind)
{
    const yaml_node_t *list = member(r, root, entry_names[kind].list);
    kube_code rc = KUBE_OK;
    if (!list)
        return KUBE_OK;
    if (list->type != YAML_SEQUENCE_NODE)
        return fail_at(r, list, entry_names[kind].list, " must be a list");
    if (list->data.sequence.items.top - list->data.sequence.items.start > MAX_ENTRIES)
        return fail_at(r, list, entry_names[kind].list, " has more than 10000 entries");
    for (yaml_node_item_t *item = list->data.sequence.items.start;
         !rc && item < list->data.sequence.items.top; item++)
        rc = read_entry(r, kind, yaml_document_get_node(r->document, *item));
    return rc;
}

static kube_code read_root(const reader *r, const yaml_node_t *root)
{
    kube_code rc = expect_map(r, root, "a kubeconfig");
    if (!rc)
        rc = read_list(r, root, CLUSTERS);
    if (!rc)
        rc = read_list(r, root, USERS);
    if (!rc)
        rc = read_list(r, root, CONTEXTS);
    if (!rc && !r->into->current_context)
        rc = read_text(r, root, "current-context", &r->into->current_context);
    return rc;
}

/* ---- documents ------------------------------------------------------------------------------- */

static kube_code fail_parse(const yaml_parser_t *parser, const char *file, kube_error *err)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return kube__no_memory(err, "the YAML of %s", file);
    if (parser->error == YAML_READER_ERROR)
        return kube_error_set(err, KUBE_ERR_CONFIG, "%s: %s at byte %zu", file, parser->problem,
                              parser->problem_offset);
    return kube_error_set(err, KUBE_ERR_CONFIG, "%s:%zu:%zu: %s", file,
                          parser->problem_mark.line + 1, parser->problem_mark.column + 1,
                          parser->problem ? parser->problem : "not YAML");
}

static kube_code note_file(kube__kubeconfig *kubeconfig, kube_ctx *memory, const char *file,
                           kube_error *err)
{
    kubeconfig->files = kubeconfig->files ? kube_printf(memory, "%s, %s", kubeconfig->files, file)
                                          : kube_ctx_strdup(memory, file);
    return kube__ctx_check(memory, err);
}

kube_code kube__kubeconfig_add(kube__kubeconfig *kubeconfig, kube_ctx *memory, const char *file,
                               const char *directory, const char *text, size_t len, kube_error *err)
{
    yaml_parser_t parser;
    yaml_document_t document;
    const yaml_node_t *root;
    reader r = {kubeconfig, memory, kube_ctx_strdup(memory, file), directory, &document, err};
    kube_code rc = note_file(kubeconfig, memory, file, err);
    if (rc)
        return rc;
    if (!yaml_parser_initialize(&parser))
        return kube__no_memory(err, "the YAML of %s", file);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
    if (!yaml_parser_load(&parser, &document)) {
        rc = fail_parse(&parser, file, err);
    } else {
        root = yaml_document_get_root_node(&document);
        if (!is_null(root))
            rc = read_root(&r, root);
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    return rc;
}

kube_code kube__kubeconfig_add_file(kube__kubeconfig *kubeconfig, kube_ctx *memory,
                                    const char *file, bool may_lack, kube_error *err)
{
    const char *slash = strrchr(file, '/');
    const char *directory;
    char *text = NULL;
    size_t len = 0;
    bool missing = false;
    kube_code rc = kube__file_read(file, MAX_FILE_BYTES, &text, &len, &missing, err);
    if (rc && missing && may_lack)
        return KUBE_OK;
    if (rc)
        return rc;
    if (!slash)
        directory = ".";
    else if (slash == file)
        directory = "";
    else
        directory = kube_ctx_strndup(memory, file, (size_t)(slash - file));
    rc = directory ? kube__kubeconfig_add(kubeconfig, memory, file, directory, text, len, err)
                   : kube__ctx_check(memory, err);
    kube__file_free(text, len);
    return rc;
}
