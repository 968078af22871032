/* SPDX-License-Identifier: MIT */
#include "job/lab_doctor.h"

#include <asm/termbits.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "nf_scratch.h"
#include "nf_unit.h"

/* A serial port on a pty. What it says comes when the driver's counters are read, which is after what waited was
 * dropped, and after every change of the rate: nothing here waits for another process. */
struct uart {
	int master;
	uint32_t rate; /* of the board; at any other what it says is noise */
	const char *says; /* NULL: nothing */
	uint32_t now;
	struct serial_icounter_struct counters, step;
	struct nf_port_os os;
	struct nf_doctor_opts d;
	struct nf_job_opts o;
	struct nf_job_outcome ret;
	struct nf_rootfs root;
	char folder[128];
};

static void say(const struct uart *u)
{
	char text[400];
	size_t n = u->says ? strlen(u->says) : 0;

	assert_true(n < sizeof(text));
	for (size_t i = 0; i < n; i++)
		text[i] = u->now == u->rate ? u->says[i] : (char)(i % 3 ? 0xff : 0x80);
	for (int i = 0; n && i < 4; i++)
		assert_int_equal(write(u->master, text, n), n);
}

static int play_ioctl(void *ctx, int fd, unsigned long request, void *arg)
{
	struct uart *u = ctx;
	int r;

	if (request == TIOCGICOUNT) {
		*(struct serial_icounter_struct *)arg = u->counters;
		u->counters.frame += u->step.frame;
		u->counters.overrun += u->step.overrun;
		say(u);
		return 0;
	}
	r = ioctl(fd, request, arg);
	if (request == TCSETS2)
		u->now = ((struct termios2 *)arg)->c_ospeed;
	if (request == TCFLSH)
		say(u);
	return r;
}

static int play_flock(void *ctx, int fd, int operation)
{
	(void)ctx;
	return flock(fd, operation);
}

static void make(struct uart *u, const char *says, uint32_t given)
{
	static char name[] = "noisefloor";
	static char *argv[] = { name, NULL };

	*u = (struct uart){ .master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC),
		            .rate = 57600,
		            .says = says };
	assert_true(u->master >= 0);
	assert_int_equal(grantpt(u->master) | unlockpt(u->master), 0);
	assert_int_equal(nf_port_parse(ptsname(u->master), given, &u->d.port, NULL), 0);
	u->d.port.kind = NF_PORT_SERIAL;
	u->d.duration_ns = 10000000;
	u->os = (struct nf_port_os){ play_ioctl, play_flock, u };
	u->d.os = &u->os;
	u->d.root = &u->root;
	u->o = (struct nf_job_opts){ .argc = 1, .argv = argv };
	nf_scratch_make(u->folder, sizeof(u->folder));
	assert_int_equal(nf_rootfs_open(&u->root, u->folder, NULL), 0);
	nf_job_outcome_init(&u->ret);
}

static void examine(struct uart *u)
{
	struct nf_err err = { 0 };

	if (nf_job_doctor(&u->o, &u->d, &u->ret, &err) != 0)
		fail_msg("%s", err.msg);
}

static void shows(const struct uart *u, const char *what)
{
	if (!strstr(u->ret.summary.data, what))
		fail_msg("no '%s' in:\n%s", what, u->ret.summary.data);
}

static void records(const struct uart *u, const char *what)
{
	if (!strstr(u->ret.json.data, what))
		fail_msg("no '%s' in:\n%s", what, u->ret.json.data);
}

static void end(struct uart *u)
{
	nf_job_outcome_fini(&u->ret);
	nf_rootfs_close(&u->root);
	nf_scratch_remove(u->folder);
	close(u->master);
}

static void the_rate_that_was_given_reads_as_text(void **state)
{
	struct uart u;

	(void)state;
	make(&u, "Welcome to Buildroot\r\nbuildroot login: ", 57600);
	examine(&u);
	assert_int_equal(u.ret.exit_code, 0);
	records(&u, "\"rate\": \"as_given\"");
	records(&u, "\"rate_baud\": 57600");
	records(&u, "\"tried\": []");
	shows(&u, "100.0 % of them text");
	shows(&u, "last     buildroot login:");
	end(&u);
}

static void another_rate_is_found_by_trying(void **state)
{
	struct uart u;

	(void)state;
	make(&u, "something is said here\r\n", 115200);
	examine(&u);
	assert_int_equal(u.ret.exit_code, 1);
	records(&u, "\"rate\": \"another\"");
	records(&u, "\"rate_baud\": 57600");
	records(&u, "\"last_line\": null");
	shows(&u, "finding  at 115200 baud it is no text; it is at 57600");
	end(&u);
}

static void noise_at_every_rate_is_said(void **state)
{
	struct uart u;

	(void)state;
	make(&u, "something is said here\r\n", 115200);
	u.rate = 31250;
	examine(&u);
	assert_int_equal(u.ret.exit_code, 1);
	records(&u, "\"rate\": \"none_fits\"");
	records(&u, "\"rate_baud\": null");
	end(&u);
}

static void silence_says_nothing(void **state)
{
	struct uart u;

	(void)state;
	make(&u, NULL, 115200);
	examine(&u);
	assert_int_equal(u.ret.exit_code, 0);
	records(&u, "\"rate\": \"silent\"");
	shows(&u, "advice   nothing came");
	end(&u);
	make(&u, NULL, 115200);
	u.o.strict = true;
	examine(&u);
	assert_int_equal(u.ret.exit_code, 3);
	end(&u);
}

static void what_came_before_is_no_evidence(void **state)
{
	struct uart u;

	(void)state;
	make(&u, NULL, 57600);
	assert_int_equal(write(u.master, "\xff\x80\xff\x80", 4), 4);
	examine(&u);
	assert_int_equal(u.ret.exit_code, 0);
	records(&u, "\"waiting_bytes\": 4");
	records(&u, "\"rate\": \"silent\"");
	end(&u);
}

static void what_spoils_times_is_a_finding_and_has_a_rule(void **state)
{
	struct uart u;
	char cmd[1200];
	const char *name;

	(void)state;
	make(&u, "something is said here\r\n", 57600);
	u.step.frame = 2;
	u.step.overrun = 1;
	name = strrchr(u.d.port.path, '/') + 1;
	snprintf(cmd, sizeof(cmd),
	         "cd %s && mkdir -p sys/class/tty/%s/device dev/serial/by-path && "
	         "echo 16 >sys/class/tty/%s/device/latency_timer && "
	         "ln -s ../../%s dev/serial/by-path/pci-0000:00:14.0-usb-0:2.2:1.0-port0",
	         u.folder, name, name, name);
	assert_int_equal(system(cmd), 0);
	examine(&u);
	assert_int_equal(u.ret.exit_code, 1);
	shows(&u, "for up to 16 ms");
	shows(&u, "udev     " NF_PORT_UDEV_RULE);
	shows(&u, "ENV{ID_PATH}==\"pci-0000:00:14.0-usb-0:2.2:1.0\", SYMLINK+=\"board-NAME\"");
	shows(&u, "finding  bytes came broken");
	shows(&u, "finding  bytes were lost");
	records(&u, "\"frame\": 2");
	end(&u);
}

static void a_port_that_cannot_be_had_is_told_with_what_is_known(void **state)
{
	struct uart u;
	struct nf_err err = { 0 };
	int other;

	(void)state;
	make(&u, NULL, 57600);
	other = open(u.d.port.path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_int_equal(flock(other, LOCK_EX), 0);
	examine(&u);
	assert_int_equal(u.ret.exit_code, 5);
	shows(&u, "is held by");
	records(&u, "\"listened\": null");
	close(other);
	strcpy(u.d.port.path, "/dev/nf-no-such-port");
	assert_int_equal(nf_job_doctor(&u.o, &u.d, &u.ret, &err), -NF_EARG);
	end(&u);
}

static void a_signal_ends_it_without_a_record(void **state)
{
	struct nf_stop stop = { .signo = SIGTERM };
	struct uart u;

	(void)state;
	make(&u, "something is said here\r\n", 57600);
	u.o.stop = &stop;
	u.d.duration_ns = INT64_C(3600) * 1000000000;
	examine(&u);
	assert_int_equal(u.ret.exit_code, 143);
	assert_int_equal(u.ret.json.len_bytes, 0);
	end(&u);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_rate_that_was_given_reads_as_text),
	cmocka_unit_test(another_rate_is_found_by_trying),
	cmocka_unit_test(noise_at_every_rate_is_said),
	cmocka_unit_test(silence_says_nothing),
	cmocka_unit_test(what_came_before_is_no_evidence),
	cmocka_unit_test(what_spoils_times_is_a_finding_and_has_a_rule),
	cmocka_unit_test(a_port_that_cannot_be_had_is_told_with_what_is_known),
	cmocka_unit_test(a_signal_ends_it_without_a_record),
};
NF_UNIT_MAIN(tests)
