/* SPDX-License-Identifier: MIT */
#include "capture_text.h"

#include "record/capture.h"
#include "record/capture_facts.h"

struct fixture {
	struct nf_arena a;
	struct nf_project_opts o;
	struct nf_rec_projection r;
	struct nf_err err;
	char text[4][CAPTURE_TEXT];
	size_t n;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	nf_arena_init(&f->a, NF_PROJECT_ARENA_BYTES);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	nf_arena_fini(&f->a);
	free(f);
	return 0;
}

static void take(struct fixture *f, const char *name)
{
	capture_fixture(name, f->text[f->n++]);
}

static void assert_number(double got, double want)
{
	if (!(got >= want && got <= want))
		fail_msg("%.17g is not %.17g", got, want);
}

static int project(struct fixture *f)
{
	static const char *const names[] = { "a.txt", "b.txt", "c.txt", "d.txt" };
	struct nf_project_input in[4];

	for (size_t i = 0; i < f->n; i++)
		in[i] = (struct nf_project_input){ names[i], f->text[i], strlen(f->text[i]) };
	return nf_project(in, f->n, &f->o, &f->a, &f->r, &f->err);
}

static const struct nf_rec_host_probe_run *probe(struct fixture *f)
{
	if (project(f) < 0)
		fail_msg("%s", f->err.msg);
	assert_non_null(f->r.host_probe);
	return f->r.host_probe;
}

static bool missing(const struct fixture *f, const char *field)
{
	const char *const *m = f->r.missing.items;

	for (size_t i = 0; i < f->r.missing.n; i++)
		if (strcmp(m[i], field) == 0)
			return true;
	return false;
}

static void a_probe_capture_is_a_record(void **state)
{
	struct fixture *f = *state;
	const struct nf_rec_host_probe_run *r;

	take(f, "probe.txt");
	r = probe(f);
	assert_string_equal(r->date, "2031-02-03");
	assert_string_equal(r->host, "bench-7");
	assert_string_equal(r->compilerSource, "prebuilt");
	assert_string_equal(r->compilerRef, "/opt/chapel-9.1.0");
	assert_string_equal(r->chapelVersion, "9.1.0");
	assert_string_equal(r->kernelVersion, "7.3.1-2.generic");
	assert_string_equal(r->unameVariant, "#4 SMP PREEMPT_DYNAMIC Mon Jan 6 10:00:00 UTC 2031");
	assert_true(r->sysKernelRealtime.some && !r->sysKernelRealtime.v);
	assert_string_equal(r->tunedProfile, "bench-quiet");
	assert_int_equal(r->sublocaleCount, 2);
	assert_int_equal(r->coresPerLocale, 4);
	assert_int_equal(r->sampleCount, 500);
	assert_int_equal(r->sampleRateHz, 250);
	assert_int_equal(r->partitionCount, 3);
	assert_true(r->timingConforms);
	assert_number(r->jitterMaxSeconds, 2.5e-15);
	assert_number(r->serialSeconds.v, 0.00045);
	assert_number(r->speedup.v, 3.0);
	assert_int_equal(r->expectedLane, 0); /* unknown: no window, no option */
	assert_null(r->ownerIssue);
	assert_string_equal(r->contractCeiling, "");
	assert_int_equal(r->evidence.n, 0);
	assert_int_equal(r->notes.n, 0);
}

static void every_value_has_the_line_it_was_read_from(void **state)
{
	struct fixture *f = *state;
	const struct nf_rec_trace *t;
	struct nf_capture c;

	take(f, "probe.txt");
	(void)probe(f);
	assert_int_equal(nf_capture_split(f->text[0], strlen(f->text[0]), &f->a, &c, NULL), 0);
	t = f->r.trace.items;
	for (const struct nf_field *k = nf_rec_host_probe_run_type.fields; k->key; k++) {
		static const char *const editorial[] = { "ownerIssue",      "expectedLane",
			                                 "contractCeiling", "evidence",
			                                 "notes",           "followUp" };
		bool found = false;

		for (size_t i = 0; i < sizeof(editorial) / sizeof(editorial[0]); i++)
			found = found || strcmp(editorial[i], k->key) == 0;
		for (size_t i = 0; i < f->r.trace.n; i++)
			found = found || strcmp(t[i].field, k->key) == 0;
		if (!found)
			fail_msg("%s has no trace", k->key);
	}
	for (size_t i = 0; i < f->r.trace.n; i++) {
		assert_string_equal(t[i].capture, "a.txt");
		assert_true(t[i].line.v >= 1 && t[i].line.v <= c.n_lines);
		assert_int_equal(strlen(t[i].text), c.line[t[i].line.v - 1].text.n);
		assert_memory_equal(t[i].text, c.line[t[i].line.v - 1].text.p, strlen(t[i].text));
	}
}

static void what_no_line_says_is_none(void **state)
{
	struct fixture *f = *state;
	const struct nf_rec_host_probe_run *r;

	take(f, "probe.txt");
	capture_replace(f->text[0], "Current active profile: bench-quiet",
	                "No current active profile.");
	capture_replace(f->text[0], "  Delta:    2.5e-10\n", "");
	capture_replace(f->text[0],
	                "== uname -v ==\n#4 SMP PREEMPT_DYNAMIC Mon Jan 6 10:00:00 UTC 2031",
	                "== uname -v ==");
	r = probe(f);
	assert_null(r->tunedProfile);
	assert_false(r->delta.some);
	assert_false(r->sysKernelRealtime.some); /* absent is unknown, not false */
	assert_non_null(r->unameVariant); /* uname -a says it too */
}

static void without_a_value_that_must_be_there_is_no_record(void **state)
{
	struct fixture *f = *state;
	char *cut;

	take(f, "probe.txt");
	cut = strstr(f->text[0], "== HostNumaProbe ==");
	assert_non_null(cut);
	*cut = '\0';
	assert_int_equal(project(f), 0);
	assert_null(f->r.host_probe);
	assert_true(missing(f, "localeCount"));
	assert_true(missing(f, "jitterMeanSeconds"));
	assert_false(missing(f, "kernelVersion"));
	assert_false(missing(f, "serialSeconds"));
	assert_int_equal(f->r.captures.n, 1);
}

static void a_timing_that_is_missing_is_no_pass(void **state)
{
	struct fixture *f = *state;

	take(f, "probe.txt");
	capture_replace(f->text[0], "  Parallel: 0.00015s\n", "");
	assert_int_equal(probe(f)->result, 2); /* partial */
	capture_replace(f->text[0], "Conforms: true", "Conforms: false");
	assert_int_equal(probe(f)->result, 1); /* fail */
}

static void lines_that_contradict_each_other_are_a_note(void **state)
{
	static const struct {
		const char *from, *to, *note;
	} cases[] = {
		{ "target: tester@bench-7\nprobe_args", "target: tester@other\nprobe_args",
		  "a.txt:7 says host other, a.txt:3 says bench-7, which is kept" },
		{ "Linux bench-7 7.3.1-2.generic", "Linux bench-7 7.3.1-3.generic", "BOOT_IMAGE" },
		{ "Speedup:  3.0x", "Speedup:  3.5x", "serial_s / parallel_s" },
		{ "realtime ==\nabsent", "realtime ==\n1", "realtime" },
		{ "compiler_ref: /opt/chapel-9.1.0", "compiler_ref: /opt/chapel-9.2.0",
		  "chapel_version 9.2.0" },
		{ "Channels:   10\n", "Channels:   10\nChannels: 11\n", "channel_count 11" },
		{ "Channels:   10\n", "Channels:   10\nChannels: many\n", "no channel_count" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct nf_rec_host_probe_run *r;

		f->n = 0;
		take(f, "probe.txt");
		capture_replace(f->text[0], cases[i].from, cases[i].to);
		r = probe(f);
		if (!capture_has_note(&r->notes, cases[i].note))
			fail_msg("no note on %s", cases[i].note);
		assert_string_equal(r->host, "bench-7"); /* the first stands */
		assert_int_equal(r->channelCount, 10);
	}
}

static void the_note_names_the_value_that_is_kept(void **state)
{
	struct fixture *f = *state;

	take(f, "probe.txt");
	capture_replace(f->text[0], "0.25 0.50 0.75 1/200", "0.75 0.50 0.75 1/200");
	(void)probe(f);
	/* /proc/loadavg stands behind uptime and is read before it. */
	assert_true(capture_has_note(&f->r.notes, "says load_1min 0.25, a.txt:"));
	assert_true(capture_has_note(&f->r.notes, "says 0.75, which is kept"));
	const struct nf_rec_capture *c = f->r.captures.items;
	assert_number(c->facts.load_1min.v, 0.75);
}

static void only_chpl_says_its_version(void **state)
{
	static const struct {
		const char *lines, *version;
	} cases[] = {
		{ "  built with LLVM version 18.1.8\n", "9.1.0" /* of compiler_ref */ },
		{ "a warning first\nchpl.real version 9.3.1\n  built with LLVM version 18.1.8\n",
		  "9.3.1" },
		{ "  built with LLVM version 18.1.8\nchpl version 9.4.0\n", "9.4.0" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		f->n = 0;
		take(f, "probe.txt");
		capture_replace(f->text[0], "chpl version 9.1.0\n", cases[i].lines);
		assert_string_equal(probe(f)->chapelVersion, cases[i].version);
	}
}

static void numbers_that_cannot_be_are_none_with_a_note(void **state)
{
	static const struct {
		const char *from, *to, *note;
		bool serial;
	} cases[] = {
		{ "Serial:   0.00045s", "Serial:   -3s", "-3 is no serial_s", false },
		{ "Serial:   0.00045s", "Serial:   0.00045s trailing 7", "no serial_s understood",
		  false },
		{ "Serial:   0.00045s", "Serial:   0.00045s 0.5s", "no serial_s understood",
		  false },
		{ "Delta:    2.5e-10", "Delta:    2.5e-10 and more", "no delta understood", true },
		{ "Speedup:  3.0x", "Speedup:  -3.0x", "-3.0 is no speedup", true },
		{ "Period:   0.004s", "Period:   -0.004s", "-0.004 is no period_s", true },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		f->n = 0;
		take(f, "probe.txt");
		capture_replace(f->text[0], cases[i].from, cases[i].to);
		if (project(f) < 0)
			fail_msg("%s", f->err.msg);
		const struct nf_rec_capture *c = f->r.captures.items;
		if (!capture_has_note(&c->notes, cases[i].note) &&
		    !capture_has_note(&f->r.notes, cases[i].note))
			fail_msg("no note on %s", cases[i].note);
		assert_int_equal(c->facts.serial_s.some, cases[i].serial);
		if (f->r.host_probe && !cases[i].serial) {
			const struct nf_rec_host_probe_run *r = f->r.host_probe;

			assert_false(r->serialSeconds.some);
			assert_int_equal(r->result, 2); /* partial */
		}
	}
}

static void remarks_behind_a_number_are_no_garbage(void **state)
{
	struct fixture *f = *state;

	take(f, "probe.txt");
	capture_replace(f->text[0], "Serial:   0.00045s", "Serial:   0.00045 s (warm)");
	capture_replace(f->text[0], "Delta:    2.5e-10", "Delta:    -2.5e-10 -- small");
	(void)probe(f);
	const struct nf_rec_capture *c = f->r.captures.items;
	assert_number(c->facts.serial_s.v, 0.00045);
	assert_number(c->facts.delta.v, -2.5e-10);
}

static void the_expected_lane_comes_from_a_window_or_an_option(void **state)
{
	struct fixture *f = *state;

	take(f, "probe.txt");
	take(f, "window.txt");
	assert_int_equal(probe(f)->expectedLane, 1);
	f->o.lane = "rt";
	assert_int_equal(probe(f)->expectedLane, 2);
	assert_true(capture_has_note(&f->r.notes, "an option says expectedLane rt"));
	assert_true(capture_has_note(&f->r.notes, "not a realtime kernel"));
}

static void a_window_of_another_series_is_not_used(void **state)
{
	struct fixture *f = *state;

	take(f, "probe-rt.txt");
	take(f, "window.txt");
	assert_int_equal(probe(f)->expectedLane, 0);
	assert_true(capture_has_note(&f->r.notes, "b.txt is not used"));
	capture_replace(f->text[1], "tag: quiet-2031-02-03\n", "");
	assert_int_equal(probe(f)->expectedLane, 0);
	assert_true(capture_has_note(&f->r.notes, "its kernel is"));
}

static void options_fill_what_is_editorial(void **state)
{
	static const char *const notes[] = { "looked at twice" }, *const files[] = { "x.txt",
		                                                                     "y.txt" };
	struct fixture *f = *state;
	const struct nf_rec_host_probe_run *r;

	f->o = (struct nf_project_opts){ .owner_issue = "T-1",
		                         .claim_ceiling = "C9",
		                         .compiler_source = "shop",
		                         .result = "blocked",
		                         .host = "elsewhere",
		                         .date = "2031-02-01",
		                         .notes = { notes, 1 },
		                         .evidence = { files, 2 } };
	take(f, "probe.txt");
	r = probe(f);
	assert_string_equal(r->ownerIssue, "T-1");
	assert_string_equal(r->contractCeiling, "C9");
	assert_string_equal(r->compilerSource, "shop");
	assert_int_equal(r->result, 0);
	assert_int_equal(r->evidence.n, 2);
	assert_string_equal(((const char *const *)r->notes.items)[0], "looked at twice");
	/* What a capture holds stays. */
	assert_string_equal(r->host, "bench-7");
	assert_string_equal(r->date, "2031-02-03");
	assert_true(capture_has_note(&r->notes, "an option says host elsewhere"));
	assert_true(capture_has_note(&r->notes, "an option says date 2031-02-01"));
	assert_true(capture_has_note(&r->notes, "an option says result blocked"));
}

static void options_of_another_form_are_refused(void **state)
{
	struct fixture *f = *state;

	take(f, "probe.txt");
	f->o.date = "2031-02-30";
	assert_int_equal(project(f), -NF_EARG);
	f->o = (struct nf_project_opts){ .lane = "fast" };
	assert_int_equal(project(f), -NF_EARG);
	f->o = (struct nf_project_opts){ .result = "historical" };
	assert_int_equal(project(f), -NF_EARG);
}

static void a_validation_takes_its_smi_and_window_captures_along(void **state)
{
	struct fixture *f = *state;
	const struct nf_rec_kernel_validation_run *r;

	take(f, "validator.txt");
	take(f, "smi.txt");
	take(f, "window.txt");
	if (project(f) < 0)
		fail_msg("%s", f->err.msg);
	r = f->r.kernel_validation;
	assert_non_null(r);
	assert_string_equal(r->date, "2031-02-03");
	assert_string_equal(r->host, "bench-7");
	assert_int_equal(r->lane, NF_KERNEL_LANE_GENERIC);
	assert_int_equal(r->baseMatched, 11);
	assert_int_equal(r->baseMismatched, 1);
	assert_false(r->rtMatched.some);
	assert_int_equal(r->cmdlineMissing, 2);
	assert_false(r->validatorPass);
	assert_int_equal(r->result, NF_VALIDATION_FAIL);
	assert_int_equal(r->smiCountPer10s.v, 17); /* 33 in 20 s */
	assert_true(capture_has_note(&r->notes, "rounded: 33 in 20 s"));
	assert_int_equal(r->hwlatMaxUs.v, 7);
	assert_string_equal(r->defaultKernel, "/boot/vmlinuz-7.3.1-2.generic");
	assert_null(r->nextEntryState);
	assert_string_equal(r->phase, "");
	assert_null(r->intent);
	assert_false(r->reconnectSeconds.some);
}

static void a_validation_by_itself_needs_a_date_and_a_lane(void **state)
{
	struct fixture *f = *state;

	take(f, "validator.txt");
	assert_int_equal(project(f), 0);
	assert_null(f->r.kernel_validation);
	assert_int_equal(f->r.missing.n, 1);
	assert_true(missing(f, "date"));
	f->o.date = "2031-02-03";
	assert_int_equal(project(f), 0);
	assert_non_null(f->r.kernel_validation); /* expect_rt: 0 */
	capture_replace(f->text[0], "expect_rt: 0\n", "");
	assert_int_equal(project(f), 0);
	assert_true(missing(f, "lane"));
	f->o.lane = "rt";
	assert_int_equal(project(f), 0);
	assert_int_equal(f->r.kernel_validation->lane, NF_KERNEL_LANE_RT);
}

static void a_date_in_the_file_name_is_said_to_be_from_there(void **state)
{
	struct fixture *f = *state;
	struct nf_project_input in = { "x/baseline-2031-02-09.txt", NULL, 0 };
	const struct nf_rec_trace *t;
	bool found = false;

	take(f, "validator.txt");
	in.data = f->text[0];
	in.len_bytes = strlen(f->text[0]);
	assert_int_equal(nf_project(&in, 1, &f->o, &f->a, &f->r, &f->err), 0);
	assert_string_equal(f->r.kernel_validation->date, "2031-02-09");
	t = f->r.trace.items;
	for (size_t i = 0; i < f->r.trace.n; i++)
		found = found || (strcmp(t[i].field, "date") == 0 &&
		                  t[i].origin == NF_ORIGIN_FILE_NAME && !t[i].line.some);
	assert_true(found);
	assert_true(capture_has_note(&f->r.notes, "that of the file's name"));
}

static void captures_that_make_no_record_are_kept_as_facts(void **state)
{
	struct fixture *f = *state;
	const struct nf_rec_capture *c;

	take(f, "smi.txt");
	assert_int_equal(project(f), 0);
	assert_null(f->r.host_probe);
	assert_null(f->r.kernel_validation);
	assert_int_equal(f->r.missing.n, 0);
	c = f->r.captures.items;
	assert_int_equal(c->kind, NF_CAPTURE_SMI);
	assert_int_equal(c->facts.smi_count.v, 33);
	assert_int_equal(c->facts.smi_s.v, 20);
	assert_int_equal(c->facts.hwlat_max_us.v, 7);
	assert_true(c->facts.realtime.some && !c->facts.realtime.v);
	assert_string_equal(c->facts.nohz_full, "2-3");
}

static void two_records_at_once_and_unknown_texts_are_refused(void **state)
{
	struct fixture *f = *state;

	take(f, "probe.txt");
	take(f, "probe-rt.txt");
	assert_int_equal(project(f), -NF_EARG);
	assert_non_null(strstr(f->err.msg, "a.txt and b.txt"));
	f->n = 1;
	snprintf(f->text[0], CAPTURE_TEXT, "Dear all,\nnothing to see: here\n");
	assert_int_equal(project(f), -NF_EDATA);
	f->text[0][0] = '\0';
	assert_int_equal(project(f), -NF_EDATA);
	assert_int_equal(nf_project(NULL, 0, &f->o, &f->a, &f->r, &f->err), -NF_EARG);
}

static void crlf_and_terminal_marks_change_no_value(void **state)
{
	struct fixture *f = *state;
	const struct nf_rec_capture *c;

	take(f, "smi.txt");
	capture_replace(f->text[0], "\n", "\r\n");
	capture_replace(f->text[0], "✗", "\033[0;31m✗\033[0m");
	capture_replace(f->text[0], "bench-quiet", "bench\001quiet");
	assert_int_equal(project(f), 0);
	c = f->r.captures.items;
	assert_int_equal(c->facts.smi_count.v, 33);
	assert_string_equal(c->facts.tuned_profile, "bench\xef\xbf\xbdquiet");
	assert_int_equal(c->replaced, 3);
	assert_true(capture_has_note(&f->r.notes, "3 pieces that are no text"));
	assert_null(strchr(c->facts.host, '\r'));
}

static void numbers_in_another_unit_are_not_taken(void **state)
{
	struct fixture *f = *state;
	const struct nf_rec_host_probe_run *r;

	take(f, "probe.txt");
	capture_replace(f->text[0], "Serial:   0.00045s", "Serial:   0.45ms");
	capture_replace(f->text[0], "Delta:    2.5e-10", "Delta:    nan");
	r = probe(f);
	assert_false(r->serialSeconds.some);
	assert_false(r->delta.some);
	assert_true(capture_has_note(&r->notes, "no serial_s understood"));
	assert_true(capture_has_note(&r->notes, "no delta understood"));
}

static void uptimes_of_every_form_are_read(void **state)
{
	static const struct {
		const char *text;
		double s;
	} forms[] = { { "up 2 min,", 120 },
		      { "up  6:29,", 23340 },
		      { "up 1 day, 5 min,", 86700 },
		      { "up 12 days, 23:59,", 1123140 },
		      { "up 1 day,  2 users", 86400 } };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const struct nf_rec_capture *c;

		f->n = 0;
		take(f, "probe.txt");
		capture_replace(f->text[0], "up 3 days,  1:02,", forms[i].text);
		(void)probe(f);
		c = f->r.captures.items;
		assert_number(c->facts.uptime_s.v, forms[i].s);
		assert_number(c->facts.uptime_step_s.v, 60);
	}
}

static void dates_are_seconds_since_1970(void **state)
{
	double s = -1;

	(void)state;
	assert_true(nf_capture_utc("1970-01-01T00:00:00Z", &s));
	assert_number(s, 0);
	assert_true(nf_capture_utc("2026-04-26T05:15:58Z", &s));
	assert_number(s, 1777180558);
	assert_true(nf_capture_utc("2024-02-29T23:59:59.5+00:00", &s));
	assert_number(s, 1709251199);
	assert_false(nf_capture_utc("2023-02-29T00:00:00Z", &s));
	assert_false(nf_capture_utc("2023-02-20T00:00:00", &s));
	assert_false(nf_capture_utc("2023-02-20T00:00:00+02:00", &s));
	assert_false(nf_capture_utc("2023-13-20T00:00:00Z", &s));
	assert_false(nf_capture_utc("+023-01-20T00:00:00Z", &s));
	assert_false(nf_capture_utc("", &s));
}

static void a_capture_has_a_size_it_may_not_exceed(void **state)
{
	struct fixture *f = *state;
	struct nf_capture c = { .n_lines = 7 };
	char *big = calloc(1, NF_CAPTURE_BYTES + 1);

	assert_non_null(big);
	memset(big, '\n', NF_CAPTURE_BYTES + 1);
	assert_int_equal(nf_capture_split(big, NF_CAPTURE_BYTES + 1, &f->a, &c, &f->err),
	                 -NF_EDATA);
	assert_int_equal(nf_capture_split(big, NF_CAPTURE_LINES + 1, &f->a, &c, &f->err),
	                 -NF_EDATA);
	assert_int_equal(c.n_lines, 7);
	assert_int_equal(nf_capture_split(big, NF_CAPTURE_LINES, &f->a, &c, &f->err), 0);
	assert_int_equal(c.n_lines, NF_CAPTURE_LINES);
	free(big);
}

#define t(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
	t(a_probe_capture_is_a_record),
	t(every_value_has_the_line_it_was_read_from),
	t(what_no_line_says_is_none),
	t(without_a_value_that_must_be_there_is_no_record),
	t(a_timing_that_is_missing_is_no_pass),
	t(lines_that_contradict_each_other_are_a_note),
	t(the_note_names_the_value_that_is_kept),
	t(only_chpl_says_its_version),
	t(numbers_that_cannot_be_are_none_with_a_note),
	t(remarks_behind_a_number_are_no_garbage),
	t(the_expected_lane_comes_from_a_window_or_an_option),
	t(a_window_of_another_series_is_not_used),
	t(options_fill_what_is_editorial),
	t(options_of_another_form_are_refused),
	t(a_validation_takes_its_smi_and_window_captures_along),
	t(a_validation_by_itself_needs_a_date_and_a_lane),
	t(a_date_in_the_file_name_is_said_to_be_from_there),
	t(captures_that_make_no_record_are_kept_as_facts),
	t(two_records_at_once_and_unknown_texts_are_refused),
	t(crlf_and_terminal_marks_change_no_value),
	t(numbers_in_another_unit_are_not_taken),
	t(uptimes_of_every_form_are_read),
	t(dates_are_seconds_since_1970),
	t(a_capture_has_a_size_it_may_not_exceed),
};
NF_UNIT_MAIN(tests)
