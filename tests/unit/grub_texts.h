/* SPDX-License-Identifier: MIT */
/* grub_texts - boot menus and environment blocks as a distribution would write them, made for these tests. */
#ifndef GRUB_TEXTS_H
#define GRUB_TEXTS_H

/* clang-format off */
#define GRUB_HEAD_WITH(default_line) \
	"#\n# made by a test\n#\n" \
	"if [ -s $prefix/grubenv ]; then\n  set have_grubenv=true\n  load_env\nfi\n" \
	"if [ \"${next_entry}\" ] ; then\n   set default=\"${next_entry}\"\n   set next_entry=\n" \
	"   save_env next_entry\n   set boot_once=true\nelse\n   " default_line "\nfi\n" \
	"if [ x\"${feature_menuentry_id}\" = xy ]; then\n  menuentry_id_option=\"--id\"\n" \
	"else\n  menuentry_id_option=\"\"\nfi\nexport menuentry_id_option\n" \
	"function savedefault {\n  if [ -z \"${boot_once}\" ]; then\n" \
	"    saved_entry=\"${chosen}\"\n    save_env saved_entry\n  fi\n}\n"
#define GRUB_HEAD GRUB_HEAD_WITH("set default=\"0\"")

#define GRUB_ENTRY(title, id, release, args) \
	"menuentry '" title "' --class gnu-linux $menuentry_id_option '" id "' {\n" \
	"\tload_video\n\tif [ x$grub_platform = xxen ]; then insmod xzio; fi\n" \
	"\techo\t'Loading Linux " release " ...'\n" \
	"\tlinux\t/boot/vmlinuz-" release " root=UUID=1-2 ro " args "\n" \
	"\techo\t'Loading initial ramdisk ...'\n\tinitrd\t/boot/initrd.img-" release "\n}\n"

#define GRUB_GENERIC "6.1.0-18-amd64"
#define GRUB_RT "6.1.0-18-rt-amd64"

/* What one menu of two kernels looks like: the simple entry, then all of them in a submenu. */
#define GRUB_ADVANCED(inside) \
	"submenu 'Advanced options for GNU/Linux' $menuentry_id_option 'gnulinux-advanced-1-2' {\n" \
	inside "}\n"
#define GRUB_BOTH \
	GRUB_ENTRY("GNU/Linux", "gnulinux-simple-1-2", GRUB_GENERIC, "quiet") \
	GRUB_ADVANCED( \
	GRUB_ENTRY("GNU/Linux, with Linux " GRUB_RT, "gnulinux-" GRUB_RT "-advanced-1-2", GRUB_RT, "quiet isolcpus=1") \
	GRUB_ENTRY("GNU/Linux, with Linux " GRUB_RT " (recovery mode)", "gnulinux-" GRUB_RT "-recovery-1-2", GRUB_RT, "single") \
	GRUB_ENTRY("GNU/Linux, with Linux " GRUB_GENERIC, "gnulinux-" GRUB_GENERIC "-advanced-1-2", GRUB_GENERIC, "quiet") \
	GRUB_ENTRY("GNU/Linux, with Linux " GRUB_GENERIC " (recovery mode)", "gnulinux-" GRUB_GENERIC "-recovery-1-2", GRUB_GENERIC, "single"))
#define GRUB_RT_SPEC "gnulinux-advanced-1-2>gnulinux-" GRUB_RT "-advanced-1-2"

/* clang-format on */

#define GRUB_BLOCK_HEAD "# GRUB Environment Block\n"

#endif
