/* SPDX-License-Identifier: MIT */
/* Profiles: what is a line, and what captured hosts say to it. Advice: which rules speak. */
#include "machine/profile.h"

#include "host_tree.h"
#include "machine/advice.h"

struct fixture {
	struct nf_arena a;
	struct nf_err e;
	struct nf_profile p;
};

static void begin(struct fixture *f)
{
	*f = (struct fixture){ 0 };
	nf_arena_init(&f->a, (size_t)16 << 20);
}

static void parse(struct fixture *f, const char *text)
{
	if (nf_profile_parse(text, strlen(text), "p", &f->a, &f->p, &f->e) != 0)
		fail_msg("%s", f->e.msg);
}

static void check(struct fixture *f, const char *host, const char *release)
{
	struct nf_rootfs root;

	open_host(host, &root);
	if (nf_profile_check(&f->p, &root, release, &f->a, &f->e) != 0)
		fail_msg("%s", f->e.msg);
	nf_rootfs_close(&root);
}

static void each_kind_of_line_is_read(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	parse(&f, "# a comment\n\n  config CONFIG_PREEMPT_RT=y\r\n"
	          "config # CONFIG_DEBUG_KERNEL is not set\n"
	          "config CONFIG_CMDLINE=\"a = b\"\n"
	          "cmdline isolcpus=2-3\ncmdline nosmt\ncmdline dyndbg=\"file a.c +p\"\n"
	          "sysctl kernel.sched_rt_runtime_us = -1\n"
	          "sysctl net/ipv4/conf/eth0.1/forwarding=0\n"
	          "sysctl net.ipv4.conf.eth0/1.forwarding=0");
	assert_int_equal(f.p.n, 9);
	assert_int_equal(f.p.line[0].number, 3);
	assert_int_equal(f.p.line[0].kind, NF_PROFILE_CONFIG);
	assert_string_equal(f.p.line[0].name, "PREEMPT_RT");
	assert_string_equal(f.p.line[0].value, "y");
	assert_string_equal(f.p.line[0].text, "config CONFIG_PREEMPT_RT=y");
	assert_string_equal(f.p.line[1].name, "DEBUG_KERNEL");
	assert_string_equal(f.p.line[1].value, "n");
	assert_string_equal(f.p.line[2].value, "\"a = b\"");
	assert_string_equal(f.p.line[3].name, "isolcpus");
	assert_string_equal(f.p.line[3].value, "2-3");
	assert_null(f.p.line[4].value);
	assert_string_equal(f.p.line[5].value, "\"file a.c +p\"");
	assert_string_equal(f.p.line[6].name, "kernel/sched_rt_runtime_us");
	assert_string_equal(f.p.line[6].value, "-1");
	assert_string_equal(f.p.line[7].name, "net/ipv4/conf/eth0.1/forwarding");
	assert_string_equal(f.p.line[8].name, "net/ipv4/conf/eth0.1/forwarding");
	nf_arena_fini(&f.a);
}

static void a_line_that_is_none_is_refused_with_its_place(void **state)
{
	static const struct {
		const char *text, *where;
	} bad[] = {
		{ "conf CONFIG_X=y", "p:1:1: " },
		{ "# fine\n  config X=y", "p:2:10: " },
		{ "config CONFIG_=y", "p:1:8: " },
		{ "config CONFIG_X", "p:1:8: " },
		{ "config CONFIG_X=", "p:1:8: " },
		{ "config # CONFIG_X is set", "p:1:8: " },
		{ "config CONFIG_A B=y", "p:1:8: " },
		{ "cmdline", "p:1:8: " },
		{ "cmdline =x", "p:1:9: " },
		{ "cmdline a=b c=d", "p:1:9: " },
		{ "sysctl kernel.x", "p:1:8: " },
		{ "sysctl kernel.x=", "p:1:8: " },
		{ "sysctl ../../etc/shadow=x", "p:1:8: " },
		{ "sysctl kernel/../../x=1", "p:1:8: " },
		{ "sysctl kernel..x=1", "p:1:8: " },
		{ "sysctl kernel.=1", "p:1:8: " },
		{ "sysctl .x=1", "p:1:8: " },
		{ "", "p: no line to check" },
		{ "# only\n\n", "p: no line to check" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fixture f;

		begin(&f);
		int r = nf_profile_parse(bad[i].text, strlen(bad[i].text), "p", &f.a, &f.p, &f.e);
		if (r != -NF_EDATA || strncmp(f.e.msg, bad[i].where, strlen(bad[i].where)) != 0)
			fail_msg("'%s': %d '%s'", bad[i].text, r, f.e.msg);
		assert_non_null(strstr(f.e.msg, "allowed: "));
		assert_int_equal(f.p.n, 0);
		nf_arena_fini(&f.a);
	}
}

static void a_nul_byte_is_no_profile(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	assert_int_equal(nf_profile_parse("config\0", 7, "p", &f.a, &f.p, &f.e), -NF_EDATA);
	nf_arena_fini(&f.a);
}

static void a_host_matches_mismatches_or_misses_each_line(void **state)
{
	static const struct {
		const char *line;
		enum nf_profile_match match;
		const char *found; /* NULL: nothing */
	} rows[] = {
		{ "config CONFIG_PREEMPT_RT=y", NF_PROFILE_MATCHED, "y" },
		{ "config CONFIG_PREEMPT_RT=n", NF_PROFILE_MISMATCHED, "y" },
		{ "config CONFIG_PREEMPT_NONE=y", NF_PROFILE_MISMATCHED, "n" },
		{ "config # CONFIG_PREEMPT_NONE is not set", NF_PROFILE_MATCHED, "n" },
		{ "config CONFIG_NOT_MENTIONED=y", NF_PROFILE_MISSING, NULL },
		{ "config CONFIG_NOT_MENTIONED=n", NF_PROFILE_MATCHED, NULL },
		{ "cmdline isolcpus=2-7", NF_PROFILE_MATCHED, "isolcpus=2-7" },
		{ "cmdline isolcpus=2-3", NF_PROFILE_MISMATCHED, "isolcpus=2-7" },
		{ "cmdline isolcpus", NF_PROFILE_MISMATCHED, "isolcpus=2-7" },
		{ "cmdline rcu-nocbs=2-7", NF_PROFILE_MATCHED, "rcu_nocbs=2-7" },
		{ "cmdline quiet", NF_PROFILE_MATCHED, "quiet" },
		{ "cmdline quiet=1", NF_PROFILE_MISMATCHED, "quiet" },
		{ "cmdline nosmt", NF_PROFILE_MISSING, NULL },
		{ "sysctl kernel.sched_rt_runtime_us=-1", NF_PROFILE_MATCHED, "-1" },
		{ "sysctl kernel.sched_rt_runtime_us=950000", NF_PROFILE_MISMATCHED, "-1" },
		{ "sysctl kernel.not_there=0", NF_PROFILE_MISSING, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;

		begin(&f);
		parse(&f, rows[i].line);
		check(&f, "server-2node-rt", "6.1.0-90-rt-amd64");
		const struct nf_profile_line *l = &f.p.line[0];
		if (l->match != rows[i].match || !l->found != !rows[i].found ||
		    (l->found && strcmp(l->found, rows[i].found) != 0) || l->unread)
			fail_msg("%s: %d, found %s", rows[i].line, (int)l->match,
			         l->found ? l->found : "nothing");
		nf_arena_fini(&f.a);
	}
}

static void a_host_that_shows_nothing_says_why_instead_of_no(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	parse(&f, "config CONFIG_X=y\nconfig CONFIG_X=n\ncmdline quiet\nsysctl kernel.x=1\n");
	check(&f, "unknown", NULL);
	for (size_t i = 0; i < f.p.n; i++) {
		assert_int_equal(f.p.line[i].match, NF_PROFILE_MISSING);
		assert_null(f.p.line[i].found);
		assert_non_null(f.p.line[i].unread);
	}
	nf_arena_fini(&f.a);
}

static void words_for_the_first_process_and_repeated_ones(void **state)
{
	char tree[256];
	struct fixture f;
	struct nf_rootfs root;

	(void)state;
	make_tree(tree, sizeof(tree));
	put(tree, "proc/cmdline", "console=tty0 x=\"a nosmt b\" console=ttyS0 -- quiet\n");
	put(tree, "proc/sys/net/ipv4/tcp_rmem", "4096\t131072   6291456\n");
	begin(&f);
	parse(&f, "cmdline console=tty0\ncmdline console=ttyS0\ncmdline console=ttyS1\n"
	          "cmdline quiet\ncmdline nosmt\ncmdline x=\"a nosmt b\"\n"
	          "sysctl net.ipv4.tcp_rmem = 4096 131072 6291456\n"
	          "sysctl net.ipv4.tcp_rmem = 4096 131072\n");
	assert_int_equal(nf_rootfs_open(&root, tree, &f.e), 0);
	assert_int_equal(nf_profile_check(&f.p, &root, NULL, &f.a, &f.e), 0);
	nf_rootfs_close(&root);
	static const enum nf_profile_match want[] = {
		NF_PROFILE_MATCHED, NF_PROFILE_MATCHED,    NF_PROFILE_MISMATCHED,
		NF_PROFILE_MISSING, NF_PROFILE_MISSING,    NF_PROFILE_MATCHED,
		NF_PROFILE_MATCHED, NF_PROFILE_MISMATCHED,
	};
	for (size_t i = 0; i < f.p.n; i++)
		if (f.p.line[i].match != want[i])
			fail_msg("%s: %d", f.p.line[i].text, (int)f.p.line[i].match);
	nf_arena_fini(&f.a);
	remove_tree(tree);
}

/* --- advice --- */

static void give(struct fixture *f, const char *host, struct nf_advice_list *ret)
{
	struct nf_posture p;
	struct nf_rootfs root;

	open_host(host, &root);
	assert_int_equal(nf_posture_read(&root, &f->a, &p, &f->e), 0);
	assert_int_equal(nf_advice_give(&p, &root, &f->a, ret, &f->e), 0);
	nf_rootfs_close(&root);
}

static const struct nf_advice *rule(const struct nf_advice_list *l, const char *id)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->item[i].id, id) == 0)
			return &l->item[i];
	return NULL;
}

static bool says(const struct nf_advice_list *l, const char *id, const char *text)
{
	const struct nf_advice *a = rule(l, id);

	return a && strstr(a->found, text);
}

static bool undecided(const struct nf_advice_list *l, const char *id)
{
	for (size_t i = 0; i < l->n_undecided; i++)
		if (strcmp(l->undecided[i], id) == 0)
			return true;
	return false;
}

static void rules_speak_where_the_setup_calls_for_it(void **state)
{
	struct nf_advice_list l;
	struct fixture f;

	(void)state;
	begin(&f);
	give(&f, "server-2node", &l);
	assert_non_null(rule(&l, "realtime"));
	assert_non_null(rule(&l, "throttling"));
	assert_non_null(rule(&l, "smt"));
	assert_null(rule(&l, "isolation"));
	assert_null(rule(&l, "ticks"));
	assert_null(rule(&l, "platform"));
	assert_null(rule(&l, "hugepages"));
	for (size_t i = 0; i < l.n; i++) {
		assert_true(strlen(l.item[i].found) > 0);
		assert_true(strlen(l.item[i].effect) > 0);
		assert_true(strlen(l.item[i].help) > 0);
		assert_true(strlen(l.item[i].read_from) > 0);
		assert_non_null(strstr(l.item[i].source, ".rst"));
	}
	give(&f, "server-2node-rt", &l);
	assert_null(rule(&l, "realtime"));
	assert_null(rule(&l, "throttling"));
	give(&f, "hybrid-laptop", &l);
	assert_true(says(&l, "governor", "powersave"));
	assert_non_null(rule(&l, "turbo"));
	give(&f, "container", &l);
	assert_true(says(&l, "platform", "container"));
	assert_non_null(rule(&l, "quota"));
	nf_arena_fini(&f.a);
}

static void a_rule_whose_fact_is_unknown_is_undecided(void **state)
{
	struct nf_advice_list l;
	struct fixture f;

	(void)state;
	begin(&f);
	give(&f, "unknown", &l);
	static const char *const facts[] = { "realtime",      "isolation",  "ticks",
		                             "governor",      "turbo",      "idle",
		                             "smt",           "hugepages",  "clocksource",
		                             "invariant",     "throttling", "load",
		                             "numa-balancing" };
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (!undecided(&l, facts[i]) || rule(&l, facts[i]))
			fail_msg("%s is not undecided", facts[i]);
	nf_arena_fini(&f.a);
}

static void the_slowest_idle_state_and_the_knobs_decide(void **state)
{
	struct nf_posture p = { .idle_states = "POLL 0; C1 2", .governor = "performance: 0-3" };
	struct nf_advice_list l;
	char tree[256];
	struct nf_rootfs root;
	struct fixture f;

	(void)state;
	begin(&f);
	make_tree(tree, sizeof(tree));
	put(tree, "proc/sys/kernel/numa_balancing", "0\n");
	put(tree, "proc/sys/kernel/nmi_watchdog", "1\n");
	assert_int_equal(nf_rootfs_open(&root, tree, &f.e), 0);
	assert_int_equal(nf_advice_give(&p, &root, &f.a, &l, &f.e), 0);
	assert_null(rule(&l, "idle"));
	assert_null(rule(&l, "governor"));
	assert_null(rule(&l, "numa-balancing"));
	assert_non_null(rule(&l, "nmi-watchdog"));
	p.idle_states = "POLL 0; C1 2; C6 133";
	p.governor = "performance: 0-2; schedutil: 3";
	assert_int_equal(nf_advice_give(&p, &root, &f.a, &l, &f.e), 0);
	assert_true(says(&l, "idle", "133 us"));
	assert_non_null(rule(&l, "governor"));
	nf_rootfs_close(&root);
	remove_tree(tree);
	nf_arena_fini(&f.a);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_kind_of_line_is_read),
	cmocka_unit_test(a_line_that_is_none_is_refused_with_its_place),
	cmocka_unit_test(a_nul_byte_is_no_profile),
	cmocka_unit_test(a_host_matches_mismatches_or_misses_each_line),
	cmocka_unit_test(a_host_that_shows_nothing_says_why_instead_of_no),
	cmocka_unit_test(words_for_the_first_process_and_repeated_ones),
	cmocka_unit_test(rules_speak_where_the_setup_calls_for_it),
	cmocka_unit_test(a_rule_whose_fact_is_unknown_is_undecided),
	cmocka_unit_test(the_slowest_idle_state_and_the_knobs_decide),
};
NF_UNIT_MAIN(tests)
