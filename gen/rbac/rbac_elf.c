/* SPDX-License-Identifier: Apache-2.0 */
#include "rbac_elf.h"

#include "support/diag_log.h"
#include "support/path.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A linker merges equal records, and a program has some dozens. */
enum { BYTES_MAX = 16 * 1024 * 1024, SECTIONS_MAX = 1024 * 1024 };

/* Parts of the file format (System V ABI): 64 bits, in the byte order of this machine. */
enum { IDENT_SIZE = 16, IDENT_CLASS = 4, IDENT_ORDER = 5, CLASS_64 = 2, LITTLE = 1, BIG = 2 };
enum { DYNAMIC = 6, NO_BITS = 8, COMPRESSED = 0x800, NAMES_ELSEWHERE = 0xffff };

typedef struct elf_header {
    unsigned char ident[IDENT_SIZE];
    uint16_t type;
    uint16_t machine;
    uint32_t version;
    uint64_t entry;
    uint64_t segments_at;
    uint64_t sections_at;
    uint32_t flags;
    uint16_t header_size;
    uint16_t segment_size;
    uint16_t segment_count;
    uint16_t section_size;
    uint16_t section_count;
    uint16_t names_index;
} elf_header;

typedef struct elf_section {
    uint32_t name;
    uint32_t type;
    uint64_t flags;
    uint64_t address;
    uint64_t at;
    uint64_t size;
    uint32_t link;
    uint32_t info;
    uint64_t alignment;
    uint64_t entry_size;
} elf_section;

typedef struct elf_entry {
    int64_t tag;
    uint64_t value;
} elf_entry;

enum { TAG_NEEDED = 1, TAG_SONAME = 14 };

typedef struct elf_file {
    arena *in;
    const char *path;
    FILE *file;
    uint64_t size;
    elf_header header;
    uint64_t section_count;
    char *names;
    uint64_t names_size;
    uint64_t bytes_read; /* of sections; several may be the same bytes */
} elf_file;

static const char no_elf[] = "this is no ELF file: name the program that the linker wrote";

static bool refuse(const elf_file *elf, const char *why)
{
    diag_log_line(DIAG_ERROR, "%s: %s", elf->path, why);
    return false;
}

static bool read_at(const elf_file *elf, uint64_t at, void *to, uint64_t size)
{
    return at <= elf->size && size <= elf->size - at &&
           fseeko(elf->file, (off_t)at, SEEK_SET) == 0 && fread(to, 1, size, elf->file) == size;
}

static bool read_section_header(const elf_file *elf, uint64_t index, elf_section *out)
{
    return index < elf->section_count &&
           read_at(elf, elf->header.sections_at + index * sizeof *out, out, sizeof *out);
}

/* The contents of a section, with a zero behind them; NULL if it has none that can be read. */
static char *read_section(elf_file *elf, const elf_section *section)
{
    char *bytes;
    if (section->type == NO_BITS || section->flags & COMPRESSED || section->size > elf->size ||
        section->size > BYTES_MAX - elf->bytes_read)
        return NULL;
    elf->bytes_read += section->size;
    bytes = arena_alloc(elf->in, (size_t)section->size + 1);
    return read_at(elf, section->at, bytes, section->size) ? bytes : NULL;
}

static bool check_header(const elf_file *elf)
{
    const unsigned order = 1;
    const int own_order = *(const unsigned char *)&order ? LITTLE : BIG;
    const unsigned char *ident = elf->header.ident;
    if (memcmp(ident, "\177ELF", 4) != 0)
        return refuse(elf, no_elf);
    if (ident[IDENT_CLASS] != CLASS_64)
        return refuse(elf, "this program is not of 64 bits, for which libkube is");
    if (ident[IDENT_ORDER] != own_order)
        return refuse(elf, "this program is for machines of another byte order than this one: run "
                           "kubegen on a machine of its order");
    if (!elf->header.sections_at)
        return refuse(elf, "this program has lost its section headers, and its records with them: "
                           "name the one that the linker wrote");
    return true;
}

static bool open_sections(elf_file *elf)
{
    static const char damaged[] = "the section headers are damaged";
    uint64_t names_index = elf->header.names_index;
    elf_section first;
    elf->section_count = 1;
    if (elf->header.section_size != sizeof(elf_section) || elf->header.sections_at > elf->size ||
        !read_section_header(elf, 0, &first))
        return refuse(elf, damaged);
    /* What does not fit into the header stands in the first section. */
    elf->section_count = elf->header.section_count ? elf->header.section_count : first.size;
    if (names_index == NAMES_ELSEWHERE)
        names_index = first.link;
    if (elf->section_count > SECTIONS_MAX || !read_section_header(elf, names_index, &first))
        return refuse(elf, damaged);
    elf->names = read_section(elf, &first);
    elf->names_size = first.size;
    return elf->names || refuse(elf, damaged);
}

static bool add_texts(elf_file *elf, const elf_section *section, text_list *out)
{
    const char *bytes = read_section(elf, section);
    if (!bytes)
        return refuse(elf, "its records of rights cannot be read: they are cut or compressed");
    for (uint64_t at = 0; at < section->size; at += strlen(bytes + at) + 1)
        if (bytes[at])
            *VEC_ADD(out) = bytes + at + (bytes[at] == '\n');
    return true;
}

/* Which libraries it needs, and what others know it by. */
static bool add_libraries(elf_file *elf, const elf_section *section, rbac_elf *out)
{
    elf_section names;
    const char *bytes = read_section(elf, section);
    const char *texts =
        read_section_header(elf, section->link, &names) ? read_section(elf, &names) : NULL;
    for (uint64_t at = 0; bytes && texts && at + sizeof(elf_entry) <= section->size;
         at += sizeof(elf_entry)) {
        elf_entry entry;
        memcpy(&entry, bytes + at, sizeof entry);
        if (!entry.tag)
            break;
        if (entry.value < names.size && entry.tag == TAG_NEEDED)
            *VEC_ADD(&out->needed) = path_last(texts + entry.value);
        else if (entry.value < names.size && entry.tag == TAG_SONAME)
            *VEC_ADD(&out->given) = texts + entry.value;
    }
    return (bytes && texts) || refuse(elf, "the list of its libraries is damaged");
}

static bool read_sections(elf_file *elf, rbac_elf *out)
{
    for (uint64_t i = 0; i < elf->section_count; i++) {
        elf_section section;
        text_list *list = NULL;
        if (!read_section_header(elf, i, &section))
            return refuse(elf, "the section headers are cut");
        if (section.type == DYNAMIC && !add_libraries(elf, &section, out))
            return false;
        if (section.name >= elf->names_size)
            continue;
        if (strcmp(elf->names + section.name, ".kube_rbac") == 0)
            list = &out->records;
        else if (strcmp(elf->names + section.name, ".kube_rbac_types") == 0)
            list = &out->types;
        if (list && !add_texts(elf, &section, list))
            return false;
    }
    return true;
}

bool rbac_elf_read(arena *in, const char *path, rbac_elf *out)
{
    elf_file elf = {.in = in, .path = path};
    struct stat status;
    bool ok;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return refuse(&elf, no_elf); /* and a pipe would be waited for */
    elf.file = fopen(path, "rbe");
    if (!elf.file)
        return refuse(&elf, strerror(errno));
    if (fstat(fileno(elf.file), &status) == 0)
        elf.size = (uint64_t)status.st_size;
    if (!read_at(&elf, 0, &elf.header, sizeof elf.header))
        ok = refuse(&elf, no_elf);
    else
        ok = check_header(&elf) && open_sections(&elf) && read_sections(&elf, out);
    fclose(elf.file);
    *VEC_ADD(&out->given) = path_last(path);
    text_list_sort(&out->records);
    text_list_sort(&out->types);
    text_list_sort(&out->needed);
    return ok;
}

void rbac_elf_free(rbac_elf *elf)
{
    free(elf->records.items);
    free(elf->types.items);
    free(elf->needed.items);
    free(elf->given.items);
}
