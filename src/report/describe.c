/* SPDX-License-Identifier: MIT */
#include "report/describe.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A double with %f takes 309 digits, the dot and six decimals. */
enum { TEXT_BYTES = 336, DECIMALS = 6, LONG_TEXT = DECIMALS + 6 };

struct column {
	char text[NF_DESCRIBE_ROWS][TEXT_BYTES];
	char heading[32];
	size_t width;
};

static void format_with(const struct nf_describe_column *c, bool exponent, struct column *ret)
{
	for (size_t i = 0; i < NF_DESCRIBE_ROWS; i++) {
		if (isnan(c->v[i]))
			snprintf(ret->text[i], TEXT_BYTES, "NaN");
		else
			snprintf(ret->text[i], TEXT_BYTES, exponent ? "% .6e" : "% .6f", c->v[i]);
	}
}

static bool needs_exponent(const struct nf_describe_column *c, const struct column *text)
{
	bool small = false, large = false, wide = false;

	for (size_t i = 0; i < NF_DESCRIBE_ROWS; i++) {
		double v = fabs(c->v[i]);

		small = small || (v > 0 && v < 1e-6);
		large = large || v > 1e6;
		wide = wide || strlen(text->text[i]) > LONG_TEXT;
	}
	return small || (wide && large);
}

static bool is_decimal(const char *text)
{
	return strchr(text, '.') && !strchr(text, 'e');
}

/* Zeros at the ends of all numbers go, but for one behind the dot. */
static void trim(struct column *c)
{
	size_t zeros = DECIMALS;

	for (size_t i = 0; i < NF_DESCRIBE_ROWS; i++) {
		size_t n = strlen(c->text[i]), k = 0;

		if (!is_decimal(c->text[i]))
			continue;
		while (k < zeros && c->text[i][n - 1 - k] == '0')
			k++;
		zeros = k;
	}
	if (zeros == DECIMALS)
		zeros--;
	for (size_t i = 0; i < NF_DESCRIBE_ROWS; i++)
		if (is_decimal(c->text[i]))
			c->text[i][strlen(c->text[i]) - zeros] = '\0';
}

static void make_column(const struct nf_describe_column *c, int heading_width, struct column *ret)
{
	format_with(c, false, ret);
	trim(ret);
	if (needs_exponent(c, ret))
		format_with(c, true, ret);
	snprintf(ret->heading, sizeof(ret->heading), " %-*" PRIu64, heading_width, c->heading);
	ret->width = strlen(ret->heading);
	for (size_t i = 0; i < NF_DESCRIBE_ROWS; i++)
		ret->width = strlen(ret->text[i]) > ret->width ? strlen(ret->text[i]) : ret->width;
}

void nf_describe_table(const struct nf_describe_column *c, size_t n, struct nf_buf *out)
{
	static const char *const rows[NF_DESCRIBE_ROWS] = { "count", "mean", "std", "min",
		                                            "25%",   "50%",  "75%", "max" };
	enum { NAME_WIDTH = 5 };
	struct nf_buf row[NF_DESCRIBE_ROWS + 1];
	int heading_width = 0;

	/* Headings are made equally wide first, their numbers on the left. */
	for (size_t k = 0; k < n; k++) {
		int width = snprintf(NULL, 0, "%" PRIu64, c[k].heading);

		heading_width = width > heading_width ? width : heading_width;
	}
	for (size_t i = 0; i <= NF_DESCRIBE_ROWS; i++) {
		nf_buf_init(&row[i], out->max_bytes);
		(void)nf_buf_addf(&row[i], "%-*s", NAME_WIDTH, i ? rows[i - 1] : "");
	}
	for (size_t k = 0; k < n; k++) {
		struct column column;

		make_column(&c[k], heading_width, &column);
		for (size_t i = 0; i <= NF_DESCRIBE_ROWS; i++)
			(void)nf_buf_addf(&row[i], " %*s", (int)column.width,
			                  i ? column.text[i - 1] : column.heading);
	}
	for (size_t i = 0; i <= NF_DESCRIBE_ROWS; i++) {
		(void)nf_buf_addf(out, "%s\n", row[i].data);
		if (row[i].failed && !out->failed)
			out->failed = row[i].failed;
		nf_buf_fini(&row[i]);
	}
}
