/* SPDX-License-Identifier: Apache-2.0 */
#include "recorder.h"

#include "base/buffer.h"
#include "base/thread.h"
#include "objects.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct recorder {
    kube__mutex mutex;
    kube__condition changed;
    kube__buffer text;
    char *shown;
    size_t count;
    bool hold;
    bool held;
};

static void note(recorder *r, const char *what, const kube_object *a, const kube_object *b,
                 const char *more)
{
    kube__lock(&r->mutex);
    while (r->hold) {
        r->held = true;
        kube__broadcast(&r->changed);
        kube__wait(&r->changed, &r->mutex);
    }
    r->held = false;
    kube__buffer_printf(&r->text, "%s%s %s@%s", r->count ? ", " : "", what, name_of(a),
                        version_of(a));
    if (b)
        kube__buffer_printf(&r->text, " %s@%s", name_of(b), version_of(b));
    kube__buffer_add_text(&r->text, more);
    r->count++;
    kube__broadcast(&r->changed);
    kube__unlock(&r->mutex);
}

static void on_add(void *arg, const kube_object *object, bool in_initial_list)
{
    note(arg, "add", object, NULL, in_initial_list ? " initial" : "");
}

static void on_update(void *arg, const kube_object *old_object, const kube_object *new_object)
{
    note(arg, "update", old_object, new_object, "");
}

static void on_delete(void *arg, const kube_object *object, bool final_state_known)
{
    note(arg, "delete", object, NULL, final_state_known ? "" : " tombstone");
}

const kube_handler recorder_handler = {on_add, on_update, on_delete};

recorder *recorder_new(void)
{
    recorder *r = calloc(1, sizeof *r);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(kube__mutex_init(&r->mutex, NULL), KUBE_OK);
    ck_assert_int_eq(kube__condition_init(&r->changed, NULL), KUBE_OK);
    kube__buffer_init(&r->text, 1 << 26);
    return r;
}

void recorder_free(recorder *r)
{
    kube__buffer_fini(&r->text);
    free(r->shown);
    kube__condition_fini(&r->changed);
    kube__mutex_fini(&r->mutex);
    free(r);
}

kube_registration *recorder_register_with(recorder *r, kube_informer *informer,
                                          const kube_handler_options *options)
{
    kube_registration *registration;
    ck_assert_int_eq(
        kube_informer_add_handler(informer, &recorder_handler, r, options, &registration, NULL),
        KUBE_OK);
    return registration;
}

kube_registration *recorder_register(recorder *r, kube_informer *informer)
{
    return recorder_register_with(r, informer, NULL);
}

void recorder_wait(recorder *r, size_t count)
{
    kube__lock(&r->mutex);
    while (r->count < count)
        kube__wait(&r->changed, &r->mutex);
    kube__unlock(&r->mutex);
}

void recorder_wait_for(recorder *r, const char *text)
{
    size_t len = strlen(text);
    kube__lock(&r->mutex);
    while (r->text.len < len || memcmp(r->text.data + r->text.len - len, text, len) != 0)
        kube__wait(&r->changed, &r->mutex);
    kube__unlock(&r->mutex);
}

size_t recorder_count(recorder *r)
{
    size_t count;
    kube__lock(&r->mutex);
    count = r->count;
    kube__unlock(&r->mutex);
    return count;
}

const char *recorder_text(recorder *r)
{
    kube__lock(&r->mutex);
    free(r->shown);
    r->shown = strdup(r->text.data ? r->text.data : "");
    kube__unlock(&r->mutex);
    return r->shown;
}

void recorder_hold(recorder *r)
{
    kube__lock(&r->mutex);
    r->hold = true;
    kube__unlock(&r->mutex);
}

void recorder_wait_held(recorder *r)
{
    kube__lock(&r->mutex);
    while (!r->held)
        kube__wait(&r->changed, &r->mutex);
    kube__unlock(&r->mutex);
}

void recorder_let_go(recorder *r)
{
    kube__lock(&r->mutex);
    r->hold = false;
    kube__broadcast(&r->changed);
    kube__unlock(&r->mutex);
}
