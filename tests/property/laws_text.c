/* SPDX-License-Identifier: MIT */
/* CPU lists, durations, JSON and Dhall texts, the option parser. */
#include <jansson.h>
#include <string.h>

#include "base/cpuset.h"
#include "base/duration.h"
#include "base/json.h"
#include "base/utf8.h"
#include "laws.h"
#include "opt/opt.h"
#include "record/write.h"

enum { TEXT = 1 << 16 };

static void fini_buf(void *b)
{
	nf_buf_fini(b);
}

static struct nf_buf *new_buf(struct pt_case *t)
{
	struct nf_buf *b = pt_alloc(t, sizeof(*b));

	nf_buf_init(b, TEXT);
	pt_cleanup(t, fini_buf, b);
	return b;
}

static void fini_set(void *s)
{
	nf_cpuset_fini(s);
}

static struct nf_cpuset *new_set(struct pt_case *t)
{
	struct nf_cpuset *s = pt_alloc(t, sizeof(*s));

	nf_cpuset_init(s);
	pt_cleanup(t, fini_set, s);
	return s;
}

static bool cpuset_round_trip(struct pt_case *t, void *arg)
{
	struct nf_cpuset *a = new_set(t), *b = new_set(t);
	struct nf_buf *text = new_buf(t), *again = new_buf(t);
	struct pt_loop l = { .max = 40 };

	(void)arg;
	while (pt_more(t, &l)) {
		int from = (int)pt_draw_int(t, 0, pt_draw_bool(t, 0.8) ? 100 : NF_CPU_MAX - 1);
		int n = (int)pt_draw_int(t, 0, 5);

		for (int i = from; i <= from + n && i < NF_CPU_MAX; i++)
			PT_ASSERT(t, nf_cpuset_add(a, i, NULL) == 0);
	}
	PT_ASSERT(t, nf_cpuset_print(a, text) == 0);
	PT_ASSERT(t, nf_cpuset_parse(text->data, true, b, NULL) == 0);
	PT_ASSERT(t, nf_cpuset_equal(a, b));
	PT_ASSERT(t, nf_cpuset_print(b, again) == 0);
	return strcmp(text->data, again->data) == 0;
}

static bool duration_round_trip(struct pt_case *t, void *arg)
{
	struct nf_buf *text = new_buf(t);
	int64_t ns = pt_draw_int(t, 0, INT64_MAX), back = -1;

	(void)arg;
	/* also round ones, which print in large units */
	for (int64_t n = pt_draw_int(t, 0, 6); n > 0 && ns < INT64_MAX / 1000; n--)
		ns *= n % 2 ? 1000 : 60;
	PT_ASSERT(t, nf_duration_print(ns, text) == 0);
	PT_ASSERT(t, nf_duration_parse(text->data, &back, NULL) == 0);
	PT_ASSERT_INT_EQ(t, back, ns);
	return true;
}

static bool parsers_refuse_or_are_stable(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "text", pt_text(m, 0, 20, "0123456789,-:/. numsh"));
	struct nf_cpuset *set = new_set(t), *again = new_set(t);
	struct nf_buf *out = new_buf(t);
	int64_t ns = -1, ns2 = -1;

	(void)arg;
	if (nf_cpuset_parse(v.text, true, set, NULL) == 0) {
		PT_ASSERT(t, nf_cpuset_print(set, out) == 0);
		PT_ASSERT(t, nf_cpuset_parse(out->data, true, again, NULL) == 0);
		PT_ASSERT(t, nf_cpuset_equal(set, again));
	}
	nf_buf_clear(out);
	if (nf_duration_parse(v.text, &ns, NULL) == 0) {
		PT_ASSERT(t, ns >= 0 && nf_duration_print(ns, out) == 0);
		PT_ASSERT(t, nf_duration_parse(out->data, &ns2, NULL) == 0 && ns == ns2);
	} else {
		PT_ASSERT(t, ns == -1);
	}
	return true;
}

static void decref(void *root)
{
	json_decref(root);
}

static bool json_text_round_trip(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "text", pt_bytes(m, 0, 60));
	struct nf_buf *out = new_buf(t), *clean = new_buf(t);
	struct nf_json j;
	json_t *root;
	uint64_t replaced = 0;

	(void)arg;
	PT_ASSERT(t, nf_utf8_clean(clean, v.text, v.n, &replaced) == 0);
	nf_json_init(&j, out, pt_draw_bool(t, 0.5));
	nf_json_array(&j);
	nf_json_textn(&j, v.text, v.n);
	nf_json_end(&j);
	PT_ASSERT(t, nf_json_done(&j, NULL) == 0);
	PT_ASSERT(t, j.n_replaced == replaced);
	root = json_loadb(out->data, out->len_bytes, JSON_ALLOW_NUL, NULL);
	PT_ASSERT(t, root != NULL);
	pt_cleanup(t, decref, root);
	PT_ASSERT(t, json_string_length(json_array_get(root, 0)) == clean->len_bytes);
	return memcmp(json_string_value(json_array_get(root, 0)), clean->data, clean->len_bytes) ==
	       0;
}

/* clang-format off */
#define NF_ROWS_PROBE(X, S) \
	X(S, TEXT, text, DECLARED, "any text")
NF_RECORD(probe, NF_ROWS_PROBE)
NF_RECORD_TYPE(probe, "Probe", NF_ROWS_PROBE)
/* clang-format on */

/* Reads a Dhall text literal in double quotes, as the Dhall standard has it; false: not one, or it would
 * interpolate. */
static bool read_dhall(const char *s, struct nf_buf *out)
{
	for (s++; *s != '"'; s++) {
		unsigned cp;
		int used;

		if (*s == '\0' || *s == '\n' || (s[0] == '$' && s[1] == '{'))
			return false;
		if (*s != '\\') {
			if (nf_buf_addc(out, *s) != 0)
				return false;
			continue;
		}
		s++;
		switch (*s) {
		case '"':
		case '$':
		case '\\':
		case '/':
			nf_buf_addc(out, *s);
			break;
		case 'b':
			nf_buf_addc(out, '\b');
			break;
		case 'f':
			nf_buf_addc(out, '\f');
			break;
		case 'n':
			nf_buf_addc(out, '\n');
			break;
		case 'r':
			nf_buf_addc(out, '\r');
			break;
		case 't':
			nf_buf_addc(out, '\t');
			break;
		case 'u':
			if (sscanf(s + 1, "{%x}%n", &cp, &used) != 1 &&
			    sscanf(s + 1, "%4x%n", &cp, &used) != 1)
				return false;
			if (nf_utf8_put(out, cp) != 0)
				return false;
			s += used;
			break;
		default:
			return false;
		}
	}
	return true;
}

static bool dhall_text_round_trip(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	const struct pt_gen *odd =
	        pt_text(m, 0, 40, "ax$}{\"\\'\n\t\r\x01\x7f -u0041\xc3\xa4\xe2\x82\xac");
	struct pt_value v =
	        pt_draw(t, "text", PT_ONE_OF(m, odd, pt_unicode(m, 0, 30, 1, 0x10ffff)));
	struct nf_rec_probe value = { .text = v.text };
	struct nf_buf *out = new_buf(t), *back = new_buf(t), *clean = new_buf(t);
	uint64_t replaced = 0;
	const char *literal;

	(void)arg;
	PT_ASSERT(t, nf_record_to_dhall(&nf_rec_probe_type, &value, out, &replaced, NULL) == 0);
	PT_ASSERT(t, nf_utf8_clean(clean, v.text, v.n, &replaced) == 0);
	literal = strstr(out->data, "text = \"");
	PT_ASSERT(t, literal != NULL);
	PT_ASSERT(t, read_dhall(literal + strlen("text = "), back));
	return back->len_bytes == clean->len_bytes &&
	       memcmp(back->data, clean->data, clean->len_bytes) == 0;
}

/* ---- options ---- */
struct params {
	int64_t number, duration_ns;
	const char *text;
	bool flag;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_INT('n', "number", struct params, number, -1000, 1000, 7, "number") },
	{ NF_OPT_DURATION('d', "duration", struct params, duration_ns, 1, INT64_C(3600000000000), 5, "duration") },
	{ NF_OPT_TEXT('t', "text", struct params, text, NULL, "TEXT", "text") },
	{ NF_OPT_FLAG('f', "flag", struct params, flag, "flag") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static char *format(struct pt_case *t, const char *name, const char *value, bool joined)
{
	size_t size = strlen(name) + strlen(value) + 2;
	char *s = pt_alloc(t, size);

	snprintf(s, size, joined ? "%s=%s" : "%s", name, value);
	return s;
}

/* Each option given or not, in any of its forms, operands between. */
static bool options_say_what_was_given(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct params p = { 0 }, want = { .number = 7, .duration_ns = 5 };
	struct nf_opt_set set = { .opts = opts, .params = &p };
	struct nf_buf *duration = new_buf(t);
	char *argv[16], number[24];
	const char *item[16];
	struct nf_opt_rest rest = { .item = item };
	int argc = 0, operands = 0;

	(void)arg;
	for (size_t i = 0; i < 4; i++) {
		size_t form = pt_draw_pick(t, 4); /* not, --x=v, --x v, -x v */
		const char *value = "", *name;
		char *dash;

		if (pt_draw_bool(t, 0.3)) {
			argv[argc++] = format(t, "operand", "", false);
			operands++;
		}
		if (form == 0)
			continue;
		if (i == 0) {
			want.number = pt_draw_int(t, -1000, 1000);
			snprintf(number, sizeof(number), "%lld", (long long)want.number);
			value = number;
		} else if (i == 1) {
			want.duration_ns = pt_draw_int(t, 1, INT64_C(3600000000000));
			PT_ASSERT(t, nf_duration_print(want.duration_ns, duration) == 0);
			value = duration->data;
		} else if (i == 2) {
			want.text = value = pt_draw(t, "value", pt_text(m, 1, 12, NULL)).text;
		} else {
			want.flag = true;
		}
		name = format(t, "--", opts[i].name, false);
		dash = pt_alloc(t, strlen(opts[i].name) + 3);
		snprintf(dash, strlen(opts[i].name) + 3, form == 3 ? "-%.1s" : "--%s",
		         opts[i].name);
		(void)name;
		if (i == 3) {
			argv[argc++] = dash;
			continue;
		}
		argv[argc++] = format(t, dash, value, form == 1);
		if (form != 1)
			argv[argc++] = format(t, value, "", false);
	}
	nf_opt_defaults(&set);
	PT_ASSERT(t, nf_opt_parse(&set, 1, argc, argv, false, &rest, NULL) == 0);
	PT_ASSERT_INT_EQ(t, p.number, want.number);
	PT_ASSERT_INT_EQ(t, p.duration_ns, want.duration_ns);
	PT_ASSERT(t, (p.text == NULL) == (want.text == NULL));
	PT_ASSERT(t, !p.text || strcmp(p.text, want.text) == 0);
	PT_ASSERT(t, p.flag == want.flag);
	return rest.n == operands;
}

static bool options_out_of_range_are_refused(struct pt_case *t, void *arg)
{
	struct params p = { 0 };
	struct nf_opt_set set = { .opts = opts, .params = &p };
	int64_t v = pt_draw_int(t, -100000, 100000);
	char text[32], dash[] = "-n";
	const char *item[2];
	struct nf_opt_rest rest = { .item = item };
	char *argv[] = { dash, text };
	struct nf_err err = { 0 };
	int r;

	(void)arg;
	snprintf(text, sizeof(text), "%lld", (long long)v);
	nf_opt_defaults(&set);
	r = nf_opt_parse(&set, 1, 2, argv, false, &rest, &err);
	pt_cover(t, r == 0, 1.0, "in range");
	return v >= -1000 && v <= 1000 ? r == 0 && p.number == v
	                               : r == -NF_EARG && p.number == 7 && strstr(err.msg, text);
}

/* clang-format off */
const struct law laws_text[] = {
	{ "CPU list", "A CPU list that is printed and parsed is the same set, and prints the same.", cpuset_round_trip, NULL },
	{ "duration", "A duration that is printed and parsed is the same to the nanosecond.", duration_round_trip, NULL },
	{ "parsers are stable", "What the parsers of CPU lists and durations accept, they print in a form they read back to the same.", parsers_refuse_or_are_stable, NULL },
	{ "JSON text", "Any bytes as a JSON text are read back by another reader as the same valid UTF-8.", json_text_round_trip, NULL },
	{ "Dhall text", "Any text in a Dhall record is one literal that says the same and interpolates nothing.", dhall_text_round_trip, NULL },
	{ "options", "Options in any form and order, with operands between, give the values that were said and the defaults else.", options_say_what_was_given, NULL },
	{ "option range", "A number outside an option's range is refused, quoted, and leaves the default.", options_out_of_range_are_refused, NULL },
	{ .name = NULL },
};
/* clang-format on */
