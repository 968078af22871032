/* SPDX-License-Identifier: MIT */
/*
 * err - error codes and the caller-supplied error object.
 *
 * A function that can fail returns 0 or a negated code. On failure it fills *err (NULL: not
 * wanted) and leaves every ret_ output untouched; on success it leaves *err untouched.
 * Nothing in the library prints or exits. Threads: no shared state.
 */
#ifndef NOISEFLOOR_ERR_H
#define NOISEFLOOR_ERR_H

#ifdef __cplusplus
extern "C" {
#endif

#define NF_NODISCARD __attribute__((warn_unused_result))
#define NF_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define NF_API __attribute__((visibility("default")))

/* EARG and EDATA: the caller or the input is wrong. EUNSUPPORTED: the message says what would make
 * it supported. ENODATA: undefined for these samples, which is not 0. The full list with texts and
 * exit codes is in tables/errors.def and the man page. */
enum nf_code {
	NF_OK = 0,
	NF_EARG,
	NF_EDATA,
	NF_EEXIST,
	NF_EUNSUPPORTED,
	NF_ENODATA,
	NF_EOS,
	NF_ENOMEM,
	NF_ETIMEOUT,
	NF_ESUBJECT,
	NF_NCODES,
};

/* Fixed size, so that it works when memory has run out. */
struct nf_err {
	enum nf_code code;
	int os_errno; /* 0 unless code is NF_EOS */
	char msg[512];
};

/* Static text of a code or its negation, never NULL; "unknown error" outside the list. */
NF_API const char *nf_strerror(int code);

#ifdef __cplusplus
}
#endif

#endif
