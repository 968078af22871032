/* SPDX-License-Identifier: MIT */
#include "source/clocks.h"

#include <string.h>

/* clang-format off */
static const struct { const char *name; enum nf_src_clock how; } clocks[] = {
	/* C, POSIX */
	{ "clock_gettime", NF_SRC_CLOCK_ARGUMENT }, { "gettimeofday", NF_SRC_CLOCK_ARGUMENT },
	{ "timespec_get", NF_SRC_CLOCK_VALUE }, { "clock", NF_SRC_CLOCK_VALUE },
	/* counters of processors */
	{ "rdtsc", NF_SRC_CLOCK_VALUE }, { "rdtscp", NF_SRC_CLOCK_VALUE }, { "__rdtsc", NF_SRC_CLOCK_VALUE },
	{ "__rdtscp", NF_SRC_CLOCK_VALUE }, { "rdtsc_ordered", NF_SRC_CLOCK_VALUE },
	{ "__builtin_ia32_rdtsc", NF_SRC_CLOCK_VALUE }, { "__builtin_ia32_rdtscp", NF_SRC_CLOCK_VALUE },
	{ "rdtscll", NF_SRC_CLOCK_ARGUMENT }, { "get_cycles", NF_SRC_CLOCK_VALUE },
	{ "read_cntpct", NF_SRC_CLOCK_VALUE }, { "read_cntvct", NF_SRC_CLOCK_VALUE },
	{ "read_cntpct_el0", NF_SRC_CLOCK_VALUE }, { "read_cntvct_el0", NF_SRC_CLOCK_VALUE },
	{ "get_cntpct", NF_SRC_CLOCK_VALUE }, { "get_cntvct", NF_SRC_CLOCK_VALUE },
	{ "arch_timer_read_counter", NF_SRC_CLOCK_VALUE }, { "__arch_counter_get_cntpct", NF_SRC_CLOCK_VALUE },
	{ "__arch_counter_get_cntvct", NF_SRC_CLOCK_VALUE }, { "__builtin_readcyclecounter", NF_SRC_CLOCK_VALUE },
	/* kernels and boot loaders */
	{ "ktime_get", NF_SRC_CLOCK_VALUE }, { "ktime_get_ns", NF_SRC_CLOCK_VALUE },
	{ "ktime_get_raw", NF_SRC_CLOCK_VALUE }, { "ktime_get_raw_ns", NF_SRC_CLOCK_VALUE },
	{ "ktime_get_real", NF_SRC_CLOCK_VALUE }, { "ktime_get_real_ns", NF_SRC_CLOCK_VALUE },
	{ "ktime_get_boottime", NF_SRC_CLOCK_VALUE }, { "ktime_get_boottime_ns", NF_SRC_CLOCK_VALUE },
	{ "local_clock", NF_SRC_CLOCK_VALUE }, { "sched_clock", NF_SRC_CLOCK_VALUE },
	{ "ktime_get_ts64", NF_SRC_CLOCK_ARGUMENT }, { "timer_get_us", NF_SRC_CLOCK_VALUE },
	{ "get_timer", NF_SRC_CLOCK_VALUE }, { "get_timer_us", NF_SRC_CLOCK_VALUE },
	{ "k_cycle_get_32", NF_SRC_CLOCK_VALUE }, { "k_cycle_get_64", NF_SRC_CLOCK_VALUE },
	{ "k_uptime_get", NF_SRC_CLOCK_VALUE }, { "esp_timer_get_time", NF_SRC_CLOCK_VALUE },
	{ "sel4bench_get_cycle_count", NF_SRC_CLOCK_VALUE }, { "HAL_GetTick", NF_SRC_CLOCK_VALUE },
	{ "micros", NF_SRC_CLOCK_VALUE }, { "xTaskGetTickCount", NF_SRC_CLOCK_VALUE },
	/* noisefloor/stamp.h */
	{ "nf_stamp_counter", NF_SRC_CLOCK_VALUE }, { "nf_stamp_take", NF_SRC_CLOCK_MARK },
};

static const char *const registers[] = {
	"cntpct", "CNTPCT", "cntvct", "CNTVCT", "rdtsc", "rdtime", "rdcycle", "pmccntr", "PMCCNTR", NULL,
};

static const struct { const char *name; enum nf_src_print how; } prints[] = {
	/* C */
	{ "printf", NF_SRC_PRINT_CONSOLE }, { "vprintf", NF_SRC_PRINT_CONSOLE }, { "puts", NF_SRC_PRINT_CONSOLE },
	{ "putchar", NF_SRC_PRINT_CONSOLE }, { "perror", NF_SRC_PRINT_CONSOLE },
	{ "fprintf", NF_SRC_PRINT_STREAM }, { "vfprintf", NF_SRC_PRINT_STREAM }, { "fputs", NF_SRC_PRINT_STREAM },
	{ "fputc", NF_SRC_PRINT_STREAM }, { "err", NF_SRC_PRINT_NONE },
	{ "write", NF_SRC_PRINT_DESCRIPTOR }, { "dprintf", NF_SRC_PRINT_DESCRIPTOR },
	{ "vdprintf", NF_SRC_PRINT_DESCRIPTOR }, { "syslog", NF_SRC_PRINT_CONSOLE }, { "vsyslog", NF_SRC_PRINT_CONSOLE },
	/* kernels, boot loaders, bare metal */
	{ "printk", NF_SRC_PRINT_CONSOLE }, { "_printk", NF_SRC_PRINT_CONSOLE }, { "early_printk", NF_SRC_PRINT_CONSOLE },
	{ "prom_printf", NF_SRC_PRINT_CONSOLE }, { "xil_printf", NF_SRC_PRINT_CONSOLE }, { "kprintf", NF_SRC_PRINT_CONSOLE },
	{ "uart_putc", NF_SRC_PRINT_CONSOLE }, { "uart_puts", NF_SRC_PRINT_CONSOLE },
	{ "uart_write", NF_SRC_PRINT_CONSOLE }, { "serial_putc", NF_SRC_PRINT_CONSOLE },
	{ "serial_puts", NF_SRC_PRINT_CONSOLE }, { "console_putc", NF_SRC_PRINT_CONSOLE },
	{ "console_puts", NF_SRC_PRINT_CONSOLE }, { "seL4_DebugPutChar", NF_SRC_PRINT_CONSOLE },
	{ "debug_printf", NF_SRC_PRINT_CONSOLE }, { "LOG", NF_SRC_PRINT_CONSOLE },
};
/* What follows pr_, dev_, netdev_, LOG_ and log_; not debug levels: they are compiled out unless asked for. */
static const char *const families[] = { "pr_", "dev_", "netdev_", "wiphy_", "LOG_", "log_", "ZF_LOG", NULL };
static const char *const levels[] = { "emerg", "alert", "crit", "err", "error", "warn", "warning", "notice", "info",
	"cont", "EMERG", "ALERT", "CRIT", "ERR", "ERROR", "WRN", "WARN", "WARNING", "NOTICE", "INF", "INFO", "PRINTK",
	"E", "W", "I", "F", "FATAL", "fatal", NULL };
/* clang-format on */

static bool is_text(struct nf_src_word w, const char *s)
{
	size_t len = strlen(s);

	return w.len == len && memcmp(w.at, s, len) == 0;
}

enum nf_src_clock nf_src_clock_read(struct nf_src_word w)
{
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (is_text(w, clocks[i].name))
			return clocks[i].how;
	return NF_SRC_CLOCK_NONE;
}

bool nf_src_clock_likely(const char *end_of_word)
{
	const char a = end_of_word[-2], b = end_of_word[-1];

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		const char *last = strchr(clocks[i].name, '\0');

		if (last[-2] == a && last[-1] == b)
			return true;
	}
	return false;
}

bool nf_src_clock_in_asm(const char *text, size_t len)
{
	for (size_t i = 0; registers[i]; i++)
		if (memmem(text, len, registers[i], strlen(registers[i])))
			return true;
	return false;
}

static bool is_level(struct nf_src_word w)
{
	for (size_t i = 0; levels[i]; i++)
		if (is_text(w, levels[i]))
			return true;
	return false;
}

enum nf_src_print nf_src_print_call(struct nf_src_word w)
{
	for (size_t i = 0; i < sizeof(prints) / sizeof(prints[0]); i++)
		if (is_text(w, prints[i].name))
			return prints[i].how;
	for (size_t i = 0; families[i]; i++) {
		size_t len = strlen(families[i]);

		if (w.len > len && memcmp(w.at, families[i], len) == 0 &&
		    is_level((struct nf_src_word){ w.at + len, w.len - len }))
			return NF_SRC_PRINT_CONSOLE;
	}
	return NF_SRC_PRINT_NONE;
}
