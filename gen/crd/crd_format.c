/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_format.h"

#include "front/pattern.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const crd_formats[] = {
    "bsonobjectid", "byte",   "cidr",          "creditcard",     "date",  "date-time", "datetime",
    "duration",     "email",  "hexcolor",      "hostname",       "ipv4",  "ipv6",      "isbn",
    "isbn10",       "isbn13", "k8s-long-name", "k8s-short-name", "mac",   "password",  "rgbcolor",
    "ssn",          "uri",    "uuid",          "uuid3",          "uuid4", "uuid5",
};
const size_t crd_format_len = sizeof crd_formats / sizeof *crd_formats;

/* Those that a regular expression can tell. */
static const char *const forms[][2] = {
    {"bsonobjectid", "^[0-9a-fA-F]{24}$"},
    {"byte", "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"},
    {"duration", "^[-+]?(0|(([0-9]+([.][0-9]*)?|[.][0-9]+)(ns|us|ms|s|m|h))+)$|[0-9]+ *[A-Za-z]+"},
    {"email", "^[^@]+@[^@]+$"},
    {"hexcolor", "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"},
    {"hostname", "^[a-zA-Z0-9]|[a-zA-Z]{2,63}$"},
    {"k8s-long-name", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"},
    {"k8s-short-name", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"},
    {"mac", "^([0-9a-fA-F]{2}[:-]){5}|^([0-9a-fA-F]{4}[.]){2}"},
    {"rgbcolor", "^rgb[(].*[)]$"},
    {"ssn", "^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$"},
    {"uri", "^/|^[A-Za-z][-A-Za-z0-9+.]*:/"},
    {"uuid", "^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$"},
    {"uuid3", "^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?3[0-9a-fA-F]{3}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$"},
    {"uuid4", "^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?4[0-9a-fA-F]{3}-?[89abAB][0-9a-fA-F]{3}-?"
              "[0-9a-fA-F]{12}$"},
    {"uuid5", "^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?5[0-9a-fA-F]{3}-?[89abAB][0-9a-fA-F]{3}-?"
              "[0-9a-fA-F]{12}$"},
};

static bool is_address(int family, const char *text)
{
    unsigned char bytes[16];
    return inet_pton(family, text, bytes) == 1;
}

static bool is_network(const char *text)
{
    char address[64];
    const char *slash = strchr(text, '/');
    bool is_wide = strchr(text, ':') != NULL;
    size_t len = slash ? (size_t)(slash - text) : sizeof address;
    if (len >= sizeof address || strspn(slash + 1, "0123456789") != strlen(slash + 1) ||
        slash[1] == '\0' || (slash[1] == '0' && slash[2]))
        return false;
    memcpy(address, text, len);
    address[len] = '\0';
    return is_address(is_wide ? AF_INET6 : AF_INET, address) &&
           strtoul(slash + 1, NULL, 10) <= (is_wide ? 128 : 32);
}

static bool is_date(const char *text)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year;
    int month;
    int day;
    bool is_leap;
    if (pattern_excludes("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", text) ||
        sscanf(text, "%4d-%2d-%2d", &year, &month, &day) != 3 || month < 1 || month > 12)
        return false;
    is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day >= 1 && day <= days[month - 1] + (month == 2 && is_leap);
}

static bool is_time(const char *text)
{
    static const char form[] = "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}"
                               "([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$";
    char date[11];
    int hour;
    int minute;
    int second;
    if (pattern_excludes(form, text) || sscanf(text, "%10s", date) != 1 ||
        sscanf(text + 11, "%2d:%2d:%2d", &hour, &minute, &second) != 3)
        return false;
    return is_date(date) && hour <= 23 && minute <= 59 && second <= 59;
}

bool crd_format_excludes(const char *format, const char *text)
{
    if (strcmp(format, "ipv4") == 0)
        return !is_address(AF_INET, text);
    if (strcmp(format, "ipv6") == 0)
        return !is_address(AF_INET6, text);
    if (strcmp(format, "cidr") == 0)
        return !is_network(text);
    if (strcmp(format, "date") == 0)
        return !is_date(text);
    if (strcmp(format, "date-time") == 0 || strcmp(format, "datetime") == 0)
        return !is_time(text);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(forms[i][0], format) == 0)
            return pattern_excludes(forms[i][1], text);
    }
    return false;
}
