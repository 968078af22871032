/* SPDX-License-Identifier: MIT */
/* replay DIR: feeds every file of a corpus to a target, whole, cut at every length and with bytes
 * changed, the same way each time. */
#include <dirent.h>
#include <string.h>

#include "base/rng.h"
#include "fuzz.h"

enum { MAX_BYTES = 1 << 16, MUTANTS = 400, MAX_CUTS = 2000 };

static void replay(const uint8_t *data, size_t n, struct nf_rng *rng)
{
	static uint8_t copy[MAX_BYTES + 1];

	(void)LLVMFuzzerTestOneInput(data, n);
	for (size_t cut = 0; cut < n && cut < MAX_CUTS; cut++)
		(void)LLVMFuzzerTestOneInput(data, cut);
	for (int i = 0; n && i < MUTANTS; i++) {
		memcpy(copy, data, n);
		for (uint64_t k = nf_rng_below(rng, 4) + 1; k > 0; k--)
			copy[nf_rng_below(rng, n)] = (uint8_t)nf_rng_below(rng, 256);
		(void)LLVMFuzzerTestOneInput(copy, n);
	}
}

int main(int argc, char **argv)
{
	static uint8_t data[MAX_BYTES];
	struct dirent **names = NULL;
	struct nf_rng rng;
	size_t files = 0;

	if (argc != 2)
		return 2;
	nf_rng_seed(&rng, 1);
	int n = scandir(argv[1], &names, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", argv[1], names[i]->d_name);
		FILE *f = names[i]->d_name[0] == '.' ? NULL : fopen(path, "rb");
		if (f) {
			size_t len = fread(data, 1, sizeof(data), f);
			fclose(f);
			replay(data, len, &rng);
			files++;
		}
		free(names[i]);
	}
	free(names);
	printf("%zu files of %s replayed\n", files, argv[1]);
	return files == 0; /* an empty corpus tests nothing */
}
