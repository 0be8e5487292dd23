/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What a program may ask of the API server, written into the program itself.
 *
 * Each call that sends requests leaves a record in the section .kube_rbac of the ELF file: the
 * verbs and the Kind as the caller names it. The linker keeps a record exactly if it keeps the
 * section of the code that makes the call, so that `kubegen rbac --from PROGRAM` can write the Role
 * that the program can use. Records are read from the file; a running program does not look at
 * them.
 *
 * Where the Kind of a call is an expression, such as `&apps_v1_deployment_type`, the record names
 * it. Where it is known only at run time, such as `object->type`, the record says that, and kubegen
 * points it out. Then say what may come with KUBE_NEEDS(), and put the function's name in
 * parentheses, which keeps the call from leaving a record: `(kube_client_get)(…, object->type, …)`.
 * A function that is called by a pointer leaves none, nor do the functions whose names end with
 * `_sized`.
 *
 * A program that defines KUBE_WITHOUT_RBAC, or is no ELF file, has no records.
 */
#ifndef KUBE_RBAC_H
#define KUBE_RBAC_H

#if defined(__ELF__) && !defined(KUBE_WITHOUT_RBAC)
#define KUBE__RBAC_RECORDS 1

/*
 * The relocation of type NONE makes the code refer to the record and changes nothing in it. Each
 * record that is not in a section of its own would be kept with its neighbours. Equal ones are
 * merged by the linker, and so is one with the end of another: none is an end, for each begins with
 * a newline, and no other is in them. The text is stringified twice, so that it is the assembler's.
 */
#if defined(__clang__) || __GNUC__ < 9
#define KUBE__RBAC_ASM __asm__ volatile
#else
#define KUBE__RBAC_ASM __asm__ volatile inline /* of no weight when the compiler inlines */
#endif
#define KUBE__RBAC_RECORD(head, text, number)                                                      \
    KUBE__RBAC_ASM(".reloc ., BFD_RELOC_NONE, 771f\n\t"                                            \
                   ".pushsection .kube_rbac,\"aMS\",%progbits,1,unique," #number "\n"              \
                   "771:\t.ascii \"\\n" head "\"\n\t.asciz " #text "\n\t.popsection")
#define KUBE__RBAC_NUMBERED(head, text, number) KUBE__RBAC_RECORD(head, text, number)
/* A statement. @head is plain text, and so may @text_literal be any. */
#define KUBE__RBAC(head, text_literal) KUBE__RBAC_NUMBERED(head, text_literal, __COUNTER__)
/* The argument @value, which leaves a record. It stands among the arguments, so that a call with
 * the same name as the macro stays one whatever is before it, such as `::` in C++. */
#define KUBE__RBAC_ARGUMENT(head, text_literal, value)                                             \
    ((void)__extension__({                                                                         \
         KUBE__RBAC(head, text_literal);                                                           \
         0;                                                                                        \
     }),                                                                                           \
     value)
#define KUBE__RBAC_USE(verbs, subresource, function, type)                                         \
    KUBE__RBAC_ARGUMENT("use " verbs " " subresource " " function " ", #type, type)
#define KUBE__RBAC_CONTROLLER(value) KUBE__RBAC_AT(__LINE__, value)
#define KUBE__RBAC_AT(line, value) KUBE__RBAC_AT_LINE(line, value)
#define KUBE__RBAC_AT_LINE(line, value)                                                            \
    KUBE__RBAC_ARGUMENT("controller " #line " ", __FILE__, value)
/* Outside of functions, and always kept, also by who strips what is not loaded: what a name of a
 * Kind's descriptor means. Linkers drop pieces of merged sections, so this is none. */
#define KUBE__RBAC_TYPE(type, group, resource, namespaced)                                         \
    __asm__(".pushsection .kube_rbac_types,\"aR\",%progbits\n\t"                                   \
            ".asciz \"\\n" #type " " group " " resource " " namespaced "\"\n\t.popsection")

#else
#define KUBE__RBAC(head, text_literal) ((void)0)
#define KUBE__RBAC_USE(verbs, subresource, function, type) (type)
#define KUBE__RBAC_CONTROLLER(value) (value)
#define KUBE__RBAC_TYPE(type, group, resource, namespaced) _Static_assert(1, "no record")
#endif

/**
 * A statement that leaves a record of rights that the program needs beside those of its calls:
 * `KUBE_NEEDS("apps", "deployments/scale", "get,update");`. The arguments are literals; resources
 * and verbs have commas and no blanks between them, and the core group is "" or "core".
 */
#define KUBE_NEEDS(group, resource, verbs) KUBE__RBAC("need - " verbs " " resource " " group, "")
/* Of those who stand for election: a Role of its own, for it is about the Pods' namespace. */
#define KUBE__RBAC_LEASES()                                                                        \
    KUBE__RBAC("need leader-election create,get,update,watch leases coordination.k8s.io", "")

#endif /* KUBE_RBAC_H */
