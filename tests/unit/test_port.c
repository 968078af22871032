/* SPDX-License-Identifier: MIT */
#include "board/port.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "host_tree.h"
#include "nf_scratch.h"
#include "nf_unit.h"

static void ports_are_told_by_their_words(void **state)
{
	static const struct {
		const char *text;
		enum nf_port_kind kind;
		const char *path, *service;
	} good[] = {
		{ "/dev/ttyUSB0", NF_PORT_SERIAL, "/dev/ttyUSB0", "" },
		{ "device:/dev/x", NF_PORT_SERIAL, "/dev/x", "" },
		{ "device:rel/x", NF_PORT_SERIAL, "rel/x", "" },
		{ "by_path:a:b", NF_PORT_SERIAL, "/dev/serial/by-path/a:b", "" },
		{ "by_id:usb", NF_PORT_SERIAL, "/dev/serial/by-id/usb", "" },
		{ "pty:link", NF_PORT_PTY, "link", "" },
		{ "/dev/pts/3", NF_PORT_PTY, "/dev/pts/3", "" },
		{ "unix:a.sock", NF_PORT_UNIX, "a.sock", "" },
		{ "tcp:host:22", NF_PORT_TCP, "host", "22" },
		{ "tcp:[fe80::1]:telnet", NF_PORT_TCP, "fe80::1", "telnet" },
	};
	static const char *const bad[] = { "",
		                           "ttyUSB0",
		                           "device:",
		                           "unix:",
		                           "tcp:host",
		                           "tcp::22",
		                           "tcp:host:",
		                           "tcp:a:b:22",
		                           "tcp:[]:22",
		                           "board.yaml",
		                           "serial:/dev/x",
		                           "tcp:host:0",
		                           "tcp:host:65536",
		                           "tcp:host:99999999999" };
	struct nf_port_spec s = { .path = "untouched" };
	char text[400] = "unix:";

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(nf_port_parse(good[i].text, 9600, &s, NULL), 0);
		assert_int_equal(s.kind, good[i].kind);
		assert_string_equal(s.path, good[i].path);
		assert_string_equal(s.service, good[i].service);
		assert_int_equal(s.baud, s.kind <= NF_PORT_PTY ? 9600 : 0);
	}
	strcpy(s.path, "untouched");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct nf_err err = { 0 };

		assert_int_equal(nf_port_parse(bad[i], 9600, &s, &err), -NF_EARG);
		assert_non_null(strstr(err.msg, "allowed"));
	}
	memset(text + 5, 'x', 300);
	assert_int_equal(nf_port_parse(text, 9600, &s, NULL), -NF_EARG);
	assert_string_equal(s.path, "untouched");
	assert_string_equal(nf_port_kind_name(NF_PORT_TCP), "tcp");
}

/* --- a pty --- */

struct pty {
	int master;
	struct nf_port_spec spec;
};

static struct pty make_pty(void)
{
	struct pty p = { .master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC) };

	assert_true(p.master >= 0);
	assert_int_equal(grantpt(p.master) | unlockpt(p.master), 0);
	assert_int_equal(nf_port_parse(ptsname(p.master), 115200, &p.spec, NULL), 0);
	return p;
}

static size_t read_some(struct nf_port *port, char *ret, size_t size)
{
	size_t n = 0;

	for (int i = 0; i < 60000 && n == 0; i++) {
		assert_int_equal(nf_port_read(port, ret, size, &n, NULL), 0);
		if (n == 0)
			usleep(1000);
	}
	return n;
}

static void a_pty_gives_bytes_as_they_are(void **state)
{
	static const char sent[] = "a\r\n\x03\x04\x11\x13\x00\xff";
	struct pty p = make_pty();
	struct nf_port port;
	char got[64];
	size_t n = 0;

	(void)state;
	assert_int_equal(nf_port_open(&port, &p.spec, NULL, NULL, NULL), 0);
	assert_int_equal(port.facts.kind, NF_PORT_PTY);
	assert_int_equal(port.facts.baud, 115200);
	assert_true(port.facts.delay_ns > 0);
	assert_int_equal(nf_port_read(&port, got, sizeof(got), &n, NULL), 0);
	assert_int_equal(n, 0);
	assert_int_equal(write(p.master, sent, sizeof(sent) - 1), sizeof(sent) - 1);
	assert_int_equal(read_some(&port, got, sizeof(got)), sizeof(sent) - 1);
	assert_memory_equal(got, sent, sizeof(sent) - 1);
	assert_int_equal(nf_port_write(&port, sent, sizeof(sent) - 1, 100, NULL), 0);
	assert_int_equal(read(p.master, got, sizeof(got)), sizeof(sent) - 1);
	assert_memory_equal(got, sent, sizeof(sent) - 1);
	nf_port_close(&port);
	assert_int_equal(port.fd, -1);
	nf_port_close(&port);
	close(p.master);
}

static void its_settings_are_put_back(void **state)
{
	struct pty p = make_pty();
	struct termios2 before, during, after;
	struct nf_port port;
	int other = open(p.spec.path, O_RDWR | O_NOCTTY | O_CLOEXEC);

	(void)state;
	assert_true(other >= 0);
	assert_int_equal(ioctl(other, TCGETS2, &before), 0);
	p.spec.baud = 1234567;
	assert_int_equal(nf_port_open(&port, &p.spec, NULL, NULL, NULL), 0);
	assert_int_equal(port.facts.baud, 1234567);
	assert_int_equal(ioctl(other, TCGETS2, &during), 0);
	assert_int_equal(during.c_lflag | during.c_iflag | during.c_oflag, 0);
	assert_int_equal(during.c_cc[VMIN], 1);
	assert_int_equal(during.c_cc[VTIME], 0);
	nf_port_close(&port);
	assert_int_equal(ioctl(other, TCGETS2, &after), 0);
	assert_memory_equal(&before, &after, sizeof(before));
	/* and others may open it again */
	int third = open(p.spec.path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(third >= 0);
	close(third);
	close(other);
	close(p.master);
}

static void a_second_one_is_told_who_holds_it(void **state)
{
	struct pty p = make_pty();
	struct nf_port port, second = { .fd = -7 };
	struct nf_rootfs root;
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(nf_rootfs_open(&root, NULL, NULL), 0);
	assert_int_equal(nf_port_open(&port, &p.spec, NULL, NULL, NULL), 0);
	assert_int_equal(nf_port_open(&second, &p.spec, &root, NULL, &err), -NF_ESUBJECT);
	assert_int_equal(second.fd, -7);
	assert_non_null(strstr(err.msg, "is held by"));
	if (geteuid() ==
	    0) { /* passes TIOCEXCL and meets the lock, whose owner /proc/locks names */
		char who[32], comm[32] = "";

		nf_scratch_read("/proc/self/comm", comm, sizeof(comm));
		comm[strcspn(comm, "\n")] = '\0';
		snprintf(who, sizeof(who), "(process %d)", (int)getpid());
		assert_non_null(strstr(err.msg, who));
		assert_non_null(strstr(err.msg, comm));
	}
	nf_port_close(&port);
	assert_int_equal(nf_port_open(&second, &p.spec, &root, NULL, NULL), 0);
	nf_port_close(&second);
	nf_rootfs_close(&root);
	close(p.master);
}

static void a_port_that_goes_is_told(void **state)
{
	struct pty p = make_pty();
	struct nf_port port;
	struct nf_err err = { 0 };
	char got[8];
	size_t n = 77;

	(void)state;
	assert_int_equal(nf_port_open(&port, &p.spec, NULL, NULL, NULL), 0);
	close(p.master);
	assert_int_equal(nf_port_read(&port, got, sizeof(got), &n, &err), -NF_ESUBJECT);
	assert_int_equal(n, 77);
	assert_non_null(strstr(err.msg, "gone"));
	err = (struct nf_err){ 0 };
	assert_int_equal(nf_port_write(&port, "x", 1, 10, &err), -NF_ESUBJECT);
	nf_port_close(&port);
}

static void a_port_that_takes_nothing_times_out(void **state)
{
	static char much[1 << 18];
	struct pty p = make_pty();
	struct nf_port port;
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(nf_port_open(&port, &p.spec, NULL, NULL, NULL), 0);
	assert_int_equal(nf_port_write(&port, much, sizeof(much), 20, &err), -NF_ETIMEOUT);
	assert_non_null(strstr(err.msg, "20 ms"));
	nf_port_close(&port);
	close(p.master);
}

static void what_is_no_port_is_refused(void **state)
{
	char folder[128], path[200];
	struct nf_port_spec s = { .kind = NF_PORT_SERIAL, .baud = 9600 };
	struct nf_port port = { .fd = -7 };
	struct nf_err err = { 0 };

	(void)state;
	nf_scratch_make(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
	nf_scratch_write(path, "x");
	snprintf(s.path, sizeof(s.path), "%s", path);
	assert_int_equal(nf_port_open(&port, &s, NULL, NULL, &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "no terminal"));
	snprintf(s.path, sizeof(s.path), "/dev/null");
	assert_int_equal(nf_port_open(&port, &s, NULL, NULL, NULL), -NF_EARG);
	snprintf(s.path, sizeof(s.path), "%.120s/none", folder);
	assert_int_equal(nf_port_open(&port, &s, NULL, NULL, &err), -NF_EARG);
	s.kind = NF_PORT_UNIX;
	assert_int_equal(nf_port_open(&port, &s, NULL, NULL, &err), -NF_ESUBJECT);
	assert_non_null(strstr(err.msg, "nobody listens"));
	struct pty p = make_pty();
	p.spec.baud = 0;
	assert_int_equal(nf_port_open(&port, &p.spec, NULL, NULL, &err), -NF_EARG);
	close(p.master);
	assert_int_equal(port.fd, -7);
	nf_scratch_remove(folder);
}

static void a_unix_socket_is_a_port(void **state)
{
	char folder[128], got[8];
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct nf_port_spec s = { .kind = NF_PORT_UNIX };
	struct nf_port port;
	struct nf_port_errors errors = { .known = true };
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), peer;

	(void)state;
	nf_scratch_make(folder, sizeof(folder));
	snprintf(at.sun_path, sizeof(at.sun_path), "%.80s/sock", folder);
	snprintf(s.path, sizeof(s.path), "%s", at.sun_path);
	assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(nf_port_open(&port, &s, NULL, NULL, NULL), 0);
	peer = accept(listener, NULL, NULL);
	assert_int_equal(write(peer, "hi", 2), 2);
	assert_int_equal(read_some(&port, got, sizeof(got)), 2);
	assert_true(port.facts.delay_ns == -1);
	nf_port_read_errors(&port, &errors);
	assert_false(errors.known);
	close(peer);
	size_t n;
	assert_int_equal(nf_port_read(&port, got, sizeof(got), &n, NULL), -NF_ESUBJECT);
	nf_port_close(&port);
	close(listener);
	nf_scratch_remove(folder);
}

/* --- a real serial port, played --- */

struct played {
	struct serial_icounter_struct counters;
	unsigned rate; /* what it can run at; 0: any */
	int lock_errno;
};

static int play_ioctl(void *ctx, int fd, unsigned long request, void *arg)
{
	struct played *p = ctx;

	if (request == TIOCGICOUNT) {
		*(struct serial_icounter_struct *)arg = p->counters;
		return 0;
	}
	if (request == TIOCMGET) {
		*(int *)arg = TIOCM_CAR | TIOCM_CTS;
		return 0;
	}
	int r = ioctl(fd, request, arg);
	if (request == TCGETS2 && p->rate)
		((struct termios2 *)arg)->c_ospeed = p->rate;
	return r;
}

static int play_flock(void *ctx, int fd, int operation)
{
	struct played *p = ctx;

	if (!p->lock_errno)
		return flock(fd, operation);
	errno = p->lock_errno;
	return -1;
}

static void counters_and_lines_of_a_serial_port_are_read(void **state)
{
	struct played played = { .counters = { .overrun = 3, .frame = 2, .brk = 1, .rx = 99 } };
	struct nf_port_os os = { play_ioctl, play_flock, &played };
	struct pty p = make_pty();
	struct nf_port port;
	struct nf_port_errors e;

	(void)state;
	p.spec.kind = NF_PORT_SERIAL;
	assert_int_equal(nf_port_open(&port, &p.spec, NULL, &os, NULL), 0);
	assert_true(port.facts.modem_known && port.facts.dcd && port.facts.cts && !port.facts.dsr);
	nf_port_read_errors(&port, &e);
	assert_true(e.known && e.overrun == 3 && e.frame == 2 && e.brk == 1 && e.rx == 99);
	nf_port_close(&port);
	close(p.master);
}

static void a_rate_that_the_driver_has_not_is_refused(void **state)
{
	struct played played = { .rate = 9600 };
	struct nf_port_os os = { play_ioctl, play_flock, &played };
	struct pty p = make_pty();
	struct nf_port port = { .fd = -7 };
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(nf_port_open(&port, &p.spec, NULL, &os, &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "9600"));
	assert_int_equal(port.fd, -7);
	played.rate = 115000; /* within what a UART tolerates */
	assert_int_equal(nf_port_open(&port, &p.spec, NULL, &os, NULL), 0);
	assert_int_equal(port.facts.baud, 115000);
	nf_port_close(&port);
	played.lock_errno = ENOLCK;
	assert_int_equal(nf_port_open(&port, &p.spec, NULL, &os, &err), -NF_EOS);
	assert_int_equal(err.os_errno, ENOLCK);
	close(p.master);
}

/* /sys as an FTDI adapter, a 16550 and an adapter that says nothing show it. */
static void tty(const char *root, const char *name, const char *driver, const char *bus)
{
	char cmd[1000];

	snprintf(cmd, sizeof(cmd),
	         "cd %s && mkdir -p sys/class/tty/%s/device sys/drivers/%s sys/bus/%s && "
	         "ln -s /sys/drivers/%s sys/class/tty/%s/device/driver && "
	         "ln -s /sys/bus/%s sys/class/tty/%s/device/subsystem",
	         root, name, driver, bus, driver, name, bus, name);
	assert_int_equal(system(cmd), 0);
}

static void the_delay_of_a_port_is_what_its_driver_says(void **state)
{
	struct played played = { 0 };
	struct nf_port_os os = { play_ioctl, play_flock, &played };
	char folder[128], path[300], cmd[600];
	struct nf_rootfs root;
	struct nf_port port;
	struct pty p = make_pty();
	const char *name = strrchr(p.spec.path, '/') + 1;

	(void)state;
	nf_scratch_make(folder, sizeof(folder));
	assert_int_equal(nf_rootfs_open(&root, folder, NULL), 0);
	p.spec.kind = NF_PORT_SERIAL;
	/* Nothing is known. */
	assert_int_equal(nf_port_open(&port, &p.spec, &root, &os, NULL), 0);
	assert_true(port.facts.delay_ns == -1 && port.facts.latency_timer_ms == -1);
	assert_string_equal(port.facts.driver, "");
	nf_port_close(&port);
	/* FTDI, with a name by path. */
	tty(folder, name, "ftdi_sio", "usb-serial");
	snprintf(path, sizeof(path), "%s/sys/class/tty/%s/device/latency_timer", folder, name);
	nf_scratch_write(path, "16\n");
	snprintf(cmd, sizeof(cmd),
	         "cd %s && mkdir -p dev/serial/by-path && ln -s ../../%s "
	         "dev/serial/by-path/pci-1-port0",
	         folder, name);
	assert_int_equal(system(cmd), 0);
	assert_int_equal(nf_port_open(&port, &p.spec, &root, &os, NULL), 0);
	assert_string_equal(port.facts.driver, "ftdi_sio");
	assert_string_equal(port.facts.by_path, "pci-1-port0");
	assert_string_equal(port.facts.by_id, "");
	assert_int_equal(port.facts.latency_timer_ms, 16);
	assert_true(port.facts.delay_ns == 17000000);
	nf_port_close(&port);
	/* A 16550 with its trigger level at 8 bytes. */
	snprintf(cmd, sizeof(cmd), "rm -rf %s/sys", folder);
	assert_int_equal(system(cmd), 0);
	tty(folder, name, "serial8250", "pnp");
	snprintf(path, sizeof(path), "%s/sys/class/tty/%s/rx_trig_bytes", folder, name);
	nf_scratch_write(path, "8\n");
	assert_int_equal(nf_port_open(&port, &p.spec, &root, &os, NULL), 0);
	assert_true(port.facts.delay_ns == INT64_C(12) * 10 * 1000000000 / 115200);
	nf_port_close(&port);
	/* An adapter without a timer that can be read. */
	assert_int_equal(system(cmd), 0);
	tty(folder, name, "ch341-uart", "usb-serial");
	assert_int_equal(nf_port_open(&port, &p.spec, &root, &os, NULL), 0);
	assert_true(port.facts.delay_ns == -1);
	nf_port_close(&port);
	nf_rootfs_close(&root);
	remove_tree(folder);
	close(p.master);
}

static void a_port_is_told_of_without_opening_it(void **state)
{
	struct pty p = make_pty();
	char folder[128], cmd[600];
	struct nf_port_facts f;
	struct nf_rootfs root;
	const char *name = strrchr(p.spec.path, '/') + 1;

	(void)state;
	nf_scratch_make(folder, sizeof(folder));
	assert_int_equal(nf_rootfs_open(&root, folder, NULL), 0);
	p.spec.kind = NF_PORT_SERIAL;
	tty(folder, name, "ftdi_sio", "usb-serial");
	snprintf(cmd, sizeof(cmd),
	         "cd %s && mkdir -p dev/serial/by-id && ln -s ../../%s dev/serial/by-id/usb-1",
	         folder, name);
	assert_int_equal(system(cmd), 0);
	nf_port_look(&p.spec, &root, &f);
	assert_string_equal(f.device, p.spec.path);
	assert_string_equal(f.driver, "ftdi_sio");
	assert_string_equal(f.by_id, "usb-1");
	assert_int_equal(f.baud, 0);
	assert_int_equal(nf_port_parse("tcp:[::1]:7", 0, &p.spec, NULL), 0);
	nf_port_look(&p.spec, &root, &f);
	assert_string_equal(f.name, "tcp:::1:7");
	assert_string_equal(f.device, "");
	nf_rootfs_close(&root);
	nf_scratch_remove(folder);
	close(p.master);
}

static void another_rate_drops_what_came_at_the_one_before(void **state)
{
	struct played played = { 0 };
	struct nf_port_os os = { play_ioctl, play_flock, &played };
	struct pty p = make_pty();
	struct nf_port port;
	char got[64];

	(void)state;
	p.spec.kind = NF_PORT_SERIAL;
	assert_int_equal(nf_port_open(&port, &p.spec, NULL, &os, NULL), 0);
	assert_int_equal(write(p.master, "old", 3), 3);
	while (read_some(&port, got, 1) == 0)
		;
	assert_int_equal(nf_port_set_baud(&port, 57600, NULL), 0);
	assert_int_equal(port.facts.baud, 57600);
	assert_int_equal(write(p.master, "new", 3), 3);
	assert_int_equal(read_some(&port, got, sizeof(got)), 3);
	assert_memory_equal(got, "new", 3);
	played.rate = 9600;
	assert_int_equal(nf_port_set_baud(&port, 57600, NULL), -NF_EARG);
	nf_port_close(&port);
	close(p.master);
}

static void advice_is_given_where_something_can_be_better(void **state)
{
	struct nf_port_facts f = { .latency_timer_ms = 1, .name = "/dev/ttyUSB0" };
	char text[NF_PORT_ADVICE_MAX];

	(void)state;
	nf_port_advice(&f, text);
	assert_string_equal(text, "");
	f.by_number = true;
	nf_port_advice(&f, text);
	assert_non_null(strstr(text, "by number"));
	assert_null(strstr(text, "by_path:"));
	strcpy(f.by_path, "pci-1");
	f.latency_timer_ms = 16;
	nf_port_advice(&f, text);
	assert_non_null(strstr(text, "by_path:pci-1"));
	assert_non_null(strstr(text, "16 ms"));
	assert_non_null(strstr(text, NF_PORT_UDEV_RULE));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(ports_are_told_by_their_words),
	cmocka_unit_test(a_pty_gives_bytes_as_they_are),
	cmocka_unit_test(its_settings_are_put_back),
	cmocka_unit_test(a_second_one_is_told_who_holds_it),
	cmocka_unit_test(a_port_that_goes_is_told),
	cmocka_unit_test(a_port_that_takes_nothing_times_out),
	cmocka_unit_test(what_is_no_port_is_refused),
	cmocka_unit_test(a_unix_socket_is_a_port),
	cmocka_unit_test(counters_and_lines_of_a_serial_port_are_read),
	cmocka_unit_test(a_rate_that_the_driver_has_not_is_refused),
	cmocka_unit_test(the_delay_of_a_port_is_what_its_driver_says),
	cmocka_unit_test(a_port_is_told_of_without_opening_it),
	cmocka_unit_test(another_rate_drops_what_came_at_the_one_before),
	cmocka_unit_test(advice_is_given_where_something_can_be_better),
};
NF_UNIT_MAIN(tests)
