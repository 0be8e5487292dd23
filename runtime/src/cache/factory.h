/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a factory whose informers do not read from a client, for tests. */
#ifndef KUBE_CACHE_FACTORY_H
#define KUBE_CACHE_FACTORY_H

#include "list_watch.h"

#include <kube/informer.h>

/* Call it before the first informer is made. The sources must outlive the factory. */
void kube__informer_factory_set_sources(kube_informer_factory *factory,
                                        kube__list_watch *(*source_of)(void *arg,
                                                                       const kube_type *type),
                                        void *arg);
void kube__informer_factory_set_random(kube_informer_factory *factory,
                                       double (*random01)(void *arg), void *arg);
/* How often slow calls of handlers are looked for, by the machine's clock. Call it before the
 * start.
 */
void kube__informer_factory_set_look_ms(kube_informer_factory *factory, int64_t ms);

/* Whether functions of the user end the process when their ctx runs out of memory. */
bool kube__informer_factory_exits_on_no_memory(const kube_informer_factory *factory);

/* KUBE_OK if each cache follows the server and no handler has been in a call for a minute;
 * otherwise KUBE_ERR_UNAVAILABLE, and @err says which one does not, since when and why. Threads:
 * any. */
kube_code kube__informer_factory_check(kube_informer_factory *factory, kube_error *err);

#endif /* KUBE_CACHE_FACTORY_H */
