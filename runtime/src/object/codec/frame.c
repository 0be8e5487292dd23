/* SPDX-License-Identifier: Apache-2.0 */
#include "frame.h"

#include "base/utf8.h"
#include "object/json/lexer.h"

#include <stdio.h>

typedef struct path_writer {
    char *text;
    size_t size;
    size_t len; /* that it would have */
} path_writer;

static void add(path_writer *w, const char *text, size_t len)
{
    if (w->len < w->size) {
        size_t room = w->size - w->len - 1;
        size_t cut = len <= room ? len : kube__utf8_cut(text, len, room);
        memcpy(w->text + w->len, text, cut);
        w->text[w->len + cut] = '\0';
        if (cut < len)
            w->len = w->size; /* nothing more, or the path would be another one */
    }
    if (w->len < w->size)
        w->len += len;
}

static bool is_plain_name(const char *name, size_t len)
{
    static const bool plain[256] = {
        ['-'] = true, ['_'] = true, ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true,
        ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true,
        ['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true, ['E'] = true, ['F'] = true,
        ['G'] = true, ['H'] = true, ['I'] = true, ['J'] = true, ['K'] = true, ['L'] = true,
        ['M'] = true, ['N'] = true, ['O'] = true, ['P'] = true, ['Q'] = true, ['R'] = true,
        ['S'] = true, ['T'] = true, ['U'] = true, ['V'] = true, ['W'] = true, ['X'] = true,
        ['Y'] = true, ['Z'] = true, ['a'] = true, ['b'] = true, ['c'] = true, ['d'] = true,
        ['e'] = true, ['f'] = true, ['g'] = true, ['h'] = true, ['i'] = true, ['j'] = true,
        ['k'] = true, ['l'] = true, ['m'] = true, ['n'] = true, ['o'] = true, ['p'] = true,
        ['q'] = true, ['r'] = true, ['s'] = true, ['t'] = true, ['u'] = true, ['v'] = true,
        ['w'] = true, ['x'] = true, ['y'] = true, ['z'] = true,
    };
    for (size_t i = 0; i < len; i++) {
        if (!plain[(unsigned char)name[i]])
            return false;
    }
    return len > 0;
}

/* ['name'], as kube_path_get() reads it. */
static void add_quoted(path_writer *w, const char *name, size_t len)
{
    add(w, "['", 2);
    for (size_t i = 0, start = 0; i <= len; i++) {
        if (i < len && name[i] != '\'' && name[i] != '\\')
            continue;
        add(w, name + start, i - start);
        start = i;
        if (i < len)
            add(w, "\\", 1);
    }
    add(w, "']", 2);
}

static void add_name(path_writer *w, const char *name, size_t len)
{
    if (w->len)
        add(w, ".", 1);
    add(w, name, len);
}

static void add_frame(path_writer *w, const kube__frame *frame)
{
    char index[16];
    switch (frame->shape) {
    case KUBE__FRAME_STRUCT:
        if (frame->field)
            add_name(w, kube__node_key(frame->node, frame->field) + 1, frame->field->key_len - 3u);
        else if (frame->key && is_plain_name(frame->key, frame->key_len))
            add_name(w, frame->key, frame->key_len);
        else if (frame->key)
            add_quoted(w, frame->key, frame->key_len);
        break;
    case KUBE__FRAME_LIST:
        add(w, index, (size_t)snprintf(index, sizeof index, "[%u]", (unsigned)frame->index));
        break;
    case KUBE__FRAME_MAP:
        if (frame->key)
            add_quoted(w, frame->key, strlen(frame->key));
        break;
    }
}

void kube__frame_path(const kube__frame *frame, char *path, size_t size)
{
    const kube__frame *frames[KUBE__LEX_DEPTH];
    size_t count = 0;
    for (; frame && count < KUBE__LEX_DEPTH; frame = frame->up)
        frames[count++] = frame;
    path_writer w = {path, size, 0};
    path[0] = '\0';
    while (count)
        add_frame(&w, frames[--count]);
}
