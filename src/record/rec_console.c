/* SPDX-License-Identifier: MIT */
#include "record/rec_console.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(port_kind, "PortKind", "serial", "pty", "unix", "tcp")
NF_RECORD_TYPE(console_port, "ConsolePort", NF_ROWS_CONSOLE_PORT)
NF_RECORD_TYPE(console_errors, "ConsoleErrors", NF_ROWS_CONSOLE_ERRORS)
NF_RECORD_TYPE(console_lines, "ConsoleLines", NF_ROWS_CONSOLE_LINES)
NF_RECORD_TYPE(console_run, "ConsoleRun", NF_ROWS_CONSOLE_RUN)
/* clang-format on */
