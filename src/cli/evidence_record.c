/* SPDX-License-Identifier: MIT */
#include "cli/evidence_record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysio.h"
#include "record/json_record.h"
#include "record/run_standing.h"

static int absent(const char *path, int os_errno, struct nf_err *err)
{
	return nf_fail(err, nf_errno_is_of_path(os_errno) ? NF_EARG : NF_EOS, "%s: %s", path,
	               strerror(os_errno));
}

int nf_evidence_path(const char *operand, char ret[PATH_MAX], struct nf_err *err)
{
	static const char *const forms[] = { "json", "dhall" };
	struct stat st;
	int n = 0;

	if (stat(operand, &st) < 0)
		return absent(operand, errno, err);
	for (int i = 0; S_ISDIR(st.st_mode) && i < 2; i++) {
		struct stat file;

		n = snprintf(ret, PATH_MAX, "%s/record.%s", operand, forms[i]);
		if (n > 0 && n < PATH_MAX && stat(ret, &file) == 0)
			return 0;
	}
	if (S_ISDIR(st.st_mode))
		return nf_fail(err, NF_EDATA, "%s holds no record.json and no record.dhall",
		               operand);
	n = snprintf(ret, PATH_MAX, "%s", operand);
	return n > 0 && n < PATH_MAX ? 0 : absent(operand, ENAMETOOLONG, err);
}

void nf_evidence_warn(const struct nf_cli *cli, const char *operand)
{
	struct nf_run_standing s;
	struct nf_err unread; /* whoever reads it will say so */

	if (nf_run_standing(operand, &s, &unread) == 0 && *s.why)
		nf_cli_note(cli, "warning: %s is %s: %s", operand, nf_check_name(s.state), s.why);
}

bool nf_evidence_is_dhall(const char *path)
{
	size_t len = strlen(path);

	return len > 6 && strcmp(path + len - 6, ".dhall") == 0;
}

int nf_evidence_json_text(struct nf_dhall *d, const char *path, struct nf_buf *out,
                          struct nf_err *err)
{
	struct nf_dhall_loaded l;
	int rc, fd;

	if (nf_evidence_is_dhall(path)) {
		rc = nf_dhall_load(d, path, &l, err);
		return rc < 0 ? rc : nf_dhall_to_json(d, l.value, true, out, err);
	}
	fd = nf_open_input(path, "a run's folder, *.json, *.dhall", err);
	if (fd < 0)
		return fd;
	rc = nf_read_all(fd, out, path, err);
	close(fd);
	return rc;
}

int nf_evidence_load(const char *operand, const char *import_root, struct nf_evidence_record *ret,
                     struct nf_err *err)
{
	struct nf_evidence_record r = { .root = NULL };
	struct nf_dhall *d = NULL;
	struct nf_err why = { 0 };
	json_error_t where;
	struct nf_buf text;
	int rc;

	nf_buf_init(&text, NF_RECORD_TEXT_BYTES);
	rc = nf_evidence_path(operand, r.path, err);
	if (rc == 0)
		rc = nf_dhall_new(&d, err);
	if (rc == 0 && import_root)
		rc = nf_dhall_set_root(d, import_root, err);
	if (rc == 0)
		rc = nf_evidence_json_text(d, r.path, &text, err);
	nf_dhall_free(d);
	if (rc < 0)
		goto out;
	r.root = json_loadb(text.data, text.len_bytes, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL,
	                    &where);
	if (!r.root && json_error_code(&where) == json_error_out_of_memory)
		rc = nf_fail_nomem(err, "a record", text.len_bytes);
	else if (!r.root)
		rc = nf_fail(err, NF_EDATA, "%s:%d:%d: %s", r.path, where.line, where.column,
		             where.text);
	else
		rc = nf_json_record_type(r.root, &r.type, &why);
	if (rc < 0 && why.code)
		rc = why.code == NF_EDATA ? nf_fail(err, NF_EDATA, "%s: %s", r.path, why.msg)
		                          : nf_fail(err, why.code, "%s", why.msg);
	if (rc == 0) {
		*ret = r;
		r.root = NULL;
	}
	json_decref(r.root);
out:
	nf_buf_fini(&text);
	return rc;
}

void nf_evidence_record_fini(struct nf_evidence_record *r)
{
	json_decref(r->root);
	r->root = NULL;
}
