/* SPDX-License-Identifier: MIT */
#include "board/power.h"

#include <sys/ioctl.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <linux/hidraw.h>

#include "nf_scratch.h"
#include "nf_unit.h"

#include "fake_monitor.h"

enum { SCRATCH = 80 };

/* Hardware that a test plays: what was sent to it, and what it answers. */
struct fake {
	int open_errno;
	int errno_of_ioctl;
	unsigned vendor, product;
	unsigned char bits; /* HID: contacts; GPIO: the line's value */
	bool stuck; /* takes orders and does nothing */
	int short_report; /* bytes of a report read; 0: nine */
	bool used; /* GPIO: the line is held */
	uint64_t flags; /* GPIO: of the last request */
	unsigned n_requests, n_sets;
};

static int fake_open(void *ctx, const char *path, int flags)
{
	const struct fake *f = ctx;

	(void)path;
	(void)flags;
	if (f->open_errno) {
		errno = f->open_errno;
		return -1;
	}
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

static int hid_report(struct fake *f, unsigned long request, unsigned char *report)
{
	if (_IOC_NR(request) == _IOC_NR(HIDIOCSFEATURE(9))) {
		unsigned char bit = (unsigned char)(1 << (report[2] - 1));

		f->n_sets++;
		if (!f->stuck)
			f->bits =
			        (unsigned char)(report[1] == 0xff ? f->bits | bit : f->bits & ~bit);
		return 9;
	}
	memset(report, 0, 9);
	report[0] = 1;
	report[f->short_report == 8 ? 7 : 8] = f->bits;
	return f->short_report ? f->short_report : 9;
}

static int gpio_request(struct fake *f, struct gpio_v2_line_request *req)
{
	f->n_requests++;
	f->flags = req->config.flags;
	f->bits = (unsigned char)(req->config.attrs[0].attr.values & 1);
	req->fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	return 0;
}

static int fake_ioctl(void *ctx, int fd, unsigned long request, void *arg)
{
	struct fake *f = ctx;

	(void)fd;
	if (f->errno_of_ioctl) {
		errno = f->errno_of_ioctl;
		return -1;
	}
	if (request == HIDIOCGRAWINFO) {
		*(struct hidraw_devinfo *)arg =
		        (struct hidraw_devinfo){ .vendor = (short)f->vendor,
			                         .product = (short)f->product };
		return 0;
	}
	if (request == GPIO_V2_GET_LINEINFO_IOCTL) {
		struct gpio_v2_line_info *info = arg;

		info->flags = f->used ? GPIO_V2_LINE_FLAG_USED : 0;
		strcpy(info->consumer, "fan\033[2J");
		return 0;
	}
	if (request == GPIO_V2_GET_LINE_IOCTL)
		return gpio_request(f, arg);
	if (request == GPIO_V2_LINE_SET_VALUES_IOCTL) {
		f->n_sets++;
		f->bits = ((struct gpio_v2_line_values *)arg)->bits & 1;
		return 0;
	}
	if (request == GPIO_V2_LINE_GET_VALUES_IOCTL) {
		((struct gpio_v2_line_values *)arg)->bits = f->bits;
		return 0;
	}
	return hid_report(f, request, arg);
}

static struct nf_power_os play(struct fake *f)
{
	return (struct nf_power_os){ .open = fake_open, .ioctl = fake_ioctl, .ctx = f };
}

static const struct nf_power_spec hid = { .driver = NF_POWER_HID,
	                                  .path = "/dev/hidraw0",
	                                  .channel = 3 };
static const struct nf_power_spec gpio = { .driver = NF_POWER_GPIO,
	                                   .path = "gpiochip0",
	                                   .channel = 17 };

static enum nf_power_state state_of(struct nf_power *p)
{
	struct nf_err err = { 0 };
	enum nf_power_state state;

	if (nf_power_status(p, &state, &err) < 0)
		fail_msg("%s", err.msg);
	return state;
}

static void must_set(struct nf_power *p, bool on)
{
	struct nf_err err = { 0 };

	if (nf_power_set(p, on, &err) < 0)
		fail_msg("%s", err.msg);
}

static void must_open(struct nf_power *p, const struct nf_power_spec *spec,
                      const struct nf_power_os *os)
{
	struct nf_err err = { 0 };

	if (nf_power_open(p, spec, os, &err) < 0)
		fail_msg("%s", err.msg);
}

static void open_fails(const struct nf_power_spec *spec, const struct nf_power_os *os, int code,
                       const char *what)
{
	struct nf_power p = { .fd = -1 };
	struct nf_err err = { 0 };
	int r = nf_power_open(&p, spec, os, &err);

	if (r != code || !strstr(err.msg, what))
		fail_msg("got '%s' (%d), want '%s' (%d)", err.msg, r, what, code);
	assert_null(strchr(err.msg, '\033'));
	assert_int_equal(p.fd, -1);
}

static void drivers_are_found_by_name(void **state)
{
	(void)state;
	for (int i = 0; i < NF_POWER_N_DRIVERS; i++)
		assert_int_equal(nf_power_find(nf_power_rows[i]->name), i);
	assert_int_equal(nf_power_find("relay"), NF_POWER_N_DRIVERS);
	assert_int_equal(nf_power_find(""), NF_POWER_N_DRIVERS);
}

static void a_key_of_another_driver_is_refused(void **state)
{
	static const char *const argv[] = { "true", NULL };
	const struct {
		struct nf_power_spec spec;
		const char *what;
	} row[] = {
		{ { .driver = NF_POWER_HID, .path = "/dev/hidraw0", .channel = 1, .on = argv },
		  "does not take on" },
		{ { .driver = NF_POWER_QMP, .path = "q", .active_low = true },
		  "does not take active_low" },
		{ { .driver = NF_POWER_COMMAND, .on = argv, .off = argv, .path = "x" },
		  "does not take path" },
		{ { .driver = NF_POWER_HID, .path = "/dev/hidraw0" }, "1 to 8" },
		{ { .driver = NF_POWER_HID, .path = "/dev/hidraw0", .channel = 9 }, "1 to 8" },
		{ { .driver = NF_POWER_HID, .channel = 9 }, "needs by_path" },
		{ { .driver = NF_POWER_LCUS, .path = "/dev/ttyUSB0", .channel = 17 }, "1 to 16" },
		{ { .driver = NF_POWER_LCUS, .channel = 1 }, "needs by_path" },
		{ { .driver = NF_POWER_GPIO, .path = "gpiochip0", .channel = 1024 }, "0 to 1023" },
		{ { .driver = NF_POWER_GPIO }, "needs chip" },
		{ { .driver = NF_POWER_QMP }, "needs socket" },
		{ { .driver = NF_POWER_COMMAND, .on = argv }, "needs off" },
		{ { .driver = NF_POWER_COMMAND, .off = argv }, "needs on" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct nf_err err = { 0 };

		assert_int_equal(nf_power_check(&row[i].spec, &err), -NF_EARG);
		if (!strstr(err.msg, row[i].what))
			fail_msg("got '%s', want '%s'", err.msg, row[i].what);
	}
}

static void a_hid_relay_switches_its_channel_alone(void **state)
{
	struct fake f = { .vendor = 0x16c0, .product = 0x05df, .bits = 0x41 };
	struct nf_power_os os = play(&f);
	struct nf_power p;

	(void)state;
	must_open(&p, &hid, &os);
	assert_int_equal(f.n_sets, 0);
	assert_int_equal(state_of(&p), NF_POWER_OFF);
	must_set(&p, true);
	assert_int_equal(f.bits, 0x45);
	assert_int_equal(state_of(&p), NF_POWER_ON);
	f.short_report = 8;
	assert_int_equal(state_of(&p), NF_POWER_ON);
	must_set(&p, false);
	assert_int_equal(f.bits, 0x41);
	nf_power_close(&p);
	nf_power_close(&p);
}

static void a_hid_relay_that_does_not_do_it_is_told(void **state)
{
	struct fake f = { .vendor = 0x16c0, .product = 0x05df, .stuck = true };
	struct nf_power_os os = play(&f);
	struct nf_power p;
	struct nf_err err = { 0 };

	(void)state;
	must_open(&p, &hid, &os);
	assert_int_equal(nf_power_set(&p, true, &err), -NF_ESUBJECT);
	assert_string_equal(err.msg, "the relay says that channel 3 is still off");
	f.errno_of_ioctl = EIO;
	assert_int_equal(nf_power_set(&p, true, &err), -NF_ESUBJECT);
	enum nf_power_state untouched = NF_POWER_ON;
	assert_int_equal(nf_power_status(&p, &untouched, &err), -NF_ESUBJECT);
	f.errno_of_ioctl = 0;
	f.short_report = 3;
	assert_int_equal(nf_power_status(&p, &untouched, &err), -NF_ESUBJECT);
	assert_int_equal(untouched, NF_POWER_ON);
	nf_power_close(&p);
}

static void what_is_no_relay_is_refused(void **state)
{
	struct fake f = { .vendor = 0x046d, .product = 0xc31c };
	struct nf_power_os os = play(&f);

	(void)state;
	open_fails(&hid, &os, -NF_EARG, "046d:c31c; allowed: a relay, 16c0:05df");
	f.errno_of_ioctl = ENOTTY;
	open_fails(&hid, &os, -NF_EARG, "no HID device");
	f.open_errno = ENOENT;
	open_fails(&hid, &os, -NF_EARG, "No such file");
	open_fails(&gpio, &os, -NF_EARG, "No such file");
}

static void a_gpio_line_is_not_touched_before_it_is_set(void **state)
{
	struct fake f = { .bits = 1 };
	struct nf_power_os os = play(&f);
	struct nf_power p;

	(void)state;
	must_open(&p, &gpio, &os);
	assert_int_equal(state_of(&p), NF_POWER_UNKNOWN);
	assert_int_equal(f.n_requests, 0);
	must_set(&p, false);
	assert_int_equal(f.n_requests, 1);
	assert_int_equal(f.bits, 0);
	assert_true(f.flags & GPIO_V2_LINE_FLAG_OUTPUT);
	assert_false(f.flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW);
	must_set(&p, true);
	assert_int_equal(f.n_requests, 1);
	assert_int_equal(f.n_sets, 1);
	assert_int_equal(state_of(&p), NF_POWER_ON);
	nf_power_close(&p);
}

static void a_gpio_line_may_be_active_low_or_held_by_another(void **state)
{
	struct nf_power_spec low = gpio;
	struct fake f = { 0 };
	struct nf_power_os os = play(&f);
	struct nf_power p;

	(void)state;
	low.active_low = true;
	must_open(&p, &low, &os);
	must_set(&p, true);
	assert_true(f.flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW);
	assert_int_equal(f.bits, 1);
	nf_power_close(&p);
	f.used = true;
	open_fails(&gpio, &os, -NF_ESUBJECT, "held by 'fan\\x1b[2J'");
}

static void commands_switch_and_say_the_state(void **state)
{
	char dir[SCRATCH], file[SCRATCH + 16];
	struct nf_power p;
	enum nf_power_state s;
	struct nf_err err = { 0 };

	(void)state;
	nf_scratch_make(dir, sizeof(dir));
	snprintf(file, sizeof(file), "%s/power", dir);
	const char *on[] = { "sh", "-c", "echo On >\"$0\"", file, NULL };
	const char *off[] = { "sh", "-c", "echo OFF, at last >\"$0\"", file, NULL };
	const char *status[] = { "cat", file, NULL };
	struct nf_power_spec spec = {
		.driver = NF_POWER_COMMAND, .on = on, .off = off, .status = status
	};
	must_open(&p, &spec, NULL);
	assert_int_equal(nf_power_status(&p, &s, &err), -NF_ESUBJECT);
	assert_non_null(strstr(err.msg, "power command `status`: exit status 1"));
	must_set(&p, true);
	assert_int_equal(state_of(&p), NF_POWER_ON);
	must_set(&p, false);
	assert_int_equal(state_of(&p), NF_POWER_OFF);
	nf_power_close(&p);
	spec.status = NULL;
	must_open(&p, &spec, NULL);
	assert_int_equal(state_of(&p), NF_POWER_UNKNOWN);
	nf_power_close(&p);
	nf_scratch_remove(dir);
}

static void a_command_that_fails_is_told_in_one_clean_line(void **state)
{
	static const char *const bad[] = { "sh", "-c", "printf 'no \\033]0;x\\007\\nrelay'; exit 7",
		                           NULL };
	static const char *const killed[] = { "sh", "-c", "kill -9 $$", NULL };
	static const char *const odd[] = { "echo", "perhaps", NULL };
	struct nf_power_spec spec = {
		.driver = NF_POWER_COMMAND, .on = bad, .off = killed, .status = odd
	};
	struct nf_power p;
	struct nf_err err = { 0 };
	enum nf_power_state s;

	(void)state;
	must_open(&p, &spec, NULL);
	assert_int_equal(nf_power_set(&p, true, &err), -NF_ESUBJECT);
	assert_string_equal(err.msg,
	                    "power command `on`: exit status 7, 'no \\x1b]0;x\\x07\\x0arelay'");
	assert_int_equal(nf_power_set(&p, false, &err), -NF_ESUBJECT);
	assert_string_equal(err.msg, "power command `off`: signal 9");
	assert_int_equal(nf_power_status(&p, &s, &err), -NF_ESUBJECT);
	assert_non_null(strstr(err.msg, "said 'perhaps"));
	nf_power_close(&p);
}

static void a_command_that_is_not_there_is_refused_before(void **state)
{
	static const char *const none[] = { "no-such-relay-tool", NULL };
	static const char *const folder[] = { "/tmp/no/such", NULL };
	static const char *const empty[] = { NULL };
	static const char *const good[] = { "true", NULL };
	static const char path[] = "/nonexistent::/usr/bin:/bin";

	(void)state;
	open_fails(
	        &(struct nf_power_spec){
	                .driver = NF_POWER_COMMAND, .on = none, .off = good, .search = path },
	        NULL, -NF_EARG, "power on: command 'no-such-relay-tool' is not found");
	open_fails(
	        &(struct nf_power_spec){
	                .driver = NF_POWER_COMMAND, .on = good, .off = folder, .search = path },
	        NULL, -NF_EARG, "power off: command '/tmp/no/such'");
	open_fails(
	        &(struct nf_power_spec){
	                .driver = NF_POWER_COMMAND, .on = good, .off = empty, .search = path },
	        NULL, -NF_EARG, "needs off");
}

/* A pty whose other end keeps what came. */
static void a_serial_relay_gets_its_four_bytes(void **state)
{
	static const struct {
		unsigned channel;
		bool on;
		unsigned char frame[4];
	} row[] = {
		{ 1, true, { 0xa0, 1, 1, 0xa2 } },
		{ 1, false, { 0xa0, 1, 0, 0xa1 } },
		{ 16, true, { 0xa0, 16, 1, 0xb1 } },
	};
	char name[64], path[80];

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		unsigned char got[8];
		struct nf_power p;
		int pty = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

		assert_true(pty >= 0);
		assert_int_equal(grantpt(pty), 0);
		assert_int_equal(unlockpt(pty), 0);
		assert_int_equal(ptsname_r(pty, name, sizeof(name)), 0);
		snprintf(path, sizeof(path), "pty:%s", name);
		must_open(&p,
		          &(struct nf_power_spec){ .driver = NF_POWER_LCUS,
		                                   .path = path,
		                                   .channel = row[i].channel },
		          NULL);
		assert_int_equal(state_of(&p), NF_POWER_UNKNOWN);
		must_set(&p, row[i].on);
		assert_int_equal(read(pty, got, sizeof(got)), 4);
		assert_memory_equal(got, row[i].frame, 4);
		assert_int_equal(state_of(&p), NF_POWER_UNKNOWN);
		nf_power_close(&p);
		close(pty);
	}
	open_fails(&(struct nf_power_spec){ .driver = NF_POWER_LCUS,
	                                    .path = "/nonexistent/tty",
	                                    .channel = 1 },
	           NULL, -NF_EARG, "/nonexistent/tty");
}

struct machine {
	char dir[SCRATCH];
	char path[SCRATCH + 16];
	char log[SCRATCH + 16];
	pid_t pid;
};

static void machine_start(struct machine *m, enum fake_monitor_kind kind)
{
	nf_scratch_make(m->dir, sizeof(m->dir));
	snprintf(m->path, sizeof(m->path), "%s/qmp", m->dir);
	snprintf(m->log, sizeof(m->log), "%s/log", m->dir);
	m->pid = fake_monitor_start(m->path, m->log, kind);
}

static void machine_stop(struct machine *m)
{
	fake_monitor_stop(m->pid);
	nf_scratch_remove(m->dir);
}

static void a_machine_is_reset_while_it_stands(void **state)
{
	struct machine m;
	struct nf_power p;
	char line[128];

	(void)state;
	machine_start(&m, FAKE_MONITOR_GOOD);
	must_open(&p, &(struct nf_power_spec){ .driver = NF_POWER_QMP, .path = m.path }, NULL);
	assert_int_equal(state_of(&p), NF_POWER_OFF);
	must_set(&p, true);
	assert_int_equal(state_of(&p), NF_POWER_ON);
	must_set(&p, false);
	assert_int_equal(state_of(&p), NF_POWER_OFF);
	nf_power_close(&p);
	static const char *const want[] = { "query-status", "cont",         "query-status",
		                            "stop",         "system_reset", "query-status" };
	size_t n = 0;
	FILE *f = fopen(m.log, "r");
	while (fgets(line, sizeof(line), f))
		if (!strstr(line, "qmp_capabilities")) {
			assert_true(n < 6);
			assert_non_null(strstr(line, want[n++]));
		}
	assert_int_equal(n, 6);
	fclose(f);
	machine_stop(&m);
}

static void a_monitor_that_is_none_or_refuses_is_told(void **state)
{
	static const struct {
		enum fake_monitor_kind kind;
		const char *what;
	} row[] = {
		{ FAKE_MONITOR_STRANGER, "no QEMU monitor" },
		{ FAKE_MONITOR_ENDLESS, "too long" },
		{ FAKE_MONITOR_CLOSES,
		  "QEMU" }, /* closed, or takes nothing: whichever shows first */
	};
	struct machine m;

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		machine_start(&m, row[i].kind);
		open_fails(&(struct nf_power_spec){ .driver = NF_POWER_QMP, .path = m.path }, NULL,
		           -NF_ESUBJECT, row[i].what);
		machine_stop(&m);
	}
	machine_start(&m, FAKE_MONITOR_REFUSES);
	struct nf_power p;
	struct nf_err err = { 0 };
	must_open(&p, &(struct nf_power_spec){ .driver = NF_POWER_QMP, .path = m.path }, NULL);
	assert_int_equal(nf_power_set(&p, true, &err), -NF_ESUBJECT);
	assert_string_equal(err.msg, "QEMU refuses cont: 'no \\x1b[31m way'");
	nf_power_close(&p);
	machine_stop(&m);
	open_fails(&(struct nf_power_spec){ .driver = NF_POWER_QMP, .path = "/nonexistent/qmp" },
	           NULL, -NF_ESUBJECT, "No such file");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(drivers_are_found_by_name),
	cmocka_unit_test(a_key_of_another_driver_is_refused),
	cmocka_unit_test(a_hid_relay_switches_its_channel_alone),
	cmocka_unit_test(a_hid_relay_that_does_not_do_it_is_told),
	cmocka_unit_test(what_is_no_relay_is_refused),
	cmocka_unit_test(a_gpio_line_is_not_touched_before_it_is_set),
	cmocka_unit_test(a_gpio_line_may_be_active_low_or_held_by_another),
	cmocka_unit_test(commands_switch_and_say_the_state),
	cmocka_unit_test(a_command_that_fails_is_told_in_one_clean_line),
	cmocka_unit_test(a_command_that_is_not_there_is_refused_before),
	cmocka_unit_test(a_serial_relay_gets_its_four_bytes),
	cmocka_unit_test(a_machine_is_reset_while_it_stands),
	cmocka_unit_test(a_monitor_that_is_none_or_refuses_is_told),
};

NF_UNIT_MAIN(tests)
