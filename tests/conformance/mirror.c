/* SPDX-License-Identifier: Apache-2.0 */
#include "mirror.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LEN = 320, VERSION_MAX = 64 };

struct mirror_entry {
    mirror_entry *next;
    char name[NAME_MAX_LEN]; /* "namespace/name" */
    char version[VERSION_MAX];
    char uid[VERSION_MAX];
};

mirror *mirror_new(void)
{
    mirror *m = calloc(1, sizeof *m);
    if (!m || pthread_mutex_init(&m->mutex, NULL) != 0)
        abort();
    return m;
}

void mirror_free(mirror *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < MIRROR_BUCKETS; i++) {
        while (m->buckets[i]) {
            mirror_entry *e = m->buckets[i];
            m->buckets[i] = e->next;
            free(e);
        }
    }
    pthread_mutex_destroy(&m->mutex);
    free(m);
}

static void name_of(char name[NAME_MAX_LEN], const samplecrd_v1_network *object)
{
    snprintf(name, NAME_MAX_LEN, "%s/%s", object->metadata.namespace_, object->metadata.name);
}

/* Where the object is linked, or would be. */
static mirror_entry **find(mirror *m, const char *name)
{
    uint32_t hash = 2166136261u;
    mirror_entry **link;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    link = &m->buckets[hash % MIRROR_BUCKETS];
    while (*link && strcmp((*link)->name, name) != 0)
        link = &(*link)->next;
    return link;
}

static void set(mirror_entry *e, const samplecrd_v1_network *object)
{
    snprintf(e->version, VERSION_MAX, "%s", object->metadata.resource_version);
    snprintf(e->uid, VERSION_MAX, "%s", object->metadata.uid);
}

static void fault(mirror *m, const char *what, const char *name, const mirror_entry *e,
                  const samplecrd_v1_network *object)
{
    if (!m->fault[0])
        snprintf(m->fault, MIRROR_FAULT_MAX, "%s of %.100s: known in version %s, told of %s", what,
                 name, e ? e->version : "none", object->metadata.resource_version);
}

static void on_add(void *arg, const samplecrd_v1_network *object, bool in_initial_list)
{
    mirror *m = arg;
    char name[NAME_MAX_LEN];
    mirror_entry **link;
    name_of(name, object);
    pthread_mutex_lock(&m->mutex);
    m->adds++;
    m->initial_adds += in_initial_list;
    link = find(m, name);
    if (*link) {
        fault(m, "add", name, *link, object);
    } else {
        *link = calloc(1, sizeof **link);
        if (!*link)
            abort();
        memcpy((*link)->name, name, sizeof name);
        set(*link, object);
        m->len++;
    }
    pthread_mutex_unlock(&m->mutex);
}

static void on_update(void *arg, const samplecrd_v1_network *old_object,
                      const samplecrd_v1_network *new_object)
{
    mirror *m = arg;
    char name[NAME_MAX_LEN];
    mirror_entry *e;
    name_of(name, new_object);
    pthread_mutex_lock(&m->mutex);
    if (kube_meta_same_version(&old_object->metadata, &new_object->metadata))
        m->repeats++;
    else
        m->updates++;
    e = *find(m, name);
    if (!e || strcmp(e->version, old_object->metadata.resource_version) != 0) {
        fault(m, "update", name, e, old_object);
    } else {
        m->replaced += strcmp(e->uid, new_object->metadata.uid) != 0;
        set(e, new_object);
    }
    pthread_mutex_unlock(&m->mutex);
}

static void on_delete(void *arg, const samplecrd_v1_network *object, bool final_state_known)
{
    mirror *m = arg;
    char name[NAME_MAX_LEN];
    mirror_entry **link;
    mirror_entry *e;
    name_of(name, object);
    pthread_mutex_lock(&m->mutex);
    m->deletes++;
    m->tombstones += !final_state_known;
    link = find(m, name);
    e = *link;
    /* A missed delete shows the last state seen, a seen one the state that was deleted. */
    if (!e || (!final_state_known && strcmp(e->version, object->metadata.resource_version) != 0))
        fault(m, "delete", name, e, object);
    if (e) {
        *link = e->next;
        free(e);
        m->len--;
    }
    pthread_mutex_unlock(&m->mutex);
}

const samplecrd_v1_network_handler mirror_handler = {on_add, on_update, on_delete};

mirror_counts mirror_count(mirror *m)
{
    mirror_counts counts;
    pthread_mutex_lock(&m->mutex);
    counts = (mirror_counts){m->len,     m->adds,    m->initial_adds, m->updates,
                             m->repeats, m->deletes, m->tombstones,   m->replaced};
    pthread_mutex_unlock(&m->mutex);
    return counts;
}

const char *mirror_fault(mirror *m)
{
    const char *text;
    pthread_mutex_lock(&m->mutex);
    text = m->fault;
    pthread_mutex_unlock(&m->mutex);
    return text;
}

bool mirror_has(mirror *m, const samplecrd_v1_network *object)
{
    char name[NAME_MAX_LEN];
    const mirror_entry *e;
    bool has;
    name_of(name, object);
    pthread_mutex_lock(&m->mutex);
    e = *find(m, name);
    has = e && strcmp(e->version, object->metadata.resource_version) == 0 &&
          strcmp(e->uid, object->metadata.uid) == 0;
    pthread_mutex_unlock(&m->mutex);
    return has;
}
