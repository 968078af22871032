/* SPDX-License-Identifier: MIT */
#include "machine/kconfig.h"

#include <stdio.h>
#include <string.h>

#include "machine/gunzip.h"

static int load_gz(const struct nf_rootfs *root, const char *path, struct nf_buf *out,
                   struct nf_err *err)
{
	struct nf_buf gz;
	int r;

	nf_buf_init(&gz, NF_KCONFIG_MAX_BYTES);
	r = nf_rootfs_read(root, path, &gz, err);
	if (r == 0)
		r = nf_gunzip(gz.data, gz.len_bytes, out, err);
	nf_buf_fini(&gz);
	return r;
}

int nf_kconfig_load(const struct nf_rootfs *root, const char *release, struct nf_buf *out,
                    char ret_source[NF_KCONFIG_SOURCE_BYTES], struct nf_err *err)
{
	static const struct {
		const char *before, *after;
	} places[] = { { "boot/config-", "" }, { "lib/modules/", "/config" } };
	/* A release is one path component; anything else would name a file elsewhere. */
	bool usable = release && *release && !strchr(release, '/') && strlen(release) < 100;
	char path[NF_KCONFIG_SOURCE_BYTES] = "proc/config.gz";
	int r = load_gz(root, path, out, err);

	for (size_t i = 0; r == -NF_ENODATA && usable && i < 2; i++) {
		snprintf(path, sizeof(path), "%s%s%s", places[i].before, release, places[i].after);
		r = nf_rootfs_read(root, path, out, err);
	}
	if (r != -NF_ENODATA && r != -NF_ENOMEM)
		memcpy(ret_source, path, sizeof(path));
	return r;
}

bool nf_kconfig_get(const struct nf_buf *config, const char *name, struct nf_span *ret)
{
	struct nf_span rest = nf_span_of(config), line, word;

	while (nf_span_line(&rest, &line)) {
		struct nf_span value = line;

		if (nf_span_starts(line, "CONFIG_") && nf_span_cut(&value, '=', &word) &&
		    word.n < line.n) {
			word.p += strlen("CONFIG_");
			word.n -= strlen("CONFIG_");
			if (nf_span_is(word, name)) {
				*ret = nf_span_trim(value);
				return true;
			}
		} else if (nf_span_starts(line, "# CONFIG_")) {
			value.p += strlen("# CONFIG_");
			value.n -= strlen("# CONFIG_");
			if (nf_span_word(&value, &word) && nf_span_is(word, name) &&
			    nf_span_is(nf_span_trim(value), "is not set")) {
				*ret = (struct nf_span){ "n", 1 };
				return true;
			}
		}
	}
	return false;
}
