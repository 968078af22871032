/* SPDX-License-Identifier: MIT */
/* The projector against captures, types and records that others published (<shared data>/host-captures,
 * never copied). docs/PROJECTION.md lists the fields that are compared here. */
#include <dirent.h>
#include <jansson.h>
#include <limits.h>

#include "base/sysio.h"
#include "dhall/dhall.h"
#include "nf_unit.h"
#include "record/capture.h"
#include "record/project.h"
#include "record/write.h"

#include <fcntl.h>
#include <unistd.h>

static char folder[PATH_MAX];

static int find_data(void **state)
{
	const char *shared = getenv("NF_SHARED_DATA"), *source = getenv("NF_SOURCE");

	(void)state;
	if (shared)
		snprintf(folder, sizeof(folder), "%s/host-captures", shared);
	else
		snprintf(folder, sizeof(folder), "%s/../shared/data/host-captures",
		         source ? source : ".");
	return 0;
}

#define need_data() \
	skip_unless(access(folder, R_OK) == 0, "shared-data", "no host-captures beside the source")

static void read_file(const char *path, struct nf_buf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail_msg("%s", path);
	assert_int_equal(nf_read_all(fd, out, path, NULL), 0);
	close(fd);
}

/* A record in Dhall as JSON; freed by the caller. */
static json_t *record_json(const char *path)
{
	struct nf_err err = { .code = NF_OK };
	struct nf_dhall_loaded l;
	struct nf_dhall *d = NULL;
	struct nf_buf out;
	json_t *v;

	nf_buf_init(&out, 1 << 20);
	assert_int_equal(nf_dhall_new(&d, &err), 0);
	if (nf_dhall_load(d, path, &l, &err) < 0 ||
	    nf_dhall_to_json(d, l.value, false, &out, &err) < 0)
		fail_msg("%s", err.msg);
	v = json_loadb(out.data, out.len_bytes, 0, NULL);
	nf_buf_fini(&out);
	nf_dhall_free(d);
	assert_non_null(v);
	return v;
}

static json_t *value_json(const struct nf_type *t, const void *value)
{
	struct nf_buf out;
	json_t *v;

	nf_buf_init(&out, 1 << 20);
	assert_int_equal(nf_record_to_json(t, value, &out, NULL, NULL), 0);
	v = json_loadb(out.data, out.len_bytes, 0, NULL);
	nf_buf_fini(&out);
	assert_non_null(v);
	return v;
}

/* The value in Dhall has the type that the data's own file declares. */
static void has_published_type(const struct nf_type *t, const void *value, const char *type_file)
{
	struct nf_err err = { .code = NF_OK };
	const struct nf_dexpr *e = NULL, *type = NULL;
	struct nf_dhall *d = NULL;
	struct nf_buf text, source;
	char path[PATH_MAX];

	nf_buf_init(&text, 1 << 20);
	nf_buf_init(&source, 1 << 20);
	assert_int_equal(nf_record_to_dhall(t, value, &text, NULL, &err), 0);
	snprintf(path, sizeof(path), "%.2000s/dhall/types/value.dhall", folder);
	(void)nf_buf_addf(&source, "(%s) : (./%s.dhall).%s\n", text.data, type_file, type_file);
	assert_int_equal(nf_dhall_new(&d, &err), 0);
	if (nf_dhall_parse(d, path, source.data, source.len_bytes, &e, &err) < 0 ||
	    nf_dhall_resolve(d, e, path, &err) < 0 || nf_dhall_infer(d, e, &type, &err) < 0)
		fail_msg("%s", err.msg);
	nf_dhall_free(d);
	nf_buf_fini(&text);
	nf_buf_fini(&source);
}

struct projected {
	struct nf_arena a;
	struct nf_buf text[2];
	struct nf_rec_projection r;
};

static void project(struct projected *p, const char *capture, const char *window,
                    const struct nf_project_opts *o)
{
	const char *name[2] = { capture, window };
	struct nf_project_input in[2];
	struct nf_err err = { .code = NF_OK };
	size_t n = window ? 2 : 1;

	nf_arena_init(&p->a, NF_PROJECT_ARENA_BYTES);
	for (size_t i = 0; i < 2; i++)
		nf_buf_init(&p->text[i], 1 << 20);
	for (size_t i = 0; i < n; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%.2000s/captures/%s", folder, name[i]);
		read_file(path, &p->text[i]);
		in[i] = (struct nf_project_input){ name[i], p->text[i].data, p->text[i].len_bytes };
	}
	if (nf_project(in, n, o, &p->a, &p->r, &err) < 0)
		fail_msg("%s: %s", capture, err.msg);
}

static void drop(struct projected *p)
{
	nf_buf_fini(&p->text[0]);
	nf_buf_fini(&p->text[1]);
	nf_arena_fini(&p->a);
}

static void a_projection_equals_the_published_record_in_what_its_capture_holds(void **state)
{
	static const char *const held[] = {
		"date",
		"host",
		"compilerRef",
		"chapelVersion",
		"expectedLane",
		"kernelVersion",
		"unameVariant",
		"sysKernelRealtime",
		"tunedProfile",
		"localeCount",
		"sublocaleCount",
		"coresPerLocale",
		"channelCount",
		"sampleCount",
		"sampleRateHz",
		"partitionCount",
		"timingConforms",
		"jitterMinSeconds",
		"jitterMaxSeconds",
		"jitterMeanSeconds",
		"serialSeconds",
		"parallelSeconds",
		"speedup",
		"delta",
		"result",
	};
	static const struct {
		const char *name, *window, *lane;
	} cases[] = {
		{ "generic-repeat-2026-04-26-sample-01",
		  "host-characterization-window-generic-repeat-2026-04-26.txt", NULL },
		{ "rt-chapel-repeat-2026-04-26-sample-01", NULL, "rt" },
		{ "rt-chapel-repeat-2026-04-26-sample-02", NULL, "rt" },
	};

	(void)state;
	need_data();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_project_opts o = { .lane = cases[i].lane };
		char capture[256], path[PATH_MAX];
		struct projected p;
		json_t *want, *got;

		snprintf(capture, sizeof(capture), "chapel-host-probe-%s.txt", cases[i].name);
		snprintf(path, sizeof(path),
		         "%.2000s/dhall/records/host-a-chapel-host-probe-%s.dhall", folder,
		         cases[i].name);
		project(&p, capture, cases[i].window, &o);
		assert_non_null(p.r.host_probe);
		assert_int_equal(p.r.notes.n, 0);
		want = record_json(path);
		got = value_json(&nf_rec_host_probe_run_type, p.r.host_probe);
		for (size_t k = 0; k < sizeof(held) / sizeof(held[0]); k++)
			if (!json_equal(json_object_get(want, held[k]),
			                json_object_get(got, held[k])))
				fail_msg("%s: %s differs", cases[i].name, held[k]);
		assert_int_equal(json_object_size(want), json_object_size(got));
		json_decref(want);
		json_decref(got);
		drop(&p);
	}
}

static void check_trace(const struct nf_list *trace, const struct nf_rec_capture *c,
                        const char *text, size_t len)
{
	const struct nf_rec_trace *t = trace->items;
	struct nf_capture lines;
	struct nf_arena a;

	nf_arena_init(&a, NF_PROJECT_ARENA_BYTES);
	assert_int_equal(nf_capture_split(text, len, &a, &lines, NULL), 0);
	for (size_t i = 0; i < trace->n; i++) {
		if (t[i].origin != NF_ORIGIN_LINE)
			continue;
		assert_string_equal(t[i].capture, c->name);
		assert_true(t[i].line.some && t[i].line.v >= 1 && t[i].line.v <= lines.n_lines);
		assert_int_equal(lines.line[t[i].line.v - 1].text.n, strlen(t[i].text));
		assert_memory_equal(lines.line[t[i].line.v - 1].text.p, t[i].text,
		                    strlen(t[i].text));
	}
	nf_arena_fini(&a);
}

static void every_capture_projects_and_has_the_published_type(void **state)
{
	size_t n = 0, probes = 0, validations = 0;
	struct dirent *e;
	char path[PATH_MAX];
	DIR *dir;

	(void)state;
	need_data();
	snprintf(path, sizeof(path), "%.2000s/captures", folder);
	dir = opendir(path);
	assert_non_null(dir);
	while ((e = readdir(dir))) {
		const struct nf_rec_capture *c;
		struct projected p;

		if (!strstr(e->d_name, ".txt"))
			continue;
		n++;
		project(&p, e->d_name, NULL, &(struct nf_project_opts){ .lane = NULL });
		c = p.r.captures.items;
		assert_int_equal(p.r.missing.n, 0);
		assert_true(c->trace.n >= 5);
		check_trace(&c->trace, c, p.text[0].data, p.text[0].len_bytes);
		check_trace(&p.r.trace, c, p.text[0].data, p.text[0].len_bytes);
		assert_int_equal(nf_record_validate(&nf_rec_projection_type, &p.r, NULL), 0);
		if (p.r.host_probe) {
			probes++;
			has_published_type(&nf_rec_host_probe_run_type, p.r.host_probe,
			                   "ChapelHostProbeRun");
		}
		if (p.r.kernel_validation) {
			validations++;
			has_published_type(&nf_rec_kernel_validation_run_type,
			                   p.r.kernel_validation, "KernelValidationRun");
		}
		drop(&p);
	}
	closedir(dir);
	assert_true(n >= 19);
	assert_true(probes >= 10);
	assert_true(validations >= 1);
}

static void published_types_check_but_the_one_that_misses_an_import(void **state)
{
	struct dirent *e;
	char path[PATH_MAX];
	size_t n = 0, bad = 0;
	DIR *dir;

	(void)state;
	need_data();
	snprintf(path, sizeof(path), "%.2000s/dhall/types", folder);
	dir = opendir(path);
	assert_non_null(dir);
	while ((e = readdir(dir))) {
		struct nf_err err = { .code = NF_OK };
		struct nf_dhall_loaded l;
		struct nf_dhall *d = NULL;
		int rc;

		if (!strstr(e->d_name, ".dhall"))
			continue;
		n++;
		snprintf(path, sizeof(path), "%.2000s/dhall/types/%.256s", folder, e->d_name);
		assert_int_equal(nf_dhall_new(&d, &err), 0);
		rc = nf_dhall_load(d, path, &l, &err);
		nf_dhall_free(d);
		if (strcmp(e->d_name, "HostContract.dhall") == 0) {
			bad++;
			assert_true(rc < 0);
			assert_non_null(strstr(err.msg, "ResetRun.dhall"));
		} else if (rc < 0) {
			fail_msg("%s", err.msg);
		}
	}
	closedir(dir);
	assert_int_equal(bad, 1);
	assert_true(n >= 8);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_projection_equals_the_published_record_in_what_its_capture_holds),
	cmocka_unit_test(every_capture_projects_and_has_the_published_type),
	cmocka_unit_test(published_types_check_but_the_one_that_misses_an_import),
};
NF_UNIT_MAIN_WITH(tests, find_data, NULL)
