/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include "apiserver/core/request.h"

#include <stdio.h>
#include <string.h>

static const kube__api_column name_column = {"Name", "string", "name", "", ".metadata.name", 0};
static const kube__api_column age_column = {"Age", "date", "", "", ".metadata.creationTimestamp",
                                            0};

typedef struct columns { /* of a custom resource: Name, its own or Age */
    const kube__api_column *items;
    size_t len;
} columns;

static columns own_columns(const kube__api_resource *resource)
{
    if (!resource->column_count)
        return (columns){&age_column, 1};
    return (columns){resource->columns, resource->column_count};
}

/* ---- cells of custom resources -------------------------------------------------------------- */

/* Go prints strings bare and all else as JSON. */
static kube__json *as_text(kube_ctx *ctx, const kube__json *value)
{
    if (kube__json_is(value, KUBE__JSON_STRING))
        return kube__json_string_len(ctx, value->text, value->len);
    kube__json *copy = kube__json_copy(ctx, value);
    kube__json_sort(copy);
    const char *text = kube__json_text(ctx, copy, NULL);
    return kube__json_string(ctx, text);
}

static kube__json *as_integer(kube_ctx *ctx, const kube__json *value)
{
    int64_t number = 0;
    double real = 0;
    if (kube__json_to_int(value, &number))
        return kube__json_int(ctx, number);
    if (!kube__json_to_double(value, &real) || real >= 0x1p63 || real < -0x1p63)
        return kube__json_null(ctx);
    return kube__json_int(ctx, (int64_t)real);
}

/* What does not fit the column's type is null, as what is not there. */
static kube__json *custom_cell(kube_ctx *ctx, const kube__api_column *column,
                               const kube__json *object, const char *now)
{
    const kube__json *value = NULL;
    const char *type = column->type;
    size_t count =
        kube__jsonpath_find(ctx, object, column->json_path ? column->json_path : "", &value, 1);
    if (!count)
        return kube__json_null(ctx);
    if (strcmp(type, "string") == 0 && kube__json_is(value, KUBE__JSON_NULL))
        return kube__json_string(ctx, "<no value>");
    if (strcmp(type, "string") == 0)
        return as_text(ctx, value);
    if (strcmp(type, "integer") == 0)
        return as_integer(ctx, value);
    if (strcmp(type, "number") == 0 && kube__json_is(value, KUBE__JSON_NUMBER))
        return kube__json_copy(ctx, value);
    if (strcmp(type, "boolean") == 0 && kube__json_is(value, KUBE__JSON_BOOL))
        return kube__json_copy(ctx, value);
    if (strcmp(type, "date") == 0 && kube__json_is(value, KUBE__JSON_STRING))
        return kube__json_string(ctx, kube__table_age(ctx, value->text, now));
    return kube__json_null(ctx);
}

static kube__json *custom_cells(kube_ctx *ctx, const kube__api_resource *resource,
                                const kube__json *object, const char *now)
{
    columns own = own_columns(resource);
    kube__json *cells = kube__json_array(ctx);
    kube__table_text(ctx, cells, kube__json_string_at(object, "metadata.name"));
    for (size_t i = 0; i < own.len; i++)
        kube__json_append(cells, custom_cell(ctx, &own.items[i], object, now));
    return cells;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void add_definition(kube_ctx *ctx, kube__json *definitions, const kube__api_column *column,
                           bool custom)
{
    kube__json *definition = kube__json_append(definitions, kube__json_object(ctx));
    const char *description = column->description ? column->description : "";
    if (custom && !*description && column->json_path)
        description = kube__api_text(
            ctx, "Custom resource definition column (in JSONPath format): %s", column->json_path);
    kube__json_set_string(ctx, definition, "name", column->name);
    kube__json_set_string(ctx, definition, "type", column->type);
    kube__json_set_string(ctx, definition, "format", column->format ? column->format : "");
    kube__json_set_string(ctx, definition, "description", description);
    kube__json_set_int(ctx, definition, "priority", column->priority);
}

static kube__json *definitions_of(kube_ctx *ctx, const kube__api_resource *resource)
{
    kube__json *definitions = kube__json_array(ctx);
    if (resource->custom) {
        columns own = own_columns(resource);
        add_definition(ctx, definitions, &name_column, false);
        for (size_t i = 0; i < own.len; i++)
            add_definition(ctx, definitions, &own.items[i], resource->column_count != 0);
        return definitions;
    }
    size_t count = 0;
    const kube__api_column *items =
        kube__api_builtin_columns(resource->group, resource->plural, &count);
    for (size_t i = 0; i < count; i++)
        add_definition(ctx, definitions, &items[i], false);
    return definitions;
}

static void set_conditions(kube_ctx *ctx, kube__json *row, const kube__api_resource *resource,
                           const kube__json *object)
{
    const char *phase = kube__json_string_at(object, "status.phase");
    bool succeeded = strcmp(phase, "Succeeded") == 0;
    if (resource->custom || *resource->group || strcmp(resource->plural, "pods") != 0)
        return;
    if (!succeeded && strcmp(phase, "Failed") != 0)
        return;
    kube__json *conditions = kube__json_ensure_array(ctx, row, "conditions");
    kube__json *condition = kube__json_append(conditions, kube__json_object(ctx));
    kube__json_set_string(ctx, condition, "type", "Completed");
    kube__json_set_string(ctx, condition, "status", "True");
    kube__json_set_string(ctx, condition, "reason", phase);
    kube__json_set_string(ctx, condition, "message",
                          succeeded ? "The pod has completed successfully." : "The pod failed.");
}

/* The item of a list has no kind of its own if it is built in: here it gets it. */
static kube__json *whole_object(kube_ctx *ctx, const kube__api_resource *resource,
                                const kube__json *object)
{
    static const char *const first[] = {"kind", "apiVersion", NULL};
    kube__json *copy = kube__json_copy(ctx, object);
    if (!resource->custom && !kube__json_get(copy, "kind")) {
        kube__json_set_string(ctx, copy, "kind", resource->kind);
        kube__json_set_string(ctx, copy, "apiVersion",
                              kube__api_resource_api_version(ctx, resource));
        kube__json_move_first(copy, first);
    }
    return copy;
}

static kube__json *partial_object(kube_ctx *ctx, const kube__api_request *request,
                                  const kube__json *object)
{
    kube__json *partial = kube__api_partial(ctx, object);
    kube__json_set_string(ctx, partial, "apiVersion", kube__api_view_version(ctx, request));
    return partial;
}

static kube__json *row_of(kube_ctx *ctx, const kube__api_request *request,
                          const kube__api_resource *resource, const kube__json *object,
                          const char *now)
{
    const char *include = kube__api_query(request, "includeObject");
    kube__json *row = kube__json_object(ctx);
    kube__json_set(ctx, row, "cells",
                   resource->custom ? custom_cells(ctx, resource, object, now)
                                    : kube__table_builtin_cells(ctx, resource, object, now));
    set_conditions(ctx, row, resource, object);
    kube__json_set(ctx, row, "object",
                   strcmp(include, "None") == 0     ? kube__json_null(ctx)
                   : strcmp(include, "Object") == 0 ? whole_object(ctx, resource, object)
                                                    : partial_object(ctx, request, object));
    return row;
}

/* What a Table has of a list's metadata, in the order of it; empty members are left out. */
static kube__json *metadata_of(kube_ctx *ctx, const kube__json *from)
{
    static const char *const keys[] = {"resourceVersion", "continue", "remainingItemCount"};
    kube__json *metadata = kube__json_object(ctx);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const kube__json *value = kube__json_get(from, keys[i]);
        if (value && !(kube__json_is(value, KUBE__JSON_STRING) && !value->len))
            kube__json_set(ctx, metadata, keys[i], kube__json_copy(ctx, value));
    }
    return metadata;
}

kube__json *kube__api_table(kube_ctx *ctx, const kube__api_request *request,
                            const kube__api_resource *resource, kube__json *const *objects,
                            size_t count, const kube__json *list_metadata, bool with_columns,
                            const char *now)
{
    kube__json *table = kube__json_object(ctx);
    if (!list_metadata && count)
        list_metadata = kube__json_get(objects[0], "metadata");
    kube__json_set_string(ctx, table, "kind", "Table");
    kube__json_set_string(ctx, table, "apiVersion", kube__api_view_version(ctx, request));
    kube__json_set(ctx, table, "metadata", metadata_of(ctx, list_metadata));
    kube__json_set(ctx, table, "columnDefinitions",
                   with_columns ? definitions_of(ctx, resource) : kube__json_null(ctx));
    kube__json *rows = kube__json_ensure_array(ctx, table, "rows");
    for (size_t i = 0; i < count; i++)
        kube__json_append(rows, row_of(ctx, request, resource, objects[i], now));
    return table;
}
