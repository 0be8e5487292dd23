/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the reflector share: a world for each case; what is logged is kept aside. */
#ifndef TESTS_CACHE_REFLECTOR_KIT_H
#define TESTS_CACHE_REFLECTOR_KIT_H

#include "log_lines.h"
#include "reflector_world.h"
#include "support/suite.h"

static world w;

static inline void set_up_reflector(void)
{
    log_lines_start();
    world_init(&w);
}

static inline void tear_down_reflector(void)
{
    world_fini(&w);
    log_lines_stop();
}

#endif /* TESTS_CACHE_REFLECTOR_KIT_H */
