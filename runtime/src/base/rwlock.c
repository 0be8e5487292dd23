/* SPDX-License-Identifier: Apache-2.0 */
#include "rwlock.h"

#include "thread.h"

kube_code kube__rwlock_init(kube__rwlock *lock, kube_error *err)
{
    pthread_rwlockattr_t attributes;
    int error = pthread_rwlockattr_init(&attributes);
    if (!error) {
#ifdef __GLIBC__ /* whose default lets a steady stream of readers keep a writer out for ever */
        error = pthread_rwlockattr_setkind_np(&attributes,
                                              PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
        if (!error)
            error = pthread_rwlock_init(lock, &attributes);
        pthread_rwlockattr_destroy(&attributes);
    }
    if (error)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "cannot make a read-write lock");
    return KUBE_OK;
}

void kube__rwlock_fini(kube__rwlock *lock)
{
    kube__expect(pthread_rwlock_destroy(lock));
}

void kube__read_lock(kube__rwlock *lock)
{
    kube__expect(pthread_rwlock_rdlock(lock));
}

void kube__write_lock(kube__rwlock *lock)
{
    kube__expect(pthread_rwlock_wrlock(lock));
}

void kube__rw_unlock(kube__rwlock *lock)
{
    kube__expect(pthread_rwlock_unlock(lock));
}
