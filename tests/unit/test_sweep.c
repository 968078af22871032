/* SPDX-License-Identifier: MIT */
/* The points of a sweep, from options and from files. */
#include "bench/sweep_file.h"
#include "nf_scratch.h"
#include "nf_unit.h"

enum { ARENA_BYTES = 16 << 20, DOC_BYTES = 1 << 16 };

struct made {
	struct nf_arena a;
	struct nf_sweep s;
	struct nf_conf_pos at;
	struct nf_err err;
	int r;
};

static void make(const struct nf_sweep_spec *spec, struct made *m)
{
	memset(m, 0, sizeof(*m));
	nf_arena_init(&m->a, ARENA_BYTES);
	m->r = nf_sweep_make(spec, &m->a, &m->s, &m->at, &m->err);
}

static const char *const two[] = { "1", "2" };
static const char *const three[] = { "a", "b", "" };

static struct nf_sweep_spec grid(void)
{
	return (struct nf_sweep_spec){
		.axis = { { .name = "A", .value = two, .n = 2 },
		          { .name = "B", .value = three, .n = 3, .is_arg = true } },
		.n_axes = 2,
	};
}

static void a_grid_has_every_combination_once(void **state)
{
	const struct nf_sweep_spec spec = grid();
	static const char *const want[] = { "A=1 B=a", "A=1 B=b", "A=1 B=",
		                            "A=2 B=a", "A=2 B=b", "A=2 B=" };
	struct made *m = malloc(sizeof(*m));

	(void)state;
	assert_non_null(m);
	make(&spec, m);
	assert_int_equal(m->r, 0);
	assert_true(m->s.grid);
	assert_int_equal(m->s.n_points, 6);
	assert_int_equal(m->s.base, 0);
	for (size_t i = 0; i < 6; i++) {
		assert_string_equal(m->s.point[i].label, want[i]);
		assert_int_equal(m->s.point[i].index[1], i % 3);
	}
	nf_arena_fini(&m->a);
	free(m);
}

static void points_are_what_is_listed(void **state)
{
	const struct nf_sweep_pair pair[] = {
		{ .name = "A", .value = "2" }, { .name = "B", .value = "x" },
		{ .name = "B", .value = "x" }, { .name = "A", .value = "1" },
		{ .name = "A", .value = "2" }, { .name = "B", .value = "y" },
	};
	const struct nf_sweep_pairs point[] = { { pair, 2, { 0 } },
		                                { pair + 2, 2, { 0 } },
		                                { pair + 4, 2, { 0 } } };
	struct nf_sweep_spec spec = {
		.axis = { { .name = "A" }, { .name = "B" } },
		.n_axes = 2,
		.point = point,
		.n_points = 3,
		.base = { pair + 3, 1, { 0 } }, /* A=1, the rest as in the first */
		.workers = "A",
	};
	struct made *m = malloc(sizeof(*m));

	(void)state;
	assert_non_null(m);
	make(&spec, m);
	assert_int_equal(m->r, 0);
	assert_false(m->s.grid);
	assert_int_equal(m->s.n_points, 3);
	assert_string_equal(m->s.point[1].label, "A=1 B=x");
	assert_int_equal(m->s.base, 1);
	assert_int_equal(m->s.point[0].workers, 2);
	assert_int_equal(m->s.knob[1].n, 2); /* x, y */
	assert_int_equal(m->s.point[2].index[1], 1);
	nf_arena_fini(&m->a);
	spec.point = (const struct nf_sweep_pairs[]){ point[0], point[1], point[0] };
	make(&spec, m);
	assert_int_equal(m->r, -NF_EARG);
	assert_string_equal(m->err.msg, "point 3 is the same as point 1; allowed: each once");
	nf_arena_fini(&m->a);
	free(m);
}

static void what_is_no_sweep_is_refused(void **state)
{
	static const char *const twice[] = { "1", "1" };
	static const char *many[NF_SWEEP_POINTS_MAX + 1];
	static char number[NF_SWEEP_POINTS_MAX + 1][8];
	const struct nf_sweep_pair other[] = { { .name = "A", .value = "7" } };
	const struct nf_sweep_pair unknown[] = { { .name = "Z", .value = "7" } };
	struct {
		struct nf_sweep_spec spec;
		const char *what;
	} bad[9];
	struct made *m = malloc(sizeof(*m));

	(void)state;
	assert_non_null(m);
	for (size_t i = 0; i < NF_SWEEP_POINTS_MAX + 1; i++) {
		snprintf(number[i], sizeof(number[i]), "%zu", i);
		many[i] = number[i];
	}
	for (size_t i = 0; i < 9; i++)
		bad[i].spec = grid();
	bad[0].spec.n_axes = 0;
	bad[0].what = "no knobs; allowed: 1 to 16";
	bad[1].spec.axis[0].name = "1x";
	bad[1].what = "knob '1x'; allowed: a name of letters";
	bad[2].spec.axis[1].name = "A";
	bad[2].what = "knob 'A' comes twice; allowed: once";
	bad[3].spec.axis[0].value = twice;
	bad[3].what = "knob A has the value '1' twice";
	bad[4].spec.axis[0].n = 0;
	bad[4].what = "knob A has no values; allowed: values, or points";
	bad[5].spec.axis[0].value = many;
	bad[5].spec.axis[0].n = NF_SWEEP_POINTS_MAX + 1;
	bad[5].what = "more than 128 points; allowed: 2 to 128";
	bad[6].spec.base = (struct nf_sweep_pairs){ other, 1, { 0 } };
	bad[6].what = "the base is none of the points";
	bad[7].spec.base = (struct nf_sweep_pairs){ unknown, 1, { 0 } };
	bad[7].what = "'Z' is no knob; allowed: each knob once";
	bad[8].spec.workers = "B";
	bad[8].what = "workers: B has the value 'a'; allowed: whole numbers";
	for (size_t i = 0; i < 9; i++) {
		make(&bad[i].spec, m);
		assert_int_equal(m->r, -NF_EARG);
		if (strncmp(m->err.msg, bad[i].what, strlen(bad[i].what)) != 0)
			fail_msg("got '%s', want '%s'", m->err.msg, bad[i].what);
		nf_arena_fini(&m->a);
	}
	free(m);
}

static void arguments_stand_in_braces(void **state)
{
	const struct nf_sweep_spec spec = grid();
	const char *const argv[] = { "prog", "-n{B}{B}", "{A}{", "${B", NULL };
	const struct nf_variant form = { .backend = NF_BACKEND_COMMAND,
		                         .argv = argv,
		                         .prepare = "touch {B}" };
	struct nf_variant v[NF_SWEEP_POINTS_MAX];
	struct made *m = malloc(sizeof(*m));

	(void)state;
	assert_non_null(m);
	make(&spec, m);
	assert_int_equal(nf_sweep_variants(&m->s, &form, &m->a, v, &m->err), 0);
	assert_string_equal(v[4].argv[0], "prog");
	assert_string_equal(v[4].argv[1], "-nbb");
	assert_string_equal(v[4].argv[2], "{A}{"); /* A is an environment variable */
	assert_string_equal(v[4].argv[3], "${B");
	assert_null(v[4].argv[4]);
	assert_string_equal(v[4].prepare, "touch b");
	assert_string_equal(v[4].env[0], "A=2");
	assert_null(v[4].env[1]);
	assert_string_equal(v[4].label, "A=2 B=b");
	nf_arena_fini(&m->a);
	free(m);
}

static void an_argument_has_to_stand_somewhere(void **state)
{
	static const char *const none[] = { "prog", "{b}", NULL };
	static const char *const counts[] = { "1", "99999" };
	struct nf_sweep_spec spec = grid();
	struct nf_variant form = { .backend = NF_BACKEND_COMMAND, .argv = none };
	struct nf_variant v[NF_SWEEP_POINTS_MAX];
	struct made *m = malloc(sizeof(*m));

	(void)state;
	assert_non_null(m);
	make(&spec, m);
	assert_int_equal(nf_sweep_variants(&m->s, &form, &m->a, v, &m->err), -NF_EARG);
	assert_non_null(strstr(m->err.msg, "argument B: {B} stands nowhere in the command"));
	form = (struct nf_variant){ .backend = NF_BACKEND_BUILTIN, .bench = "x" };
	assert_int_equal(nf_sweep_variants(&m->s, &form, &m->a, v, &m->err), -NF_EARG);
	assert_non_null(strstr(m->err.msg, "argument B of a benchmark; allowed: threads"));
	nf_arena_fini(&m->a);
	spec.axis[1] =
	        (struct nf_sweep_axis){ .name = "threads", .is_arg = true, .value = two, .n = 2 };
	make(&spec, m);
	assert_int_equal(nf_sweep_variants(&m->s, &form, &m->a, v, &m->err), 0);
	assert_int_equal(v[1].threads, 2);
	assert_int_equal(m->s.point[1].workers, 2);
	nf_arena_fini(&m->a);
	spec.axis[1].value = counts;
	make(&spec, m);
	assert_int_equal(nf_sweep_variants(&m->s, &form, &m->a, v, &m->err), -NF_EARG);
	assert_non_null(strstr(m->err.msg, "threads: bad value '99999'; allowed: 1 to "));
	nf_arena_fini(&m->a);
	free(m);
}

static void pairs_are_taken_apart(void **state)
{
	char text[] = "A=1,B=x=y,C=", bad[] = "A=1,B", more[] = "A=1,B=2,C=3,D=4";
	struct nf_sweep_pair pair[3];
	struct nf_err err = { 0 };
	size_t n;

	(void)state;
	assert_int_equal(nf_sweep_pairs_split(text, pair, 3, &n, &err), 0);
	assert_int_equal(n, 3);
	assert_string_equal(pair[1].name, "B");
	assert_string_equal(pair[1].value, "x=y");
	assert_string_equal(pair[2].value, "");
	assert_int_equal(nf_sweep_pairs_split(bad, pair, 3, &n, &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "'A=1,B'; allowed: NAME=VALUE"));
	assert_int_equal(nf_sweep_pairs_split(more, pair, 3, &n, &err), -NF_EARG);
}

/* --- files --- */

static int spec_of(const char *text, struct nf_conf *c, struct nf_arena *a, struct nf_sweep *ret,
                   struct nf_conf_pos *at, struct nf_err *err)
{
	struct nf_sweep_spec spec;
	int r = nf_conf_read(&nf_sweep_file_type, "s.yaml", text, strlen(text), NULL, c, err);

	assert_int_equal(r, 0);
	r = nf_sweep_file_spec(c->root, a, &spec, at, err);
	return r < 0 ? r : nf_sweep_make(&spec, a, ret, at, err);
}

static void a_file_says_it_all(void **state)
{
	struct nf_conf c;
	struct nf_arena a;
	struct nf_sweep *s = malloc(sizeof(*s));
	struct nf_conf_pos at = { 0 };
	struct nf_err err = { 0 };

	(void)state;
	assert_non_null(s);
	nf_arena_init(&a, ARENA_BYTES);
	assert_int_equal(spec_of("command: [x, \"{N}\"]\nknobs: { N: arg }\n"
	                         "points:\n- { M: a, N: 1 }\n- { N: 2, M: a }\n"
	                         "base: { N: 2 }\nsets: 9\ndelta: 2%\nworkers: N\n",
	                         &c, &a, s, &at, &err),
	                 0);
	assert_int_equal(s->n_points, 2);
	assert_int_equal(s->base, 1);
	assert_string_equal(s->knob[0].name, "M");
	assert_false(s->knob[0].is_arg);
	assert_true(s->knob[1].is_arg);
	assert_int_equal(s->point[1].workers, 2);
	const struct nf_sweep_file *f = c.root;
	assert_int_equal(f->sets.v, 9);
	assert_true(f->delta.v == 0.02);
	assert_int_equal(f->command.words.n, 2);
	nf_conf_fini(&c);
	nf_arena_fini(&a);
	free(s);
}

static void a_file_is_blamed_where_it_is_wrong(void **state)
{
	static const struct {
		const char *text, *what;
		uint32_t line, column;
	} bad[] = {
		/* clang-format off */
		{ "shell: x\ngrid: { A: [1, 2], B: [3, 3] }\n", "knob B has the value '3' twice", 2, 20 },
		{ "shell: x\npoints: [ { A: 1 }, { B: 2 } ]\n", "'B' is no knob", 2, 23 },
		{ "shell: x\npoints: [ { A: 1, B: 1 }, { B: 2 } ]\n", "point 2 does not say A", 2, 27 },
		{ "shell: x\nknobs: { C: arg }\ngrid: { A: [1, 2] }\n", "knob 'C' has no values", 2, 10 },
		{ "shell: x\ngrid: { A: [1, 2] }\nbase: { A: 3 }\n", "the base is none of the points", 3, 7 },
		{ "shell: x\ngrid: { A: [1, 2] }\nworkers: B\n", "workers: 'B' is no knob", 3, 10 },
		{ "shell: x\ngrid: { a-b: [1, 2] }\n", "knob 'a-b'; allowed: a name", 2, 9 },
		/* clang-format on */
	};
	struct nf_sweep *s = malloc(sizeof(*s));

	(void)state;
	assert_non_null(s);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct nf_conf c;
		struct nf_arena a;
		struct nf_conf_pos at = { 0 };
		struct nf_err err = { 0 };

		nf_arena_init(&a, ARENA_BYTES);
		assert_int_equal(spec_of(bad[i].text, &c, &a, s, &at, &err), -NF_EARG);
		if (strncmp(err.msg, bad[i].what, strlen(bad[i].what)) != 0)
			fail_msg("got '%s', want '%s'", err.msg, bad[i].what);
		assert_int_equal(at.line, bad[i].line);
		assert_int_equal(at.column, bad[i].column);
		nf_conf_fini(&c);
		nf_arena_fini(&a);
	}
	free(s);
}

/* NF_BLESS=1 writes it. */
static void the_document_has_every_key(void **state)
{
	static const char mark[] = "## Keys\n\n";
	const char *source = getenv("NF_SOURCE"), *bless = getenv("NF_BLESS");
	static char doc[DOC_BYTES];
	char path[4096];
	struct nf_buf keys;

	(void)state;
	skip_unless(source, "source", "NF_SOURCE is not set");
	snprintf(path, sizeof(path), "%s/docs/SWEEP_FILE.md", source);
	nf_scratch_read(path, doc, sizeof(doc));
	char *at = strstr(doc, mark);
	assert_non_null(at);
	at += strlen(mark);
	nf_buf_init(&keys, DOC_BYTES);
	nf_conf_describe(&nf_sweep_file_type, &keys);
	assert_int_equal(keys.failed, 0);
	if (bless && strcmp(bless, "1") == 0) {
		assert_true((size_t)(at - doc) + keys.len_bytes < sizeof(doc));
		memcpy(at, keys.data, keys.len_bytes + 1);
		nf_scratch_write(path, doc);
	}
	assert_string_equal(at, keys.data);
	nf_buf_fini(&keys);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_grid_has_every_combination_once),
	cmocka_unit_test(points_are_what_is_listed),
	cmocka_unit_test(what_is_no_sweep_is_refused),
	cmocka_unit_test(arguments_stand_in_braces),
	cmocka_unit_test(an_argument_has_to_stand_somewhere),
	cmocka_unit_test(pairs_are_taken_apart),
	cmocka_unit_test(a_file_says_it_all),
	cmocka_unit_test(a_file_is_blamed_where_it_is_wrong),
	cmocka_unit_test(the_document_has_every_key),
};

NF_UNIT_MAIN(tests)
