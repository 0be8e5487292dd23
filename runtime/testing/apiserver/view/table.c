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
static kube__json *as_text(kube__heap *heap, const kube__json *value)
{
    if (kube__json_is(value, KUBE__JSON_STRING))
        return kube__json_string_len(heap, value->text, value->len);
    kube__json *copy = kube__json_copy(heap, value);
    kube__json_sort(copy);
    const char *text = kube__json_text(heap, copy, NULL);
    return kube__json_string(heap, text ? text : "");
}

static kube__json *as_integer(kube__heap *heap, const kube__json *value)
{
    int64_t number = 0;
    double real = 0;
    if (kube__json_to_int(value, &number))
        return kube__json_int(heap, number);
    if (!kube__json_to_double(value, &real) || real >= 0x1p63 || real < -0x1p63)
        return kube__json_null(heap);
    return kube__json_int(heap, (int64_t)real);
}

/* What does not fit the column's type is null, as what is not there. */
static kube__json *custom_cell(kube__heap *heap, const kube__api_column *column,
                               const kube__json *object, const char *now)
{
    const kube__json *value = NULL;
    const char *type = column->type;
    size_t count =
        kube__jsonpath_find(heap, object, column->json_path ? column->json_path : "", &value, 1);
    if (!count)
        return kube__json_null(heap);
    if (strcmp(type, "string") == 0 && kube__json_is(value, KUBE__JSON_NULL))
        return kube__json_string(heap, "<no value>");
    if (strcmp(type, "string") == 0)
        return as_text(heap, value);
    if (strcmp(type, "integer") == 0)
        return as_integer(heap, value);
    if (strcmp(type, "number") == 0 && kube__json_is(value, KUBE__JSON_NUMBER))
        return kube__json_copy(heap, value);
    if (strcmp(type, "boolean") == 0 && kube__json_is(value, KUBE__JSON_BOOL))
        return kube__json_copy(heap, value);
    if (strcmp(type, "date") == 0 && kube__json_is(value, KUBE__JSON_STRING))
        return kube__json_string(heap, kube__table_age(heap, value->text, now));
    return kube__json_null(heap);
}

static kube__json *custom_cells(kube__heap *heap, const kube__api_resource *resource,
                                const kube__json *object, const char *now)
{
    columns own = own_columns(resource);
    kube__json *cells = kube__json_array(heap);
    kube__table_text(heap, cells, kube__json_string_at(object, "metadata.name"));
    for (size_t i = 0; i < own.len; i++)
        kube__json_append(cells, custom_cell(heap, &own.items[i], object, now));
    return cells;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void add_definition(kube__heap *heap, kube__json *definitions,
                           const kube__api_column *column, bool custom)
{
    kube__json *definition = kube__json_append(definitions, kube__json_object(heap));
    const char *description = column->description ? column->description : "";
    if (custom && !*description && column->json_path)
        description = kube__heap_printf(
            heap, "Custom resource definition column (in JSONPath format): %s", column->json_path);
    kube__json_set_string(heap, definition, "name", column->name);
    kube__json_set_string(heap, definition, "type", column->type);
    kube__json_set_string(heap, definition, "format", column->format ? column->format : "");
    kube__json_set_string(heap, definition, "description", description ? description : "");
    kube__json_set_int(heap, definition, "priority", column->priority);
}

static kube__json *definitions_of(kube__heap *heap, const kube__api_resource *resource)
{
    kube__json *definitions = kube__json_array(heap);
    if (resource->custom) {
        columns own = own_columns(resource);
        add_definition(heap, definitions, &name_column, false);
        for (size_t i = 0; i < own.len; i++)
            add_definition(heap, definitions, &own.items[i], resource->column_count != 0);
        return definitions;
    }
    size_t count = 0;
    const kube__api_column *items =
        kube__api_builtin_columns(resource->group, resource->plural, &count);
    for (size_t i = 0; i < count; i++)
        add_definition(heap, definitions, &items[i], false);
    return definitions;
}

static void set_conditions(kube__heap *heap, kube__json *row, const kube__api_resource *resource,
                           const kube__json *object)
{
    const char *phase = kube__json_string_at(object, "status.phase");
    bool succeeded = strcmp(phase, "Succeeded") == 0;
    if (resource->custom || *resource->group || strcmp(resource->plural, "pods") != 0)
        return;
    if (!succeeded && strcmp(phase, "Failed") != 0)
        return;
    kube__json *conditions = kube__json_ensure_array(heap, row, "conditions");
    kube__json *condition = kube__json_append(conditions, kube__json_object(heap));
    kube__json_set_string(heap, condition, "type", "Completed");
    kube__json_set_string(heap, condition, "status", "True");
    kube__json_set_string(heap, condition, "reason", phase);
    kube__json_set_string(heap, condition, "message",
                          succeeded ? "The pod has completed successfully." : "The pod failed.");
}

/* The item of a list has no kind of its own if it is built in: here it gets it. */
static kube__json *whole_object(kube__heap *heap, const kube__api_resource *resource,
                                const kube__json *object)
{
    static const char *const first[] = {"kind", "apiVersion", NULL};
    kube__json *copy = kube__json_copy(heap, object);
    if (!resource->custom && !kube__json_get(copy, "kind")) {
        kube__json_set_string(heap, copy, "kind", resource->kind);
        kube__json_set_string(heap, copy, "apiVersion",
                              kube__api_resource_api_version(heap, resource));
        kube__json_move_first(copy, first);
    }
    return copy;
}

static kube__json *partial_object(kube__heap *heap, const kube__api_request *request,
                                  const kube__json *object)
{
    kube__json *partial = kube__api_partial(heap, object);
    kube__json_set_string(heap, partial, "apiVersion", kube__api_view_version(heap, request));
    return partial;
}

static kube__json *row_of(kube__heap *heap, const kube__api_request *request,
                          const kube__api_resource *resource, const kube__json *object,
                          const char *now)
{
    const char *include = kube__api_query(request, "includeObject");
    kube__json *row = kube__json_object(heap);
    kube__json_set(heap, row, "cells",
                   resource->custom ? custom_cells(heap, resource, object, now)
                                    : kube__table_builtin_cells(heap, resource, object, now));
    set_conditions(heap, row, resource, object);
    kube__json_set(heap, row, "object",
                   strcmp(include, "None") == 0     ? kube__json_null(heap)
                   : strcmp(include, "Object") == 0 ? whole_object(heap, resource, object)
                                                    : partial_object(heap, request, object));
    return row;
}

/* What a Table has of a list's metadata, in the order of it; empty members are left out. */
static kube__json *metadata_of(kube__heap *heap, const kube__json *from)
{
    static const char *const keys[] = {"resourceVersion", "continue", "remainingItemCount"};
    kube__json *metadata = kube__json_object(heap);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const kube__json *value = kube__json_get(from, keys[i]);
        if (value && !(kube__json_is(value, KUBE__JSON_STRING) && !value->len))
            kube__json_set(heap, metadata, keys[i], kube__json_copy(heap, value));
    }
    return metadata;
}

kube__json *kube__api_table(kube__heap *heap, const kube__api_request *request,
                            const kube__api_resource *resource, kube__json *const *objects,
                            size_t count, const kube__json *list_metadata, bool with_columns,
                            const char *now)
{
    kube__json *table = kube__json_object(heap);
    if (!list_metadata && count)
        list_metadata = kube__json_get(objects[0], "metadata");
    kube__json_set_string(heap, table, "kind", "Table");
    kube__json_set_string(heap, table, "apiVersion", kube__api_view_version(heap, request));
    kube__json_set(heap, table, "metadata", metadata_of(heap, list_metadata));
    kube__json_set(heap, table, "columnDefinitions",
                   with_columns ? definitions_of(heap, resource) : kube__json_null(heap));
    kube__json *rows = kube__json_ensure_array(heap, table, "rows");
    for (size_t i = 0; i < count; i++)
        kube__json_append(rows, row_of(heap, request, resource, objects[i], now));
    return table;
}
