/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 4096, HALVES = 2 };

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static size_t count_twins(uint64_t *hashes, size_t len)
{
    size_t twins = 0;
    qsort(hashes, len, sizeof *hashes, compare);
    for (size_t i = 1; i < len; i++)
        twins += hashes[i] == hashes[i - 1];
    return twins;
}

TEST(same_seed_gives_same_hash_and_another_seed_another)
{
    uint64_t first;
    kube__hash_set_seed(1);
    first = kube__hash_text(0, "default");
    kube__hash_set_seed(2);
    ck_assert_uint_ne(kube__hash_text(0, "default"), first);
    kube__hash_set_seed(1);
    ck_assert_uint_eq(kube__hash_text(0, "default"), first);
}

static uint64_t keys_of_constructors[3];

/* A table that is made here is looked into after main() has begun: the keys must be the same. */
__attribute__((constructor)) static void note_keys(void)
{
    memcpy(keys_of_constructors, kube__hash_keys, sizeof keys_of_constructors);
}

TEST(process_takes_keys_of_its_own_before_any_constructor_of_the_program)
{
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_ne(keys_of_constructors[i], 0);
}

TEST(where_namespace_ends_matters)
{
    ck_assert_uint_ne(kube__hash_text(kube__hash_text(0, "a"), "bc"),
                      kube__hash_text(kube__hash_text(0, "ab"), "c"));
    ck_assert_uint_ne(kube__hash_text(kube__hash_text(0, ""), "a"),
                      kube__hash_text(kube__hash_text(0, "a"), ""));
}

/* Each length is read in a way of its own: every byte of it has to count, and the length too. */
TEST(every_byte_and_the_length_count)
{
    char text[70] = {0};
    uint64_t hashes[sizeof text];
    for (size_t len = 0; len < sizeof text; len++) {
        uint64_t plain = kube__hash(0, text, len);
        hashes[len] = plain;
        for (size_t i = 0; i < len; i++) {
            text[i] = 1;
            ck_assert_uint_ne(kube__hash(0, text, len), plain);
            text[i] = 0;
        }
    }
    ck_assert_uint_eq(count_twins(hashes, sizeof text), 0);
}

/* The words an attacker would try, who knows the function but not its keys: zero, all ones, and
 * the constants of hashes like it, at each place. */
TEST(chosen_words_do_not_collide)
{
    static const uint64_t words[] = {
        0,
        UINT64_MAX,
        1,
        UINT64_C(1) << 63,
        UINT64_C(0x9e3779b97f4a7c15),
        UINT64_C(0xd6e8feb86659fd93),
        UINT64_C(0xa0761d6478bd642f),
        UINT64_C(0xe7037ed1a0b428db),
    };
    uint64_t hashes[TEXTS];
    for (size_t i = 0; i < TEXTS; i++) {
        uint64_t text[4];
        for (size_t j = 0; j < 4; j++)
            text[j] = words[i >> (3 * j) & 7];
        hashes[i] = kube__hash(0, text, sizeof text);
    }
    ck_assert_uint_eq(count_twins(hashes, TEXTS), 0);
}

/* Four names to a place: chance would put some twelve on the fullest. */
TEST(names_in_a_row_spread_over_table)
{
    for (int half = 0; half < HALVES; half++) {
        unsigned char fill[TEXTS / 4] = {0};
        unsigned most = 0;
        for (int i = 0; i < TEXTS; i++) {
            char name[32];
            uint64_t hash;
            snprintf(name, sizeof name, half ? "pod-%d-of-a-longer-name" : "web-%d", i);
            hash = kube__hash_text(0, name);
            fill[kube__hash_half(hash) % (TEXTS / 4)]++;
        }
        for (int i = 0; i < TEXTS / 4; i++)
            most = fill[i] > most ? fill[i] : most;
        ck_assert_uint_le(most, 20);
    }
}
