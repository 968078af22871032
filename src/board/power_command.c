/* SPDX-License-Identifier: MIT */
/*
 * power_command - commands of the user's. `on` and `off` have switched when they exit with 0. `status` prints
 * "on" or "off" as its first word (in any case), which is what power strips' and hubs' tools are easily made to say.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/quote.h"
#include "board/command.h"
#include "board/power.h"

enum { WORD_MAX = 16 };

/* Where argv[0] would be found, as execvp() looks. path NULL: not told, the start will show. */
static bool is_found(const char *name, const char *path)
{
	char candidate[4096];

	if (strchr(name, '/'))
		return access(name, X_OK) == 0;
	if (!path)
		return true;
	for (const char *p = path; *p;) {
		size_t len = strcspn(p, ":");
		int n = snprintf(candidate, sizeof(candidate), "%.*s%s%s", (int)len, p,
		                 len ? "/" : "./", name);
		if (n > 0 && (size_t)n < sizeof(candidate) && access(candidate, X_OK) == 0)
			return true;
		p += len + (p[len] == ':');
	}
	return false;
}

static int check_argv(const char *key, const char *const *argv, const char *path,
                      struct nf_err *err)
{
	char name[NF_QUOTED];

	if (!argv || !argv[0] || !argv[0][0])
		return nf_fail(err, NF_EARG, "power driver command needs %s: [PROGRAM, ...]", key);
	if (is_found(argv[0], path))
		return 0;
	nf_quote(argv[0], name);
	return nf_fail(err, NF_EARG, "power %s: command %s is not found, or not executable", key,
	               name);
}

static int check(const struct nf_power_spec *spec, struct nf_err *err)
{
	int r = check_argv("on", spec->on, spec->search, err);

	if (r == 0)
		r = check_argv("off", spec->off, spec->search, err);
	return r < 0 || !spec->status ? r : check_argv("status", spec->status, spec->search, err);
}

static int open_commands(struct nf_power *p, struct nf_err *err)
{
	(void)p;
	(void)err;
	return 0;
}

/* Its exit status, and the first thing it said. */
static int failed(const char *what, const struct nf_command_end *end, struct nf_err *err)
{
	char said[NF_QUOTED], how[32];

	if (WIFSIGNALED(end->wait_status))
		snprintf(how, sizeof(how), "signal %d", WTERMSIG(end->wait_status));
	else
		snprintf(how, sizeof(how), "exit status %d", WEXITSTATUS(end->wait_status));
	nf_quote(end->said, said);
	return nf_fail(err, NF_ESUBJECT, "power command `%s`: %s%s%s", what, how,
	               end->said_bytes ? ", " : "", end->said_bytes ? said : "");
}

static int set(struct nf_power *p, bool on, struct nf_err *err)
{
	struct nf_command_end end;
	int r = nf_command_run(on ? p->spec.on : p->spec.off, NF_POWER_COMMAND_WAIT_NS, &end, err);

	if (r < 0)
		return r;
	return end.wait_status == 0 ? 0 : failed(on ? "on" : "off", &end, err);
}

static int status(struct nf_power *p, enum nf_power_state *ret, struct nf_err *err)
{
	struct nf_command_end end;
	char word[WORD_MAX] = "";
	size_t n = 0;

	if (!p->spec.status) {
		*ret = NF_POWER_UNKNOWN;
		return 0;
	}
	int r = nf_command_run(p->spec.status, NF_POWER_COMMAND_WAIT_NS, &end, err);
	if (r < 0)
		return r;
	if (end.wait_status != 0)
		return failed("status", &end, err);
	const char *said = end.said + strspn(end.said, " \t\r\n");
	while (n < WORD_MAX - 1 && isalpha((unsigned char)said[n])) {
		word[n] = said[n];
		n++;
	}
	if (strcasecmp(word, "on") == 0) {
		*ret = NF_POWER_ON;
	} else if (strcasecmp(word, "off") == 0) {
		*ret = NF_POWER_OFF;
	} else {
		char quoted[NF_QUOTED];

		nf_quote(end.said, quoted);
		return nf_fail(err, NF_ESUBJECT, "power command `status` said %s; allowed: on, off",
		               quoted);
	}
	return 0;
}

const struct nf_power_row nf_power_command = { .name = "command",
	                                       .keys = "on, off, status",
	                                       .check = check,
	                                       .open = open_commands,
	                                       .set = set,
	                                       .status = status };
