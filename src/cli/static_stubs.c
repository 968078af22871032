/* SPDX-License-Identifier: MIT */
/* static_stubs - for the program that is linked statically. The five functions of libudev that hwloc calls: there is no
 * static libudev; hwloc takes their NULL for "no udev here" and leaves out the udev names of disks, which are not used.
 * And dlopen(): the plugins of another machine's hwloc, made for another libc, must not be loaded into this program. */
#include <dlfcn.h>
#include <stddef.h>

struct udev;
struct udev_device;

struct udev *udev_new(void);
struct udev *udev_unref(struct udev *u);
struct udev_device *udev_device_new_from_subsystem_sysname(struct udev *u, const char *subsystem,
                                                           const char *name);
const char *udev_device_get_property_value(struct udev_device *d, const char *key);
struct udev_device *udev_device_unref(struct udev_device *d);

struct udev *udev_new(void)
{
	return NULL;
}

struct udev *udev_unref(struct udev *u)
{
	(void)u;
	return NULL;
}

struct udev_device *udev_device_new_from_subsystem_sysname(struct udev *u, const char *subsystem,
                                                           const char *name)
{
	(void)u;
	(void)subsystem;
	(void)name;
	return NULL;
}

const char *udev_device_get_property_value(struct udev_device *d, const char *key)
{
	(void)d;
	(void)key;
	return NULL;
}

struct udev_device *udev_device_unref(struct udev_device *d)
{
	(void)d;
	return NULL;
}

void *dlopen(const char *file, int mode)
{
	(void)file;
	(void)mode;
	return NULL;
}
