/* SPDX-License-Identifier: Apache-2.0 */
#include "batch.h"

#include <assert.h>
#include <stdlib.h>

kube__batch *kube__batch_new(size_t size, uint32_t flags)
{
    kube__batch *batch;
    if (size > (SIZE_MAX - sizeof *batch) / sizeof *batch->items)
        return NULL;
    batch = malloc(sizeof *batch + size * sizeof *batch->items);
    if (!batch)
        return NULL;
    atomic_init(&batch->refs, 1);
    batch->flags = flags;
    batch->len = 0;
    batch->size = size;
    return batch;
}

kube__batch *kube__batch_ref(kube__batch *batch)
{
    atomic_fetch_add_explicit(&batch->refs, 1, memory_order_relaxed);
    return batch;
}

void kube__batch_unref(kube__batch *batch)
{
    if (!batch || atomic_fetch_sub_explicit(&batch->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (size_t i = 0; i < batch->len; i++) {
        kube_object_unref(batch->items[i].old_object);
        kube_object_unref(batch->items[i].new_object);
        kube_object_unref(batch->items[i].final_object);
    }
    free(batch);
}

void kube__batch_add(kube__batch *batch, kube__change change)
{
    assert(batch->len < batch->size);
    batch->items[batch->len++] = change;
}
