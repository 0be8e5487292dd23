/* SPDX-License-Identifier: Apache-2.0 */
#include "spec.h"

#include <arpa/inet.h>
#include <string.h>

enum { ADDRESS_MAX = 16, TEXT_MAX = 64 };

struct address {
    int family;
    int bits; /* 32 or 128 */
    unsigned char bytes[ADDRESS_MAX];
};

static bool parse_address(const char *text, struct address *out)
{
    *out = (struct address){.family = strchr(text, ':') ? AF_INET6 : AF_INET};
    out->bits = out->family == AF_INET ? 32 : 128;
    return inet_pton(out->family, text, out->bytes) == 1;
}

/* A decimal number without sign or leading zero, at most @most. */
static bool parse_length(const char *text, int most, int *out)
{
    *out = 0;
    if (!*text || (*text == '0' && text[1]))
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        *out = *out * 10 + (*text - '0');
        if (*out > most)
            return false;
    }
    return true;
}

static bool parse_cidr(const char *text, struct address *address, int *length)
{
    const char *slash = strchr(text, '/');
    char base[TEXT_MAX];
    size_t len;
    if (!slash)
        return false;
    len = (size_t)(slash - text);
    if (len >= sizeof base)
        return false;
    memcpy(base, text, len);
    base[len] = '\0';
    return parse_address(base, address) && parse_length(slash + 1, address->bits, length);
}

/* Whether bit @bit, counted from the left, is the same in both. */
static bool same_bit(const struct address *a, const struct address *b, int bit)
{
    unsigned char mask = (unsigned char)(0x80 >> bit % 8);
    return (a->bytes[bit / 8] & mask) == (b->bytes[bit / 8] & mask);
}

/* The first bit from @from on in which they differ; their number of bits when none does. */
static int first_difference(const struct address *a, const struct address *b, int from)
{
    while (from < a->bits && same_bit(a, b, from))
        from++;
    return from;
}

const char *spec_problem(kube_ctx *ctx, const samplecrd_v1_network_spec *spec)
{
    static const struct address zero;
    const char *cidr = spec->cidr ? spec->cidr : "";
    const char *gateway = spec->gateway ? spec->gateway : "";
    struct address block;
    struct address router;
    struct address none;
    int length;
    if (!parse_cidr(cidr, &block, &length))
        return kube_printf(ctx, "spec.cidr \"%s\" is no address block such as 10.1.0.0/16", cidr);
    none = zero;
    none.bits = block.bits;
    if (first_difference(&block, &none, length) < block.bits)
        return kube_printf(ctx, "spec.cidr \"%s\" has bits set after the first %d", cidr, length);
    if (!parse_address(gateway, &router))
        return kube_printf(ctx, "spec.gateway \"%s\" is no address", gateway);
    if (router.family != block.family)
        return kube_printf(ctx, "spec.gateway %s and spec.cidr %s are of two families", gateway,
                           cidr);
    if (first_difference(&block, &router, 0) < length)
        return kube_printf(ctx, "spec.gateway %s lies outside spec.cidr %s", gateway, cidr);
    return NULL;
}
