/* SPDX-License-Identifier: MIT */
#include "conf_sample.h"

#include "nf_scratch.h"
#include "nf_unit.h"

static int read_bytes(const char *text, size_t n, struct nf_conf *c, struct nf_err *err)
{
	return nf_conf_read(&sample_type, "f.yaml", text, n, NULL, c, err);
}

static const struct sample *read_good(const char *text, struct nf_conf *c)
{
	struct nf_err err = { 0 };

	if (read_bytes(text, strlen(text), c, &err) < 0)
		fail_msg("%s", err.msg);
	return c->root;
}

/* One line, of the file, that begins with `at` and holds `what`. */
static void refused_bytes(const char *text, size_t n, const char *what)
{
	struct nf_conf c = { .label = "untouched" };
	struct nf_err err = { 0 };
	int r = read_bytes(text, n, &c, &err);

	if (r != -NF_EDATA || strncmp(err.msg, what, strlen(what)) != 0)
		fail_msg("got '%s' (%d), want '%s'", err.msg, r, what);
	assert_null(strchr(err.msg, '\n'));
	assert_string_equal(c.label, "untouched");
}

static void refused(const char *text, const char *what)
{
	refused_bytes(text, strlen(text), what);
}

static void every_kind_is_read(void **state)
{
	struct nf_conf c;
	const struct sample *s = read_good("%YAML 1.1\n"
	                                   "---\n"
	                                   "name: OFF   # a text as it stands\n"
	                                   "runs: -0x2\n"
	                                   "wait: 2.5s\n"
	                                   "room: 3MiB\n"
	                                   "share: 12.5%\n"
	                                   "loud: false\n"
	                                   "driver: relay\n"
	                                   "channel: 8\n"
	                                   "words: [ \"a b\", 'c', 1.10 ]\n"
	                                   "knobs: { K: [1, 2], L: [x] }\n"
	                                   "steps:\n"
	                                   "  - match: \"^\\e$\"\n"
	                                   "    unit: us\n"
	                                   "  - { match: b }\n"
	                                   "console: { device: /dev/x, baud: 9600 }\n"
	                                   "timeout: { load: 50s }\n"
	                                   "tree: [ a, [ b, [ c ] ] ]\n",
	                                   &c);
	const char *const want_words[] = { "a b", "c", "1.10" };
	const struct nf_conf_text *word = s->words.items;
	const struct sample_knob *knob = s->knobs.items;
	const struct sample_step *step = s->steps.items;
	const struct sample_tree *tree = s->tree.below.items;

	(void)state;
	assert_string_equal(s->name.v, "OFF");
	assert_int_equal(s->runs.v, -2);
	assert_int_equal(s->wait.v, 2500000000);
	assert_int_equal(s->room.v, 3 << 20);
	assert_true(s->share.v == 0.125);
	assert_false(s->loud.v);
	assert_int_equal(s->driver.v, 0);
	assert_int_equal(s->channel.v, 8);
	assert_int_equal(s->words.n, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(word[i].v, want_words[i]);
	assert_int_equal(s->knobs.n, 2);
	assert_string_equal(knob[0].name.v, "K");
	assert_string_equal(knob[1].name.v, "L");
	assert_int_equal(knob[0].values.n, 2);
	assert_string_equal(((const struct nf_conf_text *)knob[0].values.items)[1].v, "2");
	assert_int_equal(s->steps.n, 2);
	assert_string_equal(step[0].match.v, "^\x1b$");
	assert_int_equal(step[0].unit.v, 0);
	assert_int_equal(step[1].unit.v, 1);
	assert_null(s->console.path.v);
	assert_string_equal(s->console.port.device.v, "/dev/x");
	assert_int_equal(s->console.port.baud.v, 9600);
	assert_int_equal(s->timeout.load.v, 50000000000);
	assert_int_equal(s->timeout.boot.v, 3000000000); /* the default */
	assert_string_equal(tree[0].leaf.v, "a");
	assert_int_equal(tree[1].below.n, 2);
	nf_conf_fini(&c);
}

static void values_know_their_place(void **state)
{
	struct nf_conf c;
	const struct sample *s = read_good("\xef\xbb\xbf"
	                                   "name: \xc3\xa9\xc3\xa9\r\n"
	                                   "words: [ \xc3\xa9, b ]\r\n"
	                                   "steps:\r\n"
	                                   " - match: x\r\n",
	                                   &c);
	const struct nf_conf_text *word = s->words.items;
	const struct sample_step *step = s->steps.items;
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(s->name.pos.line, 1);
	assert_int_equal(s->name.pos.column, 7);
	assert_int_equal(word[1].pos.line, 2);
	assert_int_equal(word[1].pos.column, 13); /* characters, not bytes */
	assert_int_equal(step[0].pos.line, 4);
	assert_int_equal(step[0].match.pos.column, 11);
	assert_int_equal(s->runs.pos.line, 0); /* a default is not in the file */
	assert_int_equal(s->runs.v, 5);
	assert_int_equal(nf_conf_refuse(&c, word[1].pos, &err, "no %s; allowed: %d", "b", 3),
	                 -NF_EDATA);
	assert_string_equal(err.msg, "f.yaml:2:13: no b; allowed: 3");
	assert_int_equal(nf_conf_refuse(&c, s->wait.pos, &err, "x"), -NF_EDATA);
	assert_string_equal(err.msg, "f.yaml:1:1: x");
	nf_conf_fini(&c);
}

static void what_is_absent_has_its_default(void **state)
{
	struct nf_conf c;
	const struct sample *s = read_good("name: x", &c);

	(void)state;
	assert_int_equal(s->runs.v, 5);
	assert_true(s->share.v == 0.01);
	assert_true(s->loud.v);
	assert_int_equal(s->driver.v, 2);
	assert_int_equal(s->timeout.boot.v, 3000000000);
	assert_int_equal(s->timeout.pos.line, 0);
	assert_int_equal(s->wait.v, 0);
	assert_null(s->socket.v);
	assert_int_equal(s->words.n, 0);
	nf_conf_fini(&c);
}

static void keys_are_those_of_the_schema(void **state)
{
	(void)state;
	refused("name: x\nnmae: y\n",
	        "f.yaml:2:1: unknown key 'nmae'; allowed: a mapping with name, runs,");
	refused("name: x\ntimeout: { boot: 1s, reboot: 1s }",
	        "f.yaml:2:22: 'timeout': unknown key 'reboot'; allowed: a mapping with boot, load");
	refused("name: x\nruns: 1\nname: y\n",
	        "f.yaml:3:1: duplicate key 'name'; allowed: once (it is in line 1, too)");
	refused("name: x\nknobs:\n  K: [1]\n  K: [2]\n",
	        "f.yaml:4:3: duplicate key 'K'; allowed: once (it is in line 3, too)");
	refused("runs: 1\n", "f.yaml:1:1: the key 'name' is missing; allowed: a text");
	refused("name: x\nsteps: [ { unit: us } ]\n",
	        "f.yaml:2:10: 'steps': the key 'match' is missing; allowed: a pattern");
	refused("name: x\n? [a]\n: b\n", "f.yaml:2:3: a list as a key; allowed: a mapping");
	refused("name: x\nknobs: { ? {a: b} : [1] }\n",
	        "f.yaml:2:12: 'knobs': a mapping as a key;");
	refused("name: x\n<<: { runs: 3 }\n", "f.yaml:2:1: unknown key '<<'");
	refused("name: x\n\"a\\nb\": 1\n", "f.yaml:2:1: unknown key 'a\\x0ab'");
}

static void keys_that_exclude_or_need_each_other(void **state)
{
	struct nf_conf c;

	(void)state;
	refused("name: x\npoints: [a]\nknobs: { K: [1] }\n",
	        "f.yaml:2:1: 'points' beside 'knobs'; allowed: one of knobs, points");
	refused("name: x\nchannel: 3\n",
	        "f.yaml:2:1: 'channel' with driver: command; allowed: with driver: relay");
	refused("name: x\ndriver: qmp\nchannel: 3\n",
	        "f.yaml:3:1: 'channel' with driver: qmp; allowed: with driver: relay");
	refused("name: x\ndriver: relay\n",
	        "f.yaml:1:1: the key 'channel' is missing; allowed: a whole number from 1 to 8");
	(void)read_good("name: x\ndriver: qmp\nsocket: s\n", &c);
	nf_conf_fini(&c);
}

static void values_that_do_not_fit(void **state)
{
	static const struct {
		const char *text, *what;
	} bad[] = {
		/* clang-format off */
		{ "runs: 101", "2:7: 'runs': bad value '101'; allowed: a whole number from -3 to 100" },
		{ "runs: -4", "2:7: 'runs': bad value '-4'" },
		{ "runs: 010", "2:7: 'runs': bad value '010'" },
		{ "runs: 1.0", "2:7: 'runs': bad value '1.0'" },
		{ "runs: 1e2", "2:7: 'runs': bad value '1e2'" },
		{ "runs: 0x", "2:7: 'runs': bad value '0x'" },
		{ "runs: +5", "2:7: 'runs': bad value '+5'" },
		{ "runs: 99999999999999999999", "2:7: 'runs': bad value '99999999999999999999'" },
		{ "runs: '5'", "2:7: 'runs': bad value '5': a text in quotes" },
		{ "runs: [5]", "2:7: 'runs': a list; allowed: a whole number" },
		{ "runs: {}", "2:7: 'runs': a mapping; allowed: a whole number" },
		{ "runs:", "2:6: 'runs': no value; allowed: a whole number" },
		{ "wait: 3", "2:7: 'wait': bad value '3'; allowed: a duration (ns us ms s m h) from 1us to 1m" },
		{ "wait: 61s", "2:7: 'wait': bad value '61s'" },
		{ "wait: 2fortnights", "2:7: 'wait': bad value '2fortnights'" },
		{ "room: 2GiB", "2:7: 'room': bad value '2GiB'; allowed: a size (bytes, KiB MiB GiB) from 1 to 1GiB" },
		{ "room: 3kb", "2:7: 'room': bad value '3kb'" },
		{ "room: 0", "2:7: 'room': bad value '0'" },
		{ "room: 9223372036854775807GiB", "2:7: 'room': bad value" },
		{ "share: 101%", "2:8: 'share': bad value '101%'; allowed: a share from 0 to 1, or with %" },
		{ "share: nan", "2:8: 'share': bad value 'nan'" },
		{ "share: 0x1", "2:8: 'share': bad value '0x1'" },
		{ "share: 1e-3", "2:8: 'share': bad value '1e-3'" },
		{ "share: 0.5.5", "2:8: 'share': bad value '0.5.5'" },
		{ "loud: yes", "2:7: 'loud': bad value 'yes'; allowed: true or false" },
		{ "loud: 'true'", "2:7: 'loud': bad value 'true': a text in quotes" },
		{ "driver: hid", "2:9: 'driver': bad value 'hid'; allowed: relay, qmp or command" },
		{ "words: []", "2:8: 'words': empty; allowed: a list of text, 1 to 5 of them" },
		{ "words: [1,2,3,4,5,6]", "2:19: 'words': too many; allowed: a list of text, 1 to 5" },
		{ "words: a", "2:8: 'words': a single value; allowed: a list" },
		{ "words: [ '' ]", "2:10: 'words': bad value '': too short; allowed: a text" },
		{ "words: [ ~ ]", "2:10: 'words': no value; allowed: a text" },
		{ "knobs: [ a ]", "2:8: 'knobs': a list; allowed: a mapping from names to a list" },
		{ "knobs: { K: 3 }", "2:13: 'K': a single value; allowed: a list of text" },
		{ "steps: [ { match: '*' } ]", "2:19: 'match': nothing to repeat; allowed: a pattern" },
		{ "console: [ x ]", "2:10: 'console': a list; allowed: a text or a mapping" },
		{ "tree: {}", "2:7: 'tree': a mapping; allowed: a text or a list" },
		/* clang-format on */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char text[200], what[300];

		snprintf(text, sizeof(text), "name: x\n%s\n", bad[i].text);
		snprintf(what, sizeof(what), "f.yaml:%s", bad[i].what);
		refused(text, what);
	}
	refused("name: null\n", "f.yaml:1:7: 'name': no value; allowed: a text");
	refused("- name\n", "f.yaml:1:1: a list; allowed: a mapping with name");
}

static void what_yaml_has_beside_values_is_refused(void **state)
{
	(void)state;
	refused("name: &a x\n", "f.yaml:1:7: the anchor '&a'; allowed: values written out");
	refused("name: x\nwords: &b [a]\n", "f.yaml:2:8: the anchor '&b'");
	refused("&c name: x\n", "f.yaml:1:1: the anchor '&c'");
	refused("name: *a\n", "f.yaml:1:7: the alias '*a'; allowed: values written out");
	refused("name: !!str x\n", "f.yaml:1:7: the tag 'tag:yaml.org,2002:str'");
	refused("name: !exec x\n", "f.yaml:1:7: the tag '!exec'");
	refused("%TAG ! tag:x,1:\n---\nname: x\n", "f.yaml:1:1: a %TAG directive");
	refused("name: x\n---\nname: y\n", "f.yaml:2:1: a second document; allowed: one");
	refused("", "f.yaml:1:1: nothing in the file");
	refused("# only this\n", "f.yaml:1:1: nothing in the file");
	refused("---\n", "f.yaml:2:1: no value; allowed: a mapping with name");
}

static void what_is_no_yaml_is_refused_where_it_breaks(void **state)
{
	(void)state;
	refused("name: x\nwords: [ a, b\nruns: 3\n", "f.yaml:3:5: not YAML: ");
	refused("name: \"x\n", "f.yaml:2:1: not YAML: ");
	refused("name: x\n\truns: 3\n", "f.yaml:2:1: not YAML: ");
	refused("name: x\n  runs: 3\n", "f.yaml:2:7: not YAML: ");
	refused("name: \"\\q\"\n", "f.yaml:1:");
	refused("name: @x\n", "f.yaml:1:7: not YAML: ");
}

static void bytes_that_are_no_text_are_refused(void **state)
{
	static const char nul[] = "name: a\0b\n", utf16[] = "\xff\xfen\0a\0";

	(void)state;
	refused_bytes(nul, sizeof(nul) - 1, "f.yaml:1:8: the character U+0000; allowed: printable");
	refused("name: \"a\\0b\"\n", "f.yaml:1:7: a NUL in a text");
	refused("name: x\nruns: \xc3(\n", "f.yaml:2:7: the byte 0xc3 is not UTF-8; allowed: UTF-8");
	refused("name: \xc0\xaf\n", "f.yaml:1:7: the byte 0xc0 is not UTF-8");
	refused("name: \xed\xa0\x80\n", "f.yaml:1:7: the byte 0xed is not UTF-8");
	refused_bytes(utf16, sizeof(utf16) - 1, "f.yaml:1:1: the byte 0xff is not UTF-8");
	refused("name: a\x1b[2J\n", "f.yaml:1:8: the character U+001B");
	refused("name: a\x7f\n", "f.yaml:1:8: the character U+007F");
	refused("name: a\rb\n", "f.yaml:1:8: the character U+000D");
	refused("name: a\xe2\x80\xa8", "f.yaml:1:8: the character U+2028");
	refused("name: a\xc2\x85", "f.yaml:1:8: the character U+0085");
	refused("name: a\n\xef\xbb\xbf", "f.yaml:2:1: the character U+FEFF");
}

/* --- hostile files --- */

/* begin, then `part` up to n bytes. */
static char *many(const char *begin, const char *part, size_t n)
{
	char *text = malloc(n + 64);
	size_t at = (size_t)sprintf(text, "%s", begin), len = strlen(part);

	assert_non_null(text);
	while (at + len <= n) {
		memcpy(text + at, part, len + 1);
		at += len;
	}
	return text;
}

/* Where it is refused shows how far it was read; what builds the whole first takes half a minute here. */
static void nesting_is_cut_off(void **state)
{
	static const char *const part[] = { "[", "{", "- ", "? ", "[{", "&a [", "!!seq [" };
	char *text;

	(void)state;
	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++) {
		text = many("name: x\ntree: ", part[i], 100000);
		refused(text, "f.yaml:2:");
		free(text);
	}
	text = many("name: x\ntree: ", "[", 100);
	refused(text, "f.yaml:2:22: nested too deeply; allowed: 16 levels");
	free(text);
	text = many("", "[", 100000);
	refused(text, "f.yaml:1:1: a list; allowed: a mapping with name");
	free(text);
}

static void what_would_grow_is_refused(void **state)
{
	char *text = many("name: x\nwords: [ ", "a, ", NF_CONF_BYTES_MAX - 10);

	(void)state;
	refused(text, "f.yaml:2:25: 'words': too many");
	free(text);
	text = many("name: x\nsteps: [ ", "{ match: x }, ", NF_CONF_BYTES_MAX - 10);
	refused(text, "f.yaml:2:140010: 'steps': too many");
	free(text);
	text = many("name: ", "a", NF_CONF_BYTES_MAX - 10);
	refused(text, "f.yaml:1:7: 'name': bad value 'aaaaa");
	free(text);
	text = many("name: x #", "a", NF_CONF_BYTES_MAX + 1);
	refused(text, "f.yaml: too large; allowed: at most 1048576 bytes");
	free(text);
	refused("name: x\n"
	        "words: &a [lol, lol]\n"
	        "tree: [*a, *a, [*a, *a]]\n",
	        "f.yaml:2:8: the anchor '&a'");
}

static void bad_values_are_cut_in_messages(void **state)
{
	char *text = many("name: x\nruns: ", "\xc3\xa9", 1000);
	struct nf_conf c;
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(read_bytes(text, strlen(text), &c, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "\xc3\xa9...'; allowed: a whole number"));
	free(text);
}

/* --- files --- */

static void files_are_read(void **state)
{
	char dir[200], path[300];
	struct nf_conf c;
	struct nf_err err = { 0 };
	int asked = 0;
	FILE *f;

	(void)state;
	nf_scratch_make(dir, sizeof(dir));
	snprintf(path, sizeof(path), "%s/s.yaml", dir);
	nf_scratch_write(path, "name: x\nsteps: [ { match: a }, { match: b } ]\n");
	assert_int_equal(nf_conf_read_file(&sample_type, path, &asked, &c, &err), 0);
	assert_int_equal(asked, 2);
	assert_string_equal(c.label, path);
	nf_conf_fini(&c);
	assert_int_equal(nf_conf_read_file(&sample_type, dir, NULL, &c, &err), -NF_EARG);
	snprintf(path, sizeof(path), "%s/none.yaml", dir);
	assert_int_equal(nf_conf_read_file(&sample_type, path, NULL, &c, &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "none.yaml"));
	snprintf(path, sizeof(path), "%s/large.yaml", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(ftruncate(fileno(f), NF_CONF_BYTES_MAX + 1), 0);
	fclose(f);
	assert_int_equal(nf_conf_read_file(&sample_type, path, NULL, &c, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "too large; allowed: at most 1048576 bytes"));
	nf_scratch_remove(dir);
}

static void the_reference_has_every_key(void **state)
{
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 1 << 16);
	nf_conf_describe(&sample_type, &out);
	for (const struct nf_conf_field *f = sample_fields; f->key; f++) {
		char key[64];

		snprintf(key, sizeof(key), "\n- `%s` (", f->key);
		assert_non_null(strstr(out.data, key + (f == sample_fields)));
		assert_non_null(strstr(out.data, f->help));
	}
	assert_non_null(strstr(out.data, "- `runs` (optional, default `5`): how often. Allowed: a "
	                                 "whole number from -3 to 100.\n"));
	assert_non_null(strstr(out.data, "\n  - `boot` (optional, default `3s`): until it is up."));
	assert_non_null(strstr(out.data, "\n  - `device` (required): its path."));
	assert_non_null(strstr(out.data, "`channel` (required with driver: relay): of the relay"));
	assert_non_null(strstr(out.data, "- `points` (at most one of `knobs`, `points`): some"));
	nf_buf_fini(&out);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_kind_is_read),
	cmocka_unit_test(values_know_their_place),
	cmocka_unit_test(what_is_absent_has_its_default),
	cmocka_unit_test(keys_are_those_of_the_schema),
	cmocka_unit_test(keys_that_exclude_or_need_each_other),
	cmocka_unit_test(values_that_do_not_fit),
	cmocka_unit_test(what_yaml_has_beside_values_is_refused),
	cmocka_unit_test(what_is_no_yaml_is_refused_where_it_breaks),
	cmocka_unit_test(bytes_that_are_no_text_are_refused),
	cmocka_unit_test(nesting_is_cut_off),
	cmocka_unit_test(what_would_grow_is_refused),
	cmocka_unit_test(bad_values_are_cut_in_messages),
	cmocka_unit_test(files_are_read),
	cmocka_unit_test(the_reference_has_every_key),
};

NF_UNIT_MAIN(tests)
