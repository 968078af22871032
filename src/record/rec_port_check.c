/* SPDX-License-Identifier: MIT */
#include "record/rec_port_check.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(port_rate, "PortRate", "unknown", "not_applicable", "silent", "none_fits", "another", "as_given")
NF_RECORD_ENUM_TYPE(power_state, "PowerState", "unknown", "off", "on")
NF_RECORD_TYPE(port_listened, "PortListened", NF_ROWS_PORT_LISTENED)
NF_RECORD_TYPE(port_power, "PortPower", NF_ROWS_PORT_POWER)
NF_RECORD_TYPE(port_check, "PortCheck", NF_ROWS_PORT_CHECK)
/* clang-format on */
