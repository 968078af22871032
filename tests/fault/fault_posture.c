/* SPDX-License-Identifier: MIT */
/* Posture and bracket with every allocation and call failing: a file that cannot be read is an
 * unknown fact; only a lack of memory is a failure. */
#include "fault.h"
#include "machine/bracket.h"
#include "machine/kconfig.h"
#include "nf_unit.h"

#define FILES \
	"openat,openat64,__openat64_2,syscall,read,__read_chk,close,fdopendir,readdir,readdir64," \
	"readlinkat,__readlinkat_chk,getrusage"

struct subject {
	const char *host; /* NULL: the live one */
	struct nf_rootfs root;
	struct nf_arena arena;
	struct nf_posture posture, other;
	struct nf_posture_diff *list;
	size_t n;
	struct nf_cpuset cpus;
	struct nf_bracket *bracket;
	struct nf_bracket_diff diff;
	struct nf_buf config;
	char source[NF_KCONFIG_SOURCE_BYTES];
};

static void open_subject(void *ctx)
{
	struct subject *s = ctx;
	char path[512];

	snprintf(path, sizeof(path), "%s/tests/fixtures/hosts/%s", getenv("NF_BUILD"),
	         s->host ? s->host : "");
	assert_int_equal(nf_rootfs_open(&s->root, s->host ? path : NULL, NULL), 0);
	nf_arena_init(&s->arena, 16 << 20);
	s->posture = (struct nf_posture){ .host_name = "untouched" };
	nf_cpuset_init(&s->cpus);
	assert_int_equal(nf_cpuset_parse("0-1", false, &s->cpus, NULL), 0);
	s->bracket = NULL;
	s->diff = (struct nf_bracket_diff){ 0 };
	nf_buf_init(&s->config, NF_KCONFIG_MAX_BYTES);
}

static void close_subject(struct subject *s)
{
	nf_buf_fini(&s->config);
	nf_bracket_diff_fini(&s->diff);
	nf_bracket_free(s->bracket);
	nf_cpuset_fini(&s->cpus);
	nf_arena_fini(&s->arena);
	nf_rootfs_close(&s->root);
}

static int run_read(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_posture_read(&s->root, &s->arena, &s->posture, err);
}

static void finish_read(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r < 0)
		assert_string_equal(s->posture.host_name, "untouched");
	close_subject(s);
}

static void reading_a_posture(void **state)
{
	static const char *const hosts[] = { "server-2node-rt", "container", "container-v1",
		                             "hostile",         "unknown",   NULL };
	const struct fault_subject f = {
		.prepare = open_subject,
		.run = run_read,
		.finish = finish_read,
		.tolerates = FILES,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		fault_every(&f, &(struct subject){ .host = hosts[i] });
}

static void reading_a_posture_over_interruptions(void **state)
{
	const struct fault_subject f = {
		.prepare = open_subject,
		.run = run_read,
		.finish = finish_read,
		.only = "read",
	};

	(void)state;
	fault_survives(&f, &(struct subject){ .host = "rt-no-flag" });
}

static void prepare_two(void *ctx)
{
	struct subject *s = ctx;

	open_subject(s);
	assert_int_equal(nf_posture_read(&s->root, &s->arena, &s->posture, NULL), 0);
	s->other = (struct nf_posture){ 0 };
	s->list = NULL;
	s->n = 99;
}

static int run_compare(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_posture_compare(&s->posture, &s->other, &s->arena, &s->list, &s->n, err);
}

static void finish_compare(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r < 0) {
		assert_null(s->list);
		assert_int_equal(s->n, 99);
	} else {
		assert_true(s->n > 40);
	}
	close_subject(s);
}

static void comparing_postures(void **state)
{
	const struct fault_subject f = {
		.prepare = prepare_two,
		.run = run_compare,
		.finish = finish_compare,
	};

	(void)state;
	fault_every(&f, &(struct subject){ .host = "server-2node" });
}

static int run_bracket(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;
	int r = nf_bracket_open(&s->root, &s->cpus, &s->bracket, err);

	return r < 0 ? r : nf_bracket_close(s->bracket, &s->diff, err);
}

static void finish_bracket(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r < 0)
		assert_null(s->diff.cpu);
	else
		assert_int_equal(s->diff.n_cpus, 2);
	close_subject(s);
}

static void a_bracket(void **state)
{
	static const char *const hosts[] = { "server-2node", "container", "unknown", NULL };
	const struct fault_subject f = {
		.prepare = open_subject,
		.run = run_bracket,
		.finish = finish_bracket,
		.tolerates = FILES,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		fault_every(&f, &(struct subject){ .host = hosts[i] });
}

static int run_config(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_kconfig_load(&s->root, "6.1.0-90-rt-amd64", &s->config, s->source, err);
}

static void finish_config(void *ctx, int r)
{
	(void)r;
	close_subject(ctx);
}

static void a_kernel_configuration(void **state)
{
	const struct fault_subject f = {
		.prepare = open_subject,
		.run = run_config,
		.finish = finish_config,
		.tolerates = "close",
	};

	(void)state;
	fault_every(&f, &(struct subject){ .host = "server-2node-rt" });
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(reading_a_posture),
	cmocka_unit_test(reading_a_posture_over_interruptions),
	cmocka_unit_test(comparing_postures),
	cmocka_unit_test(a_bracket),
	cmocka_unit_test(a_kernel_configuration),
};

NF_UNIT_MAIN(tests)
