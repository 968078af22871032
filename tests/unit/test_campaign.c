/* SPDX-License-Identifier: MIT */
#include "board/campaign_host.h"
#include "campaign_sample.h"
#include "nf_scratch.h"
#include "nf_unit.h"

enum { DOC_BYTES = 1 << 16 };

static struct nf_campaign read_text(const char *text)
{
	struct nf_campaign c;
	struct nf_err err = { 0 };
	int r = nf_campaign_read("c.yaml", text, strlen(text), &c, &err);

	if (r < 0)
		fail_msg("%s", err.msg);
	return c;
}

static void a_file_says_it_all(void **state)
{
	struct nf_campaign c = read_text(campaign_sample);
	const struct nf_campaign_config *k = nf_campaign_config(&c, 0);
	const struct nf_campaign_tftp *load;

	(void)state;
	assert_int_equal(c.console.kind, NF_PORT_SERIAL);
	assert_string_equal(c.console.path, "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2.2");
	assert_int_equal(c.power.driver, NF_POWER_LCUS);
	assert_string_equal(c.power.path, "by_path:pci-0000:00:14.0-usb-0:2.3");
	assert_int_equal(c.power.channel, 1);
	assert_int_equal(c.platform, NF_CAMPAIGN_BOARD);
	assert_int_equal(c.file->on_abort.v, NF_POWER_END_LEAVE);
	assert_int_equal(c.file->board.power.off_time.v, 3000000000);
	assert_int_equal(c.file->board.power.verify.v, NF_CAMPAIGN_VERIFY_SILENCE);
	assert_string_equal(c.file->board.uboot.autoboot.v, "stop autoboot");
	assert_string_equal(c.file->board.uboot.keys.v, "\x03");
	assert_int_equal(c.file->configs.n, 2);
	assert_int_equal(c.file->campaign.runs.v, 3);
	assert_int_equal(c.file->campaign.retry.infra.v, 2);
	assert_int_equal(c.file->campaign.retry.board.v, 1);
	assert_int_equal(k->timeout.prompt.v, 45000000000);
	assert_int_equal(k->timeout.boot.v, 60000000000);
	assert_int_equal(nf_campaign_loads(k, &load), 1);
	assert_int_equal(load[0].tries.v, 2);
	k = nf_campaign_config(&c, 1);
	assert_int_equal(nf_campaign_loads(k, &load), 2);
	assert_string_equal(load[1].image.v, "boot/initrd");
	assert_int_equal(load[1].tries.v, 3);
	assert_int_equal(k->timeout.load.v, 90000000000);
	nf_campaign_fini(&c);
}

static void phases_and_values_are_given_as_they_are_sought(void **state)
{
	struct nf_campaign c = read_text(campaign_sample);
	struct nf_phases_opts o;
	struct nf_arena a;
	struct nf_phases *p = NULL;

	(void)state;
	nf_arena_init(&a, 1 << 16);
	assert_int_equal(nf_campaign_phases(nf_campaign_config(&c, 0), &a, &o, NULL), 0);
	assert_string_equal(o.t0, "Running test");
	assert_int_equal(o.n_phases, 1);
	assert_string_equal(o.phase[0].name, "first");
	assert_int_equal(o.n_values, 1);
	assert_string_equal(o.value[0].regex, "WALLCLOCK_US>(\\d+)");
	assert_true(o.value[0].per_s == 1e6);
	assert_int_equal(nf_phases_new(&o, &p, NULL), 0);
	nf_phases_free(p);
	assert_int_equal(nf_campaign_phases(nf_campaign_config(&c, 1), &a, &o, NULL), 0);
	assert_null(o.t0);
	assert_int_equal(o.n_phases + o.n_values, 0);
	assert_true(nf_campaign_unit_per_s("ticks") == 0 && nf_campaign_unit_per_s(NULL) == 0);
	nf_arena_fini(&a);
	nf_campaign_fini(&c);
}

static void a_board_may_boot_by_itself(void **state)
{
	struct nf_campaign c = read_text(campaign_small);

	(void)state;
	assert_int_equal(c.file->board.uboot.pos.line, 0);
	assert_int_equal(c.platform, NF_CAMPAIGN_EMULATOR);
	assert_string_equal(c.power.path, "q.sock");
	assert_int_equal(c.file->on_abort.v, NF_POWER_END_OFF);
	assert_int_equal(c.file->campaign.order.v, NF_CAMPAIGN_INTERLEAVE);
	nf_campaign_fini(&c);
}

struct bad {
	const char *from, *to; /* in the sample */
	const char *at; /* LINE:COLUMN */
	const char *word; /* in the message */
};

static const struct bad wrong[] = {
	{ "name: c4", "nam: c4", "2:3", "nam" },
	{ "name: c4", "name: a/b", "2:9", "bad name" },
	{ "name: c4", "name: ''", "2:9", "name" },
	{ "baud: 115200", "baud: 1", "3:59", "baud" },
	{ "baud: 115200", "tcp: a:1", "3:53", "'tcp' beside 'by_path'" },
	{ "by_path: \"pci-0000:00:14.0-usb-0:2.2\"", "tcp: nowhere", "3:19", "nowhere" },
	{ "channel: 1", "channel: 1, socket: q", "4:75", "'socket' with driver: lcus" },
	{ "channel: 1, ", "", "4:10", "channel" },
	{ "by_path: pci-0000:00:14.0-usb-0:2.3, ", "", "4:10", "no relay is named" },
	{ "lcus, by_path: pci-0000:00:14.0-usb-0:2.3", "hid, by_path: x", "4:34", "not a path" },
	{ "lcus, by_path: pci-0000:00:14.0-usb-0:2.3, channel: 1", "hid, device: /x, channel: 9",
	  "4:46", "1 to 8" },
	{ "driver: lcus", "driver: magic", "4:20", "command, gpio, hid, lcus or qmp" },
	{ "off_time: 3s", "off_time: 3", "4:85", "3" },
	{ "^(=>|c4#) ", "^(=>|c4# ", "5:20", "at byte" },
	{ "user: root, ", "", "6:26", "without user" },
	{ "password_env: C4_PW", "password_env: se cret", "6:38", "does not belong here" },
	{ "on_abort: leave", "on_abort: stay", "7:11", "off, on or leave" },
	{ "name: tracked", "name: plain", "19:11", "configuration 'plain' is there twice" },
	{ ", \"setenv serverip 10.42.0.1\"", "", "12:11", "without a server" },
	{ "image: vm-tracked", "image: /vm", "12:37", "begins with '/'" },
	{ "image: vm-tracked", "image: a/../../b", "12:37", "out of root" },
	{ "addr: \"0x20000000\"", "addr: \"0 ; reset\"", "12:55", "blank" },
	{ "root: /srv/tftp, image: vm-tracked", "image: vm-tracked", "12:11", "root" },
	{ "tries: 2", "tries: 0", "12:76", "tries" },
	{ "    boot: go 0x20000000\n", "", "9:5", "'boot' is missing" },
	{ "boot: go 0x20000000", "boot: \"go\\r0\"", "13:11", "control character" },
	{ "    done: \"buildroot login:\"\n", "", "9:5", "done" },
	{ "done: \"buildroot login:\"", "done: \"login:\\n\"", "14:11", "a line break" },
	{ "done: \"buildroot login:\"", "done: 'a\\nb'", "14:11", "a line break" },
	{ "done: \"buildroot login:\"", "done: \"up|\\\\R\"", "14:11", "a line break" },
	{ "done: \"buildroot login:\"", "done: \"x{60000}y{60000}\"", "14:11", "longest line" },
	{ "done: \"buildroot login:\"", "done: x{32767}y{32768}", "14:11", "longest line" },
	{ "done: \"buildroot login:\"", "done: x*", "14:11", "an empty text" },
	{ "[ \"cap fault\" ]", "[ cap, ^ ]", "15:18", "an empty text" },
	{ "match: Running test", "match: (a|)", "17:34", "an empty text" },
	{ "^(=>|c4#) ", "(=>|c4#)? *$", "5:20", "an empty text" },
	{ "uboot: {", "uboot: { autoboot: ^,", "5:22", "an empty text" },
	{ "shell: {", "shell: { login: ' ?',", "6:19", "an empty text" },
	{ "(\\\\d+)", "(\\\\d*)$|(?:)", "18:37", "an empty text" },
	{ "[ \"cap fault\" ]", "[ \"cap\", \"(\" ]", "15:20", "at byte" },
	{ "[ \"cap fault\" ]", "[ \"\" ]", "15:13", "" },
	{ "silence: 10s", "quiet: 10s", "16:27", "quiet" },
	{ "name: first", "name: t0", "17:58", "phase 't0' is there twice" },
	{ "name: first", "name: ''", "17:58", "" },
	{ "name: t0, match: Running test", "name: first, match: a", "17:50", "is there twice" },
	{ "name: t0, match: Running test }, { name: first",
	  "name: a, match: Running test }, { name: t0", "17:57", "as the first" },
	{ "(\\\\d+)", "\\\\d+", "18:37", "0 capture groups" },
	{ "(\\\\d+)", "(\\\\d)(+)", "18:37", "" },
	{ "runs: 3", "runs: 0", "25:19", "runs" },
	{ "runs: 3", "runs: 3, runs: 4", "25:22", "runs" },
	{ "  uboot: { prompt: \"^(=>|c4#) \", keys: \"\\x03\", eol: \"\\r\" }\n", "", "10:15",
	  "'commands' without board.uboot" },
};

static void replace(const char *text, const struct bad *b, char *out, size_t size)
{
	const char *at = strstr(text, b->from);

	assert_non_null(at);
	snprintf(out, size, "%.*s%s%s", (int)(at - text), text, b->to, at + strlen(b->from));
}

static void what_is_wrong_is_refused_at_its_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct nf_campaign c = { .file = (const void *)"untouched" };
		struct nf_err err = { 0 };
		char text[4096], place[64];

		replace(campaign_sample, &wrong[i], text, sizeof(text));
		snprintf(place, sizeof(place), "c.yaml:%s: ", wrong[i].at);
		int r = nf_campaign_read("c.yaml", text, strlen(text), &c, &err);
		if (r != -NF_EDATA || strncmp(err.msg, place, strlen(place)) != 0 ||
		    !strstr(err.msg, wrong[i].word) || strchr(err.msg, '\n'))
			fail_msg("'%s' instead of '%s': %d, %s; expected %s", wrong[i].to,
			         wrong[i].from, r, err.msg, place);
		assert_string_equal((const char *)c.file, "untouched");
		assert_int_equal(nf_exit_code(r), 2);
	}
}

static void a_pattern_longer_than_it_may_be_is_refused(void **state)
{
	char *text = malloc(100000);
	struct nf_campaign c;
	struct nf_err err = { 0 };

	(void)state;
	assert_non_null(text);
	strcpy(text, campaign_small);
	char *at = strstr(text, "up\n");
	memset(at, 'x', 70000);
	strcpy(at + 70000, "\n");
	assert_int_equal(nf_campaign_read("c", text, strlen(text), &c, &err), -NF_EDATA);
	assert_int_equal(strncmp(err.msg, "c:7:11: ", 8), 0);
	strcpy(at + 5000, "\n");
	assert_int_equal(nf_campaign_read("c", text, strlen(text), &c, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "1..4096"));
	free(text);
}

static void what_is_not_on_this_machine_is_refused(void **state)
{
	static const struct bad steps[] = {
		{ "pty: /dev/pts/9", "pty: /nonexistent/tty", "3:19", "nothing of that name" },
		{ "pty: /dev/pts/9", "pty: /", "3:19", "is no terminal device" },
		{ "pty: /dev/pts/9", "unix: /dev/null", "3:20", "is no socket" },
		{ "pty: /dev/pts/9", "tcp: localhost:1", "4:33", "nothing of that name" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct nf_err err = { 0 };
		char text[4096], place[64];

		replace(campaign_small, &steps[i], text, sizeof(text));
		snprintf(place, sizeof(place), "c.yaml:%s: ", steps[i].at);
		struct nf_campaign c = read_text(text);
		assert_int_equal(nf_campaign_find_devices(&c, &err), -NF_EDATA);
		if (strncmp(err.msg, place, strlen(place)) != 0 || !strstr(err.msg, steps[i].word))
			fail_msg("%s: %s", steps[i].to, err.msg);
		nf_campaign_fini(&c);
	}
}

static void a_command_that_cannot_be_run_is_refused(void **state)
{
	static const struct bad step = {
		"driver: qmp, socket: q.sock",
		"driver: command, on: [ /nonexistent/on ], off: [ 'true' ]", "", ""
	};
	struct nf_campaign c;
	struct nf_err err = { 0 };
	char text[4096], more[4096];

	(void)state;
	replace(campaign_small, &step, text, sizeof(text));
	replace(text, &(struct bad){ "pty: /dev/pts/9", "tcp: localhost:1", "", "" }, more,
	        sizeof(more));
	c = read_text(more);
	assert_string_equal(c.power.on[0], "/nonexistent/on");
	assert_null(c.power.on[1]);
	assert_null(c.power.status);
	assert_int_equal(nf_campaign_find_devices(&c, &err), -NF_EDATA);
	assert_int_equal(strncmp(err.msg, "c.yaml:4:10: ", 13), 0);
	assert_non_null(strstr(err.msg, "/nonexistent/on"));
	nf_campaign_fini(&c);
}

static void images_are_hashed_or_missed(void **state)
{
	struct nf_campaign_image image[NF_CAMPAIGN_LOADS_MAX];
	struct nf_err err = { 0 };
	char dir[128], path[192], text[4096];
	struct nf_campaign c;
	size_t n = 0;

	(void)state;
	nf_scratch_make(dir, sizeof(dir));
	snprintf(text, sizeof(text), "%s", campaign_sample);
	for (char *at; (at = strstr(text, "/srv/tftp")) != NULL;) {
		char rest[4096];

		strcpy(rest, at + strlen("/srv/tftp"));
		snprintf(at, sizeof(text) - (size_t)(at - text), "%s%s", dir, rest);
	}
	c = read_text(text);
	assert_int_equal(nf_campaign_hash_images(&c, nf_campaign_config(&c, 0), image, &n, &err),
	                 -NF_EDATA);
	assert_int_equal(strncmp(err.msg, "c.yaml:12:", 10), 0);
	snprintf(path, sizeof(path), "%s/vm-tracked", dir);
	nf_scratch_write(path, "");
	assert_int_equal(nf_campaign_hash_images(&c, nf_campaign_config(&c, 0), image, &n, &err),
	                 -NF_EDATA);
	assert_non_null(strstr(err.msg, "empty"));
	nf_scratch_write(path, "abc");
	assert_int_equal(nf_campaign_hash_images(&c, nf_campaign_config(&c, 0), image, &n, NULL),
	                 0);
	assert_int_equal(n, 1);
	assert_int_equal(image[0].bytes, 3);
	assert_string_equal(image[0].sha256,
	                    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	nf_campaign_fini(&c);
	nf_scratch_remove(dir);
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
	snprintf(path, sizeof(path), "%s/docs/CAMPAIGN_FILE.md", source);
	nf_scratch_read(path, doc, sizeof(doc));
	char *at = strstr(doc, mark);
	assert_non_null(at);
	at += strlen(mark);
	nf_buf_init(&keys, DOC_BYTES);
	nf_conf_describe(&nf_campaign_file_type, &keys);
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
	cmocka_unit_test(a_file_says_it_all),
	cmocka_unit_test(phases_and_values_are_given_as_they_are_sought),
	cmocka_unit_test(a_board_may_boot_by_itself),
	cmocka_unit_test(what_is_wrong_is_refused_at_its_place),
	cmocka_unit_test(a_pattern_longer_than_it_may_be_is_refused),
	cmocka_unit_test(what_is_not_on_this_machine_is_refused),
	cmocka_unit_test(a_command_that_cannot_be_run_is_refused),
	cmocka_unit_test(images_are_hashed_or_missed),
	cmocka_unit_test(the_document_has_every_key),
};

NF_UNIT_MAIN(tests)
