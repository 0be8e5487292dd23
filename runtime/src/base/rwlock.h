/* SPDX-License-Identifier: Apache-2.0 */
/* Many readers or one writer. A waiting writer goes before new readers; read locks do not nest. */
#ifndef KUBE_BASE_RWLOCK_H
#define KUBE_BASE_RWLOCK_H

#include <kube/error.h>
#include <pthread.h>

typedef pthread_rwlock_t kube__rwlock;

KUBE__CHECKED kube_code kube__rwlock_init(kube__rwlock *lock, kube_error *err);
void kube__rwlock_fini(kube__rwlock *lock);
void kube__read_lock(kube__rwlock *lock);
void kube__write_lock(kube__rwlock *lock);
void kube__rw_unlock(kube__rwlock *lock);

#endif /* KUBE_BASE_RWLOCK_H */
