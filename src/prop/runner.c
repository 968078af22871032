/* SPDX-License-Identifier: MIT */
/* pt_check(): saved failures, random cases, shrinking, the reported case. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "prop/blob.h"
#include "prop/rand.h"
#include "prop/shrink.h"
#include "prop/store.h"
#include "prop/worker.h"

enum { OUTPUT_SHOWN = 4096, MIN_SHRINK_CASE_MS = 50 };

struct run {
	struct pt_config c; /* with the defaults filled in */
	const struct pt_property *p;
	struct pt_worker w;
	struct pt_ran ran; /* of the last order */
	unsigned case_limit_ms;
	char message[PT_MESSAGE_SIZE]; /* of the first failure */
	struct pt_saved saved;
	bool saved_changed;
	struct pt_result r;
};

static struct pt_config with_defaults(const struct pt_property *p, const struct pt_config *c)
{
	struct pt_config d = c ? *c : (struct pt_config){ 0 };

	if (p->cases)
		d.cases = p->cases;
	if (!d.cases)
		d.cases = 100;
	if (!d.discard_ratio)
		d.discard_ratio = 10;
	if (!d.case_limit_ms)
		d.case_limit_ms = 5000;
	if (!d.shrink_limit_ms)
		d.shrink_limit_ms = 60000;
	if (!d.shrink_calls)
		d.shrink_calls = 5000;
	else if (d.shrink_calls == UINT_MAX)
		d.shrink_calls = 0;
	if (!d.memory_limit_bytes)
		d.memory_limit_bytes = UINT64_C(1) << 30;
	return d;
}

static uint64_t name_hash(const char *s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return h;
}

static uint64_t origin_of(const struct run *r)
{
	uint64_t place = r->ran.failure == PT_FALSE ? r->w.sh->place : 0;

	return pt_mix(place ^ pt_mix((uint64_t)r->ran.failure * 1024 + (uint64_t)r->ran.code));
}

/* Runs one given sequence. */
static int run_one(struct run *r, const struct pt_choice *prefix, uint32_t n, uint32_t limit,
                   bool verbose)
{
	struct pt_shared *sh = r->w.sh;

	sh->order = (struct pt_order){ .verbose = verbose, .n_prefix = n, .limit = limit };
	if (n > 0)
		memcpy(sh->prefix, prefix, n * sizeof(sh->prefix[0]));
	return pt_worker_run(&r->w, r->case_limit_ms, 0, &r->ran);
}

static void look(struct run *r, struct pt_attempt *ret)
{
	const struct pt_shared *sh = r->w.sh;

	*ret = (struct pt_attempt){
		.fails = r->ran.failure != PT_NO_FAILURE,
		.overrun = sh->status == PT_OVERRUN,
		.origin = origin_of(r),
		.choice = sh->choice,
		.n = sh->n < PT_MAX_CHOICES ? sh->n : PT_MAX_CHOICES,
		.span = sh->span,
		.n_spans = sh->n_spans < PT_MAX_SPANS ? sh->n_spans : PT_MAX_SPANS,
	};
}

static int attempt(void *ctx, const struct pt_choice *prefix, uint32_t n, uint32_t limit,
                   struct pt_attempt *ret)
{
	struct run *r = ctx;
	int err = run_one(r, prefix, n, limit, false);

	if (!err)
		look(r, ret);
	return err;
}

static char *copy_text(const char *text, size_t n)
{
	char *copy = malloc(n + 1);

	if (copy) {
		memcpy(copy, text, n);
		copy[n] = '\0';
	}
	return copy;
}

static void describe(const struct run *r, char *buf, size_t size)
{
	const char *name = sigabbrev_np(r->ran.code);
	const char *text = sigdescr_np(r->ran.code);

	switch (r->ran.failure) {
	case PT_CRASH:
		snprintf(buf, size, "killed by signal %d, SIG%s: %s", r->ran.code,
		         name ? name : "?", text ? text : "unknown");
		break;
	case PT_HANG:
		snprintf(buf, size, "the case took longer than %u ms", r->c.case_limit_ms);
		break;
	case PT_EXIT:
		snprintf(buf, size, "the process ended with status %d", r->ran.code);
		break;
	case PT_FALSE:
	case PT_NO_FAILURE:
	default:
		snprintf(buf, size, "%s", r->w.sh->message);
		break;
	}
}

/* The end of what the worker wrote. */
static char *read_output(int fd)
{
	char *text = malloc(OUTPUT_SHOWN + 1);
	off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
	ssize_t n = 0;

	if (!text)
		return NULL;
	if (size > 0)
		n = pread(fd, text, OUTPUT_SHOWN, size > OUTPUT_SHOWN ? size - OUTPUT_SHOWN : 0);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

/* Runs the case once more in a fresh worker, with its notes and output. again: it is known to fail. */
static int report_case(struct run *r, const struct pt_choice *c, uint32_t n, struct pt_ran was,
                       bool again)
{
	struct pt_result *res = &r->r;
	struct pt_shared *sh = r->w.sh;
	char message[PT_MESSAGE_SIZE];
	int null_fd = r->w.output_fd, fd = -1, err;

	if (!r->c.output && r->c.isolation != PT_INLINE) {
		fd = memfd_create("pt-output", MFD_CLOEXEC);
		pt_worker_stop(&r->w);
		r->w.output_fd = fd >= 0 ? fd : null_fd;
	}
	r->case_limit_ms = r->c.case_limit_ms;
	err = run_one(r, c, n, PT_MAX_CHOICES, true);
	pt_worker_stop(&r->w);
	r->w.output_fd = null_fd;
	if (err)
		goto out;
	if (r->ran.failure != PT_NO_FAILURE) {
		describe(r, message, sizeof(message));
		res->failure = r->ran.failure;
		res->code = r->ran.code;
	} else {
		snprintf(message, sizeof(message), "%s", r->message);
		res->failure = was.failure;
		res->code = was.code;
		res->flaky = again;
	}
	res->n_choices = sh->n;
	err = -PT_ENOMEM;
	res->message = copy_text(message, strlen(message));
	res->notes = copy_text(sh->notes, strnlen(sh->notes, sizeof(sh->notes) - 1));
	res->output = read_output(fd);
	res->blob = pt_blob_write(c, n);
	if (res->message && res->notes && res->output && res->blob)
		err = 0;
out:
	if (fd >= 0)
		close(fd);
	return err;
}

/* Shrinks what the last order made, and reports it. */
static int fail_with(struct run *r)
{
	struct pt_attempt start;
	struct pt_shrink s;
	struct pt_ran was = r->ran;
	int err;

	describe(r, r->message, sizeof(r->message));
	look(r, &start);
	err = pt_shrink_init(&s, attempt, r, &start);
	if (err)
		return err;
	s.max_calls = r->c.shrink_calls;
	s.deadline_ms = pt_now_ms() + r->c.shrink_limit_ms;
	if (was.failure == PT_HANG && r->c.case_limit_ms / 10 >= MIN_SHRINK_CASE_MS)
		r->case_limit_ms = r->c.case_limit_ms / 10; /* hangs are slow to try */
	if (s.max_calls > 0)
		pt_shrink_run(&s);
	err = s.error;
	r->r.outcome = PT_FAILED;
	r->r.shrink_calls = s.calls;
	r->r.shrinks = s.improved;
	r->r.shrink_ended = !s.ended;
	if (!err)
		err = report_case(r, s.best, s.n, was, true);
	if (!err && r->c.save_dir && !r->c.replay) {
		err = pt_saved_add(&r->saved, r->r.blob);
		r->saved_changed = true;
	}
	pt_shrink_fini(&s);
	return err;
}

/* One run of the blob, nothing else. */
static int replay(struct run *r)
{
	struct pt_choice *c = calloc(PT_MAX_CHOICES, sizeof(*c));
	uint32_t n = 0;
	int err = c ? pt_blob_read(r->c.replay, c, &n) : -PT_ENOMEM;

	if (!err)
		err = report_case(r, c, n, (struct pt_ran){ PT_NO_FAILURE, 0 }, false);
	free(c);
	if (err)
		return err;
	r->r.outcome = r->ran.failure != PT_NO_FAILURE ? PT_FAILED
	               : r->w.sh->status == PT_HELD    ? PT_PASSED
	                                               : PT_VACUOUS;
	r->r.cases = r->w.sh->status == PT_DISCARDED || r->w.sh->status == PT_OVERRUN ? 0 : 1;
	r->r.discarded = 1 - r->r.cases;
	r->r.shrink_ended = true;
	return 0;
}

/* Saved failures: those that pass are dropped; *ret: one still fails, and is reported. */
static int run_saved(struct run *r, bool *ret)
{
	struct pt_choice *c = calloc(PT_MAX_CHOICES, sizeof(*c));
	int err = c ? 0 : -PT_ENOMEM;

	*ret = false;
	for (size_t i = 0; !err && !*ret && i < r->saved.n;) {
		uint32_t n;

		err = pt_blob_read(r->saved.blob[i], c, &n);
		if (!err)
			err = run_one(r, c, n, PT_MAX_CHOICES, false);
		if (err)
			break;
		if (r->w.sh->status != PT_DISCARDED && r->w.sh->status != PT_OVERRUN)
			r->r.cases++;
		if (r->ran.failure == PT_NO_FAILURE) {
			pt_saved_drop(&r->saved, i);
			r->saved_changed = true;
			r->r.saved_dropped++;
			continue;
		}
		pt_saved_drop(&r->saved, i); /* its shrunk form takes its place */
		r->r.from_saved = true;
		err = fail_with(r);
		*ret = true;
	}
	free(c);
	return err;
}

static int explore(struct run *r)
{
	struct pt_shared *sh = r->w.sh;
	uint64_t deadline = r->c.total_limit_ms ? pt_now_ms() + r->c.total_limit_ms : 0;
	struct pt_order order = {
		.explore = true,
		.seed = pt_mix(r->c.seed ^ name_hash(r->p->name)),
		.cases = r->c.cases,
		.max_discarded = (uint64_t)r->c.cases * r->c.discard_ratio,
	};
	int err = 0;

	do {
		sh->order = order;
		err = pt_worker_run(&r->w, r->c.case_limit_ms, deadline, &r->ran);
		order.first = sh->trial + 1;
	} while (!err && r->ran.failure == PT_NO_FAILURE && !sh->all_done);
	return err;
}

static int copy_shares(struct run *r)
{
	const struct pt_shared *sh = r->w.sh;
	uint32_t n = sh->n_share < PT_MAX_LABELS ? sh->n_share : PT_MAX_LABELS;

	r->r.lost_labels = sh->lost_labels;
	r->r.has_score = sh->has_score;
	r->r.best_score = sh->best_score;
	if (n == 0)
		return 0;
	r->r.share = calloc(n, sizeof(*r->r.share));
	if (!r->r.share)
		return -PT_ENOMEM;
	memcpy(r->r.share, sh->share, n * sizeof(*r->r.share));
	r->r.n_share = n;
	return 0;
}

/* What a run without a failure amounts to. */
static int conclude(struct run *r)
{
	char text[256] = "";
	struct pt_result *res = &r->r;
	uint64_t all = res->cases + res->discarded;

	if (res->cases == 0) {
		res->outcome = PT_VACUOUS;
		snprintf(text, sizeof(text), "no case got to its end: all %llu were discarded",
		         (unsigned long long)all);
	} else if (r->w.sh->discarded > (uint64_t)r->c.cases * r->c.discard_ratio) {
		res->outcome = PT_GAVE_UP;
		snprintf(text, sizeof(text), "discarded %llu of %llu cases (%.1f %%)",
		         (unsigned long long)res->discarded, (unsigned long long)all,
		         100.0 * (double)res->discarded / (double)all);
	}
	for (size_t i = 0; i < res->n_share && !*text; i++) {
		double percent = 100.0 * (double)res->share[i].n / (double)res->cases;

		if (res->share[i].min_percent >= 0.0 && percent < res->share[i].min_percent) {
			res->outcome = PT_UNCOVERED;
			snprintf(text, sizeof(text), "%s: %.1f %% of the cases, wanted %.1f %%",
			         res->share[i].label, percent, res->share[i].min_percent);
		}
	}
	res->message = copy_text(text, strlen(text));
	res->notes = copy_text("", 0);
	res->output = copy_text("", 0);
	return res->message && res->notes && res->output ? 0 : -PT_ENOMEM;
}

static int check(struct run *r)
{
	bool done = false;
	int err = 0;

	if (r->c.replay)
		return replay(r);
	if (r->c.save_dir) {
		err = pt_store_load(r->c.save_dir, r->p->name, &r->saved);
		if (!err)
			err = run_saved(r, &done);
	}
	if (!err && !done) {
		err = explore(r);
		r->r.cases += r->w.sh->passed;
		r->r.discarded += r->w.sh->discarded;
		if (!err)
			err = copy_shares(r);
		if (!err && r->ran.failure != PT_NO_FAILURE) {
			r->r.cases++;
			err = fail_with(r);
		} else if (!err) {
			err = conclude(r);
		}
	}
	if (!err && r->saved_changed)
		err = pt_store_save(r->c.save_dir, r->p->name, &r->saved);
	return err;
}

int pt_check(const struct pt_property *p, const struct pt_config *config, struct pt_result *ret)
{
	struct run r = { .p = p };
	int err;

	if (!p || !p->name || !p->fn || !ret || (config && config->isolation > PT_INLINE) ||
	    (config && config->replay && pt_blob_check(config->replay, NULL) == -PT_EARG))
		return -PT_EARG;
	r.c = with_defaults(p, config);
	r.case_limit_ms = r.c.case_limit_ms;
	r.r.seed = r.c.seed;
	err = pt_worker_init(&r.w, p, &r.c);
	if (err)
		return err;
	if (!r.c.output) {
		r.w.output_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (r.w.output_fd < 0)
			err = -PT_EOS;
	}
	if (!err)
		err = check(&r);
	if (r.w.output_fd >= 0)
		close(r.w.output_fd);
	pt_worker_fini(&r.w);
	pt_saved_fini(&r.saved);
	if (err)
		pt_result_fini(&r.r);
	else
		*ret = r.r;
	return err;
}

void pt_result_fini(struct pt_result *r)
{
	free(r->share);
	free(r->message);
	free(r->notes);
	free(r->output);
	free(r->blob);
	*r = (struct pt_result){ 0 };
}

struct rule {
	const struct pt_gen *g;
	pt_rule_fn fn;
	void *arg;
};

static bool for_all(struct pt_case *t, void *arg)
{
	const struct rule *rule = arg;

	return rule->fn(pt_draw(t, "value", rule->g), rule->arg);
}

int pt_for_all(const char *name, const struct pt_gen *g, pt_rule_fn fn, void *arg,
               const struct pt_config *config, struct pt_result *ret)
{
	struct rule rule = { g, fn, arg };
	struct pt_property p = { .name = name, .fn = for_all, .arg = &rule };

	return g && fn ? pt_check(&p, config, ret) : -PT_EARG;
}
