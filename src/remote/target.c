/* SPDX-License-Identifier: MIT */
#include "remote/target.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/quote.h"

static int refuse(const char *text, const char *why, struct nf_err *err)
{
	char quoted[NF_QUOTED];

	nf_quote(text, quoted);
	return nf_fail(err, NF_EARG,
	               "%s: %s; allowed: [USER@]HOST[:PORT] of letters, digits, '.', '_' and '-'",
	               quoted, why);
}

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '-';
}

static bool all_plain(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_plain(s[i]))
			return false;
	return len > 0 && s[0] != '-';
}

/* A port number, or -1. */
static int port_of(const char *s)
{
	int v = 0;

	if (!*s || strlen(s) > 5 || strspn(s, "0123456789") != strlen(s))
		return -1;
	for (; *s; s++)
		v = v * 10 + (*s - '0');
	return v >= 1 && v <= 65535 ? v : -1;
}

static bool is_ipv6(const char *s)
{
	struct in6_addr a;

	return inet_pton(AF_INET6, s, &a) == 1;
}

/* HOST, HOST:PORT, an IPv6 address, or [IPv6]:PORT. NULL, or what is wrong with it. */
static const char *host_of(const char *s, struct nf_target *t)
{
	const char *colon = strchr(s, ':'), *end = s + strlen(s), *port = NULL;

	if (*s == '[') {
		const char *close = strchr(s, ']');

		if (!close || (close[1] && close[1] != ':'))
			return "the brackets of an address do not close";
		if (close[1])
			port = close + 2;
		s++;
		end = close;
	} else if (colon && !strchr(colon + 1, ':')) {
		port = colon + 1;
		end = colon;
	}
	size_t len = (size_t)(end - s);
	if (len == 0)
		return "the host is missing";
	if (len >= sizeof(t->host))
		return "the host is too long";
	memcpy(t->host, s, len);
	t->host[len] = '\0';
	if (t->host[0] == '-')
		return "the host begins with a dash";
	if (!(memchr(s, ':', len) ? is_ipv6(t->host) : all_plain(t->host, len)))
		return "the host holds what no host name or address does";
	t->port = port ? port_of(port) : 0;
	return t->port < 0 ? "the port is no number from 1 to 65535" : NULL;
}

int nf_target_parse(const char *text, struct nf_target *ret, struct nf_err *err)
{
	struct nf_target t = { .port = 0 };
	const char *at = strchr(text, '@');
	const char *host = at ? at + 1 : text;

	if (*text == '-')
		return refuse(text, "begins with a dash", err);
	if (strlen(text) >= sizeof(t.text))
		return refuse(text, "too long", err);
	if (at) {
		size_t len = (size_t)(at - text);

		if (len == 0 || len >= sizeof(t.user))
			return refuse(text, len ? "the user is too long" : "the user is missing",
			              err);
		if (!all_plain(text, len))
			return refuse(text, "the user holds what no user's name does", err);
		memcpy(t.user, text, len);
	}
	const char *why = host_of(host, &t);
	if (why)
		return refuse(text, why, err);
	memcpy(t.text, text, strlen(text));
	*ret = t;
	return 0;
}
