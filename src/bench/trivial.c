/* SPDX-License-Identifier: MIT */
/* trivial - the program that the spawn suite starts: static, and does nothing. */
int main(void)
{
	return 0;
}
