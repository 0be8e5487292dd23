/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_places.h"

#include "support/ascii.h"
#include "support/str.h"

#include <string.h>

/*
 * Whether a marker is called as a keyword: the last word of its name, without an X before it, is
 * the keyword, or the beginning of it, whatever the case: XValidation x-kubernetes-validations,
 * listMapKey x-kubernetes-list-map-keys, k8s:maxLength maxLength.
 */
static bool is_marker_of(const char *marker, const char *keyword)
{
    static const char extension[] = "x-kubernetes-";
    const char *word = strrchr(marker, ':');
    word = word ? word + 1 : marker;
    if (str_has_prefix(keyword, extension))
        keyword += sizeof extension - 1;
    word += word[0] == 'X' && ascii_is_upper(word[1]);
    for (; *word && *keyword; keyword++) {
        if (*keyword == '-')
            continue;
        if (ascii_lower(*word++) != ascii_lower(*keyword))
            return false;
    }
    return !*word && (!*keyword || strcmp(keyword, "s") == 0);
}

/* Returns the @index-th marker of a keyword, or the last one; NULL if there is none. */
static const model_note *find_note(const model_field *field, const char *keyword, size_t index)
{
    const model_note *found = NULL;
    for (size_t i = 0; i < field->note_len; i++) {
        if (!is_marker_of(field->notes[i].name, keyword))
            continue;
        found = &field->notes[i];
        if (index-- == 0)
            break;
    }
    return found;
}

void crd_places_set(place_list *places, json_value *schema, const model_field *field)
{
    for (json_value *one = (json_value *)json_first(schema); one && places;
         one = (json_value *)json_next(one)) {
        const char *keyword = json_key(one);
        const model_note *note = find_note(field, keyword, 0);
        size_t index = 0;
        if (!note)
            continue;
        place_set(places, one, note->loc);
        for (json_value *row = (json_value *)json_first(one); row;
             row = (json_value *)json_next(row))
            place_set(places, row, find_note(field, keyword, index++)->loc);
    }
}
