/* SPDX-License-Identifier: MIT */
/* From records of the kernel's trace events to a log, and what is missing for that. */
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/trace.h"
#include "machine/trace_events.h"
#include "nf_unit.h"

#define COMMON \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define VECTOR(name, id) \
	"name: " name "\nID: " id "\nformat:\n" COMMON \
	"\tfield:int vector;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n"

/* As a 6.x kernel describes them in events/SYSTEM/NAME/format: offsets are the contract. */
static const struct {
	const char *system;
	const char *format;
} layouts[] = {
	{ "irq_vectors", VECTOR("local_timer_entry", "10") },
	{ "irq_vectors", VECTOR("local_timer_exit", "11") },
	{ "irq_vectors", VECTOR("vector_activate", "12") },
	{ "irq_vectors", VECTOR("lonely_entry", "13") },
	{ "irq",
	  "name: irq_handler_entry\nID: 20\nformat:\n" COMMON
	  "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
	  "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n" },
	{ "irq", "name: irq_handler_exit\nID: 21\nformat:\n" COMMON
	         "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
	         "\tfield:int ret;\toffset:12;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n" },
	{ "irq", "name: softirq_entry\nID: 22\nformat:\n" COMMON
	         "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n" },
	{ "irq", "name: softirq_exit\nID: 23\nformat:\n" COMMON
	         "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n" },
	{ "nmi", "name: nmi_handler\nID: 24\nformat:\n" COMMON
	         "\tfield:void * handler;\toffset:8;\tsize:8;\tsigned:0;\n"
	         "\tfield:s64 delta_ns;\toffset:16;\tsize:8;\tsigned:1;\n"
	         "\tfield:int handled;\toffset:24;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n" },
	{ "sched", "name: sched_switch\nID: 30\nformat:\n" COMMON
	           "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	           "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	           "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	           "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	           "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	           "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	           "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n" },
};

struct kernel {
	struct tep_handle *tep;
	struct nf_event_log log;
	struct nf_trace_rows rows;
};

static struct kernel make(const char *without)
{
	struct kernel k = { .tep = tep_alloc() };
	struct nf_cpuset cpus;
	struct nf_err e = { 0 };

	assert_non_null(k.tep);
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (strcmp(layouts[i].system, without) != 0)
			assert_int_equal(tep_parse_event(k.tep, layouts[i].format,
			                                 strlen(layouts[i].format),
			                                 layouts[i].system),
			                 0);
	nf_cpuset_init(&cpus);
	assert_int_equal(nf_cpuset_add(&cpus, 3, &e), 0);
	assert_int_equal(nf_event_log_init(&k.log, &cpus, 100, 100, &e), 0);
	nf_cpuset_fini(&cpus);
	return k;
}

static void done(struct kernel *k)
{
	nf_trace_rows_fini(&k->rows);
	nf_event_log_fini(&k->log);
	tep_free(k->tep);
}

static void find(struct kernel *k)
{
	struct nf_err e = { 0 };

	if (nf_trace_rows_find(k->tep, &k->log, &k->rows, &e) != 0)
		fail_msg("%s", e.msg);
}

static int feed(struct kernel *k, const char *system, const char *name, uint64_t ts, void *data,
                size_t size, struct nf_err *err)
{
	struct tep_record rec = { .ts = ts, .size = (int)size, .data = data };
	struct tep_event *ev = tep_find_event_by_name(k->tep, system, name);

	assert_non_null(ev);
	return nf_trace_record(&k->rows, ev, &rec, &k->log, &k->log.track[0], err);
}

static void assert_event(const struct kernel *k, size_t i, int64_t tick, enum nf_event_kind kind,
                         const char *name, uint32_t arg)
{
	const struct nf_event_track *t = &k->log.track[0];
	struct nf_event e;

	assert_true(i < t->n);
	assert_true(nf_event_unpack(t->tick[i], t->word[i], &e));
	assert_int_equal(e.tick, tick);
	assert_int_equal(e.kind, kind);
	assert_string_equal(nf_event_log_text(&k->log, e.name), name);
	assert_int_equal(e.arg, arg);
}

static void vectors_and_softirqs_have_the_kernels_names(void **state)
{
	struct kernel k = make("");
	uint32_t raw[4] = { 0, 0, 236, 0 };
	struct nf_err e = { 0 };

	(void)state;
	find(&k);
	assert_int_equal(feed(&k, "irq_vectors", "local_timer_entry", 100, raw, 12, &e), 0);
	assert_int_equal(feed(&k, "irq_vectors", "local_timer_exit", 110, raw, 12, &e), 0);
	assert_int_equal(feed(&k, "irq_vectors", "vector_activate", 111, raw, 12, &e), 0);
	assert_int_equal(feed(&k, "irq_vectors", "lonely_entry", 112, raw, 12, &e), 0);
	raw[2] = 9;
	assert_int_equal(feed(&k, "irq", "softirq_entry", 120, raw, 12, &e), 0);
	assert_int_equal(feed(&k, "irq", "softirq_exit", 130, raw, 12, &e), 0);
	raw[2] = 77; /* of a later kernel */
	assert_int_equal(feed(&k, "irq", "softirq_entry", 140, raw, 12, &e), 0);
	assert_int_equal(k.log.track[0].n, 5);
	assert_event(&k, 0, 100, NF_EVENT_IRQ_IN, "local_timer", 236);
	assert_event(&k, 1, 110, NF_EVENT_IRQ_OUT, "local_timer", 236);
	assert_event(&k, 2, 120, NF_EVENT_SOFTIRQ_IN, "RCU", 9);
	assert_event(&k, 3, 130, NF_EVENT_SOFTIRQ_OUT, "?", 9);
	assert_event(&k, 4, 140, NF_EVENT_SOFTIRQ_IN, "?", 77);
	done(&k);
}

static void a_line_has_its_number_and_device(void **state)
{
	struct kernel k = make("");
	struct __attribute__((packed)) {
		uint32_t common[2], irq;
		uint16_t at, len;
		char name[12];
	} raw = { .irq = 36, .at = 16, .len = 12, .name = "virtio1-req" };
	struct nf_err e = { 0 };

	(void)state;
	find(&k);
	assert_int_equal(feed(&k, "irq", "irq_handler_entry", 5, &raw, sizeof(raw), &e), 0);
	assert_int_equal(feed(&k, "irq", "irq_handler_exit", 6, &raw, sizeof(raw), &e), 0);
	assert_event(&k, 0, 5, NF_EVENT_IRQ_IN, "36 virtio1-req", 36);
	assert_event(&k, 1, 6, NF_EVENT_IRQ_OUT, "?", 36);
	/* A name that the record does not hold. */
	raw.at = 20;
	assert_int_equal(feed(&k, "irq", "irq_handler_entry", 7, &raw, sizeof(raw), &e), -NF_EDATA);
	raw.at = 0xffff;
	assert_int_equal(feed(&k, "irq", "irq_handler_entry", 7, &raw, sizeof(raw), &e), -NF_EDATA);
	assert_int_equal(feed(&k, "irq", "irq_handler_entry", 7, &raw, 14, &e), -NF_EDATA);
	assert_int_equal(k.log.track[0].n, 2);
	done(&k);
}

static void a_switch_says_whether_the_thread_could_run_on(void **state)
{
	static const struct {
		uint64_t state;
		enum nf_event_kind kind;
	} cases[] = { { 0, NF_EVENT_THREAD_OUT },
		      { 0x100, NF_EVENT_THREAD_OUT },
		      { 1, NF_EVENT_THREAD_SLEEP },
		      { 2, NF_EVENT_THREAD_SLEEP },
		      { 0x80, NF_EVENT_THREAD_SLEEP } };
	struct __attribute__((packed)) {
		uint32_t common[2];
		char prev[16];
		uint32_t prev_pid, prev_prio;
		uint64_t prev_state;
		char next[16];
		uint32_t next_pid, next_prio;
	} raw = { .prev = "noisefloor", .prev_pid = 10, .next_pid = 11 };
	struct kernel k = make("");
	struct nf_err e = { 0 };

	(void)state;
	memcpy(raw.next, "sixteen bytes ok", 16); /* not ended by a NUL */
	find(&k);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		raw.prev_state = cases[i].state;
		assert_int_equal(feed(&k, "sched", "sched_switch", 50 + i, &raw, sizeof(raw), &e),
		                 0);
		assert_event(&k, 2 * i, (int64_t)(50 + i), cases[i].kind, "noisefloor", 10);
		assert_event(&k, 2 * i + 1, (int64_t)(50 + i), NF_EVENT_THREAD_IN,
		             "sixteen bytes ok", 11);
	}
	assert_int_equal(feed(&k, "sched", "sched_switch", 60, &raw, sizeof(raw) - 8, &e),
	                 -NF_EDATA);
	done(&k);
}

static void an_nmi_has_its_length(void **state)
{
	struct kernel k = make("");
	uint64_t raw[4] = { 0, 0, 4321, 0 };
	struct nf_err e = { 0 };

	(void)state;
	find(&k);
	assert_int_equal(feed(&k, "nmi", "nmi_handler", 9, raw, sizeof(raw), &e), 0);
	raw[2] = UINT64_C(1) << 40;
	assert_int_equal(feed(&k, "nmi", "nmi_handler", 10, raw, sizeof(raw), &e), 0);
	assert_event(&k, 0, 9, NF_EVENT_NMI, "nmi", 4321);
	assert_event(&k, 1, 10, NF_EVENT_NMI, "nmi", UINT32_MAX);
	done(&k);
}

static void without_switches_or_interrupts_there_is_nothing_to_trace(void **state)
{
	struct kernel k = make("sched");
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_trace_rows_find(k.tep, &k.log, &k.rows, &e), -NF_EUNSUPPORTED);
	assert_non_null(strstr(e.msg, "sched_switch"));
	done(&k);
	/* Lines alone are enough: not every architecture has vectors. */
	k = make("irq_vectors");
	find(&k);
	done(&k);
	k = make("nmi");
	find(&k);
	done(&k);
}

/* --- what is there --- */

static char dir[64];
static struct nf_rootfs root;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void put(const char *path, const char *text)
{
	char full[256];
	int fd;

	snprintf(full, sizeof(full), "%s/%s", dir, path);
	for (char *p = full + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		(void)mkdir(full, 0700);
		*p = '/';
	}
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void assert_unsupported(const char *part)
{
	struct nf_err e = { 0 };

	assert_int_equal(nf_trace_check(&root, "x86-tsc", &e), -NF_EUNSUPPORTED);
	if (!strstr(e.msg, part))
		fail_msg("'%s' is not in '%s'", part, e.msg);
}

static void what_is_missing_is_told_with_the_remedy(void **state)
{
	struct nf_err e = { 0 };

	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/nf-trace-XXXXXX");
	assert_non_null(mkdtemp(dir));
	assert_int_equal(nf_rootfs_open(&root, dir, &e), 0);
	assert_int_equal(nf_trace_check(&root, "x86-tsc", &e), -NF_ENODATA); /* not even proc */
	put("proc/mounts", "proc /proc proc rw 0 0\n");
	assert_unsupported("mount -t tracefs tracefs /sys/kernel/tracing");
	put("proc/mounts", "tracefs /sys/kernel/tracing tracefs rw 0 0\n");
	assert_unsupported("no list of trace clocks");
	put("sys/kernel/tracing/trace_clock", "[local] global mono_raw\n");
	assert_unsupported("x86-tsc");
	put("sys/kernel/tracing/trace_clock", "local global mono_raw [x86-tsc]\n");
	assert_unsupported("sched_switch");
	put("sys/kernel/tracing/events/sched/sched_switch/format", "name: sched_switch\n");
	assert_int_equal(nf_trace_check(&root, "x86-tsc", &e), 0);

	/* A captured host is not traced. */
	struct nf_cpuset cpus;
	struct nf_trace_cfg cfg = { .clock = "x86-tsc", .cpus = &cpus, .max_events = 1 };
	struct nf_event_log log = { 0 };
	struct nf_trace *t = NULL;

	nf_cpuset_init(&cpus);
	assert_int_equal(nf_trace_start(&root, NULL, &cfg, &log, &t, &e), -NF_EUNSUPPORTED);
	root.live = true;
	assert_int_equal(nf_trace_start(&root, NULL, &cfg, &log, &t, &e), -NF_EARG); /* no CPU */
	assert_null(t);
	nf_rootfs_close(&root);
	assert_int_equal(nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(vectors_and_softirqs_have_the_kernels_names),
	cmocka_unit_test(a_line_has_its_number_and_device),
	cmocka_unit_test(a_switch_says_whether_the_thread_could_run_on),
	cmocka_unit_test(an_nmi_has_its_length),
	cmocka_unit_test(without_switches_or_interrupts_there_is_nothing_to_trace),
	cmocka_unit_test(what_is_missing_is_told_with_the_remedy),
};
NF_UNIT_MAIN(tests)
