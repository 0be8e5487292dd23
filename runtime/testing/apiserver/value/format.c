/* SPDX-License-Identifier: Apache-2.0 */
#include "format.h"

#include "base/ascii.h"
#include "regex.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

typedef bool checker(kube_ctx *ctx, const char *text);

static bool is_any(kube_ctx *ctx, const char *text)
{
    (void)ctx;
    (void)text;
    return true;
}

/* ---- addresses ------------------------------------------------------------------------------ */

/* Leading zeros are taken for decimal digits, as Kubernetes does for old objects' sake. */
static bool is_ipv4_len(const char *text, size_t len)
{
    int parts = 0;
    const char *end = text + len;
    while (text < end) {
        int value = 0;
        const char *start = text;
        for (; text < end && kube__is_digit(*text) && value <= 255; text++)
            value = value * 10 + (*text - '0');
        if (text == start || value > 255)
            return false;
        parts++;
        if (text == end)
            return parts == 4;
        if (*text++ != '.' || parts == 4)
            return false;
    }
    return false;
}

static bool is_ipv4(kube_ctx *ctx, const char *text)
{
    (void)ctx;
    return is_ipv4_len(text, strlen(text));
}

static bool is_ipv6(kube_ctx *ctx, const char *text)
{
    (void)ctx;
    unsigned char address[16];
    return strchr(text, ':') && inet_pton(AF_INET6, text, address) == 1;
}

static bool is_cidr(kube_ctx *ctx, const char *text)
{
    const char *slash = strchr(text, '/');
    if (!slash || !slash[1] || strlen(slash) > 4)
        return false;
    int bits = 0;
    for (const char *at = slash + 1; *at; at++) {
        if (!kube__is_digit(*at))
            return false;
        bits = bits * 10 + (*at - '0');
    }
    if (is_ipv4_len(text, (size_t)(slash - text)))
        return bits <= 32;
    const char *address = kube_ctx_strndup(ctx, text, (size_t)(slash - text));
    return address && bits <= 128 && is_ipv6(ctx, address);
}

/* 6, 8 or 20 bytes as 00:00:…, 00-00-… or 0000.0000.… */
static bool is_mac(kube_ctx *ctx, const char *text)
{
    (void)ctx;
    size_t group = strcspn(text, ":-.");
    char separator = text[group];
    if (separator == '\0' || (separator == '.' ? group != 4 : group != 2))
        return false;
    size_t groups = 1;
    for (const char *at = text;; at += group + 1, groups++) {
        for (size_t i = 0; i < group; i++) {
            if (kube__hex_digit(at[i]) < 0)
                return false;
        }
        if (at[group] == '\0')
            break;
        if (at[group] != separator)
            return false;
    }
    size_t bytes = groups * group / 2;
    return bytes == 6 || bytes == 8 || bytes == 20;
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool is_hostname(kube_ctx *ctx, const char *text)
{
    static const char *const pattern =
        "^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|"
        "([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.))"
        "{1,}([a-zA-Z\\p{L}]){2,63})$";
    size_t len = strlen(text);
    if (len > 255 || !kube__api_regex_matches(ctx, pattern, text, len))
        return false;
    for (const char *label = text; *label; label += strcspn(label, ".") + 1) {
        size_t label_len = strcspn(label, ".");
        if (label_len > 63)
            return false;
        if (!label[label_len])
            break;
    }
    return true;
}

static bool is_short_len(const char *text, size_t len)
{
    if (len == 0 || text[0] == '-' || text[len - 1] == '-')
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!kube__is_lower(text[i]) && !kube__is_digit(text[i]) && text[i] != '-')
            return false;
    }
    return true;
}

static bool is_short_name(kube_ctx *ctx, const char *text)
{
    (void)ctx;
    return strlen(text) <= 63 && is_short_len(text, strlen(text));
}

static bool is_long_name(kube_ctx *ctx, const char *text)
{
    (void)ctx;
    if (strlen(text) > 253)
        return false;
    for (;;) {
        size_t len = strcspn(text, ".");
        if (!is_short_len(text, len))
            return false;
        if (!text[len])
            return true;
        text += len + 1;
    }
}

static bool is_atom(char c)
{
    return kube__is_alnum(c) || (unsigned char)c >= 0x80 || (c && strchr("!#$%&'*+-/=?^_`{|}~", c));
}

/* atom(.atom)* */
static size_t dot_atom(const char *text)
{
    size_t len = 0;
    for (;;) {
        size_t start = len;
        while (is_atom(text[len]))
            len++;
        if (len == start)
            return 0;
        if (text[len] != '.')
            return len;
        len++;
    }
}

static size_t quoted_string(const char *text)
{
    if (text[0] != '"')
        return 0;
    size_t len = 1;
    while (text[len] && text[len] != '"')
        len += text[len] == '\\' && text[len + 1] ? 2 : 1;
    return text[len] == '"' && len > 1 ? len + 1 : 0;
}

static bool is_address(const char *text, const char *end)
{
    size_t local = quoted_string(text);
    if (!local)
        local = dot_atom(text);
    if (!local || text[local] != '@')
        return false;
    const char *domain = text + local + 1;
    size_t len = domain[0] == '[' ? strcspn(domain, "]") + 1 : dot_atom(domain);
    return len && domain + len == end;
}

/* "a@b" or "Name <a@b>" */
static bool is_email(kube_ctx *ctx, const char *text)
{
    (void)ctx;
    text += strspn(text, " \t");
    size_t len = strlen(text);
    while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
        len--;
    const char *open = strrchr(text, '<');
    if (len && text[len - 1] == '>' && open)
        return is_address(open + 1, text + len - 1);
    return len && is_address(text, text + len);
}

static bool has_good_escapes(const char *text)
{
    for (const char *at = text; *at; at++) {
        if (*at == '%' && (kube__hex_digit(at[1]) < 0 || kube__hex_digit(at[2]) < 0))
            return false;
    }
    return true;
}

static bool is_authority(const char *text, size_t len)
{
    const char *end = text + len;
    for (const char *at = text; at < end; at++) {
        if (*at == '@')
            text = at + 1;
        if (strchr(" \"<>\\^`{|}", *at))
            return false;
    }
    const char *colon = NULL;
    for (const char *at = text; at < end; at++) {
        if (*at == ':')
            colon = at;
        else if (*at == ']')
            colon = NULL;
    }
    for (const char *at = colon ? colon + 1 : end; at < end; at++) {
        if (!kube__is_digit(*at))
            return false;
    }
    return true;
}

/* What a request line may have: an absolute URI or a path. */
static bool is_uri(kube_ctx *ctx, const char *text)
{
    (void)ctx;
    for (const char *at = text; *at; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            return false;
    }
    const char *rest = text;
    if (kube__is_letter(text[0])) {
        size_t scheme = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789+-.");
        if (text[scheme] != ':')
            return false;
        rest = text + scheme + 1;
        if (rest[0] != '/')
            return true;
    } else if (text[0] != '/') {
        return strcmp(text, "*") == 0;
    }
    if (rest != text && rest[0] == '/' && rest[1] == '/' &&
        !is_authority(rest + 2, strcspn(rest + 2, "/?")))
        return false;
    const char *query = strchr(rest, '?');
    return query ? true : has_good_escapes(rest);
}

/* ---- numbers of things ---------------------------------------------------------------------- */

static bool matches(kube_ctx *ctx, const char *pattern, const char *text)
{
    return kube__api_regex_matches(ctx, pattern, text, strlen(text));
}

static bool is_uuid(kube_ctx *ctx, const char *text)
{
    return matches(ctx, "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$",
                   text);
}

static bool is_uuid3(kube_ctx *ctx, const char *text)
{
    return matches(ctx, "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$",
                   text);
}

static bool is_uuid4(kube_ctx *ctx, const char *text)
{
    return matches(
        ctx, "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$", text);
}

static bool is_uuid5(kube_ctx *ctx, const char *text)
{
    return matches(
        ctx, "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$", text);
}

static bool is_bson_id(kube_ctx *ctx, const char *text)
{
    return matches(ctx, "^[0-9a-fA-F]{24}$", text);
}

/* Only the digits, at most @size - 1 of them; the count. */
static size_t digits_of(const char *text, char *out, size_t size)
{
    size_t len = 0;
    for (; *text; text++) {
        if ((kube__is_digit(*text) || *text == 'X') && len + 1 < size)
            out[len++] = *text;
    }
    out[len] = '\0';
    return len;
}

static bool is_isbn10(kube_ctx *ctx, const char *text)
{
    char digits[16];
    (void)ctx;
    if (strspn(text, "0123456789X -") != strlen(text) ||
        digits_of(text, digits, sizeof digits) != 10 || memchr(digits, 'X', 9))
        return false;
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += (i + 1) * (digits[i] == 'X' ? 10 : digits[i] - '0');
    return sum % 11 == 0;
}

static bool is_isbn13(kube_ctx *ctx, const char *text)
{
    char digits[16];
    (void)ctx;
    if (strspn(text, "0123456789 -") != strlen(text) ||
        digits_of(text, digits, sizeof digits) != 13)
        return false;
    int sum = 0;
    for (int i = 0; i < 13; i++)
        sum += (i % 2 ? 3 : 1) * (digits[i] - '0');
    return sum % 10 == 0;
}

static bool is_isbn(kube_ctx *ctx, const char *text)
{
    return is_isbn10(ctx, text) || is_isbn13(ctx, text);
}

static bool is_credit_card(kube_ctx *ctx, const char *text)
{
    char digits[32];
    size_t len = 0;
    for (; *text; text++) {
        if (kube__is_digit(*text) && len + 1 < sizeof digits)
            digits[len++] = *text;
    }
    digits[len] = '\0';
    if (!matches(ctx,
                 "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|"
                 "3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\\d{3})\\d{11})$",
                 digits))
        return false;
    int sum = 0;
    for (size_t i = 0; i < len; i++) {
        int digit = digits[len - 1 - i] - '0';
        if (i % 2)
            digit = digit > 4 ? digit * 2 - 9 : digit * 2;
        sum += digit;
    }
    return sum % 10 == 0;
}

static bool is_ssn(kube_ctx *ctx, const char *text)
{
    return matches(ctx, "^\\d{3}[- ]\\d{2}[- ]\\d{4}$", text);
}

static bool is_hex_color(kube_ctx *ctx, const char *text)
{
    return matches(ctx, "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$", text);
}

static bool is_rgb_color(kube_ctx *ctx, const char *text)
{
#define CHANNEL "\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*"
    return matches(ctx, "^rgb\\(" CHANNEL "," CHANNEL "," CHANNEL "\\)$", text);
#undef CHANNEL
}

static bool is_base64(kube_ctx *ctx, const char *text)
{
    (void)ctx;
    size_t len = strlen(text);
    if (len == 0 || len % 4)
        return false;
    size_t body = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    return body == len || (len - body <= 2 && strspn(text + body, "=") == len - body);
}

/* ---- time ----------------------------------------------------------------------------------- */

static int two(const char *text)
{
    return (text[0] - '0') * 10 + text[1] - '0';
}

static bool is_date_len(const char *text, size_t len)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (len != 10 || text[4] != '-' || text[7] != '-')
        return false;
    for (size_t i = 0; i < 10; i++) {
        if (i != 4 && i != 7 && !kube__is_digit(text[i]))
            return false;
    }
    int year = two(text) * 100 + two(text + 2);
    int month = two(text + 5);
    int day = two(text + 8);
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && is_leap ? 1 : 0);
}

static bool is_date(kube_ctx *ctx, const char *text)
{
    (void)ctx;
    return is_date_len(text, strlen(text));
}

static bool is_date_time(kube_ctx *ctx, const char *text)
{
    size_t day = strcspn(text, "tT");
    if (!text[day] || !is_date_len(text, day))
        return false;
    const char *time = text + day + 1;
    if (!matches(ctx, "(?i)^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$",
                 time))
        return false;
    return two(time) <= 23 && two(time + 3) <= 59 && two(time + 6) <= 59;
}

static bool is_unit(const char *text, size_t len)
{
    static const char *const exact[] = {"ns", "us", "µs", "ms", "s", "m",
                                        "h",  "hr", "d",  "w",  "wk"};
    static const char *const start[] = {"nano", "micro", "milli", "sec",
                                        "min",  "hour",  "day",   "week"};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        if (strlen(exact[i]) == len && strncasecmp(exact[i], text, len) == 0)
            return true;
    }
    for (size_t i = 0; i < sizeof start / sizeof *start; i++) {
        if (len >= strlen(start[i]) && strncasecmp(start[i], text, strlen(start[i])) == 0)
            return true;
    }
    return false;
}

/* A number with a unit somewhere, "1h30m" or "2 days"; or nothing at all, "0". */
static bool is_duration(kube_ctx *ctx, const char *text)
{
    (void)ctx;
    const char *number = text + (*text == '+' || *text == '-');
    if (strcmp(number, "0") == 0)
        return true;
    for (const char *at = text; *at;) {
        if (!kube__is_digit(*at)) {
            at++;
            continue;
        }
        while (kube__is_digit(*at))
            at++;
        at += strspn(at, " \t\n\r\f");
        size_t len = 0;
        while (kube__is_letter(at[len]) || strncmp(at + len, "µ", strlen("µ")) == 0)
            len += kube__is_letter(at[len]) ? 1 : strlen("µ");
        if (len && is_unit(at, len))
            return true;
        at += len;
    }
    return false;
}

static const struct {
    const char *name;
    checker *check;
} formats[] = {
    {"bsonobjectid", is_bson_id},
    {"byte", is_base64},
    {"cidr", is_cidr},
    {"creditcard", is_credit_card},
    {"date", is_date},
    {"datetime", is_date_time},
    {"duration", is_duration},
    {"email", is_email},
    {"hexcolor", is_hex_color},
    {"hostname", is_hostname},
    {"ipv4", is_ipv4},
    {"ipv6", is_ipv6},
    {"isbn", is_isbn},
    {"isbn10", is_isbn10},
    {"isbn13", is_isbn13},
    {"k8slongname", is_long_name},
    {"k8sshortname", is_short_name},
    {"mac", is_mac},
    {"password", is_any},
    {"rgbcolor", is_rgb_color},
    {"ssn", is_ssn},
    {"uri", is_uri},
    {"uuid", is_uuid},
    {"uuid3", is_uuid3},
    {"uuid4", is_uuid4},
    {"uuid5", is_uuid5},
};

/* "date-time" is "datetime". */
static bool is_same(const char *format, const char *name)
{
    for (;; format++) {
        if (*format == '-')
            continue;
        if (*format != *name)
            return false;
        if (!*format)
            return true;
        name++;
    }
}

static checker *find(const char *format)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (is_same(format, formats[i].name))
            return formats[i].check;
    }
    return NULL;
}

bool kube__api_format_known(const char *format)
{
    return find(format) != NULL;
}

bool kube__api_format_matches(kube_ctx *ctx, const char *format, const char *text)
{
    checker *check = find(format);
    return !check || check(ctx, text);
}
