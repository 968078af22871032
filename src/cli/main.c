/* SPDX-License-Identifier: MIT */
#include <stdio.h>

int main(void)
{
	puts("noisefloor");
	return 0;
}
