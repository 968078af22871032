/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dhall/dhall.h"
#include "fault.h"
#include "nf_scratch.h"

static const char source[] =
        "let E = < P | F : Natural > let r = { a = \"x${\"y\"}\\n\", b = [ 1, 2 ], c = Some E.P }\n"
        "let m = ''\n  two\n  lines\n  '' in r // { d = E.F 3, e = [] : List Text, f = m, g = -0.5 "
        "}\n"
        "/\\ { h = None (forall (t : Type) -> t) } /\\ { i.j = 1, i.k = 2 }";
static const char data[] = "{\"a\": [1, 2], \"b\": \"x\", \"c\": null}";

struct work {
	struct nf_dhall *d;
	struct nf_buf out;
	char folder[PATH_MAX];
	char path[PATH_MAX + 32];
	int (*run)(struct work *w, struct nf_err *err);
	const struct nf_dexpr *result;
};

static int all_of_it(struct work *w, struct nf_err *err)
{
	const struct nf_dexpr *e, *type, *value, *again;
	char hex[NF_SHA256_HEX];
	int r = nf_dhall_new(&w->d, err);

	if (r == 0)
		r = nf_dhall_parse(w->d, "t", "{ a = 1 }.a", 11, &e, err);
	if (r == 0)
		r = nf_dhall_parse(w->d, "t", source, strlen(source), &e, err);
	if (r == 0)
		r = nf_dhall_normalise(w->d, e, &value, err);
	if (r == 0)
		r = nf_dhall_hash(w->d, value, hex, err);
	if (r == 0)
		r = nf_dhall_print(w->d, e, &w->out, err);
	if (r == 0) {
		nf_buf_clear(&w->out);
		r = nf_dhall_encode(w->d, value, &w->out, err);
	}
	if (r == 0)
		r = nf_dhall_decode(w->d, w->out.data, w->out.len_bytes, &again, err);
	if (r == 0)
		r = nf_dhall_parse(w->d, "t", "{ a : List Natural, b : Text, c : Optional Bool }",
		                   49, &type, err);
	if (r == 0)
		r = nf_dhall_from_json(w->d, type, "j", data, strlen(data), &value, err);
	if (r == 0) {
		nf_buf_clear(&w->out);
		r = nf_dhall_to_json(w->d, value, true, &w->out, err);
	}
	if (r == 0)
		w->result = value;
	return r;
}

static int load(struct work *w, struct nf_err *err)
{
	struct nf_dhall_loaded l;
	int r = nf_dhall_new(&w->d, err);

	if (r == 0)
		r = nf_dhall_load(w->d, w->path, &l, err);
	if (r == 0)
		w->result = l.value;
	return r;
}

static void prepare(void *ctx)
{
	struct work *w = ctx;

	w->d = NULL;
	w->result = NULL;
	nf_buf_init(&w->out, 1 << 20);
}

static int run(void *ctx, struct nf_err *err)
{
	struct work *w = ctx;

	return w->run(w, err);
}

static void finish(void *ctx, int r)
{
	struct work *w = ctx;

	if (r < 0)
		assert_null(w->result);
	else
		assert_non_null(w->result);
	nf_dhall_free(w->d);
	nf_buf_fini(&w->out);
}

static void every_step_gives_up_cleanly_without_memory(void **state)
{
	struct work w = { .run = all_of_it };

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare, .run = run, .finish = finish },
	            &w);
}

static void in_folder(struct work *w, const char *name, const char *text)
{
	snprintf(w->path, sizeof(w->path), "%s/%s", w->folder, name);
	nf_scratch_write(w->path, text);
}

static void make_files(struct work *w)
{
	nf_scratch_make(w->folder, sizeof(w->folder));
	in_folder(w, "MANIFEST", "");
	in_folder(w, "types.dhall", "{ T = { a : Natural } }");
	in_folder(w, "main.dhall", "let t = ./types.dhall in { a = 1 } : t.T");
}

static void imports_give_up_cleanly_whatever_fails(void **state)
{
	struct work w = { .run = load };

	(void)state;
	make_files(&w);
	/* A folder that cannot be looked into for its marks counts as one without; where openat2() is
	 * refused the path is walked. */
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = run,
	                                     .finish = finish,
	                                     .tolerates = "close,lstat,lstat64,syscall" },
	            &w);
	nf_scratch_remove(w.folder);
}

static void imports_survive_interrupted_and_short_reads(void **state)
{
	struct work w = { .run = load };

	(void)state;
	make_files(&w);
	fault_survives(&(struct fault_subject){ .prepare = prepare,
	                                        .run = run,
	                                        .finish = finish,
	                                        .tolerates = "close",
	                                        .only = "read,__read_chk" },
	               &w);
	nf_scratch_remove(w.folder);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_step_gives_up_cleanly_without_memory),
	cmocka_unit_test(imports_give_up_cleanly_whatever_fails),
	cmocka_unit_test(imports_survive_interrupted_and_short_reads),
};
NF_UNIT_MAIN(tests)
