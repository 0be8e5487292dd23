/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of the flight recorder, for the file that writes them as text and JSON. */
#ifndef KUBE_CONTROL_FLIGHT_H
#define KUBE_CONTROL_FLIGHT_H

#include <kube/flight.h>

/* A record with room of its own for each string. */
typedef struct kube__flight_slot {
    kube_flight_record record; /* its strings point to those below */
    char controller[64];
    char namespace_[64];
    char name[254];
    char old_version[32];
    char new_version[32];
    char changed[256];
    char kind[64];
    char object_namespace[64];
    char object_name[254];
    char message[320];
    char notes[512];
} kube__flight_slot;

/* Records that are still there have numbers from what this returns to kube_flight_count(). */
uint64_t kube__flight_oldest(kube_flight *flight);
/* A copy of record @number; false when it was overwritten, or was never entered. */
bool kube__flight_copy(kube_flight *flight, uint64_t number, kube__flight_slot *slot);

#endif /* KUBE_CONTROL_FLIGHT_H */
