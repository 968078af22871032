/* SPDX-License-Identifier: MIT */
#include "record/rec_boot_campaign.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(boot_platform, "BootPlatform", "unknown", "emulator", "board")
NF_RECORD_ENUM_TYPE(boot_outcome, "BootOutcome", "stopped", "infra", "board", "config", "ok")
NF_RECORD_ENUM_TYPE(boot_finding_kind, "BootFindingKind", "stamp_grid", "uart_time", "silence", "fault",
	"guest_clock", "counter", "host_disagrees", "clock_backwards", "unstamped", "failed", "platforms",
	"earlier_match", "restart", "status", "skipped")
NF_RECORD_ENUM_TYPE(boot_restart_sign, "BootRestartSign", "none", "t0_again", "clock_fell")
NF_RECORD_TYPE(boot_pattern, "BootPattern", NF_ROWS_BOOT_PATTERN)
NF_RECORD_TYPE(boot_declared, "BootDeclared", NF_ROWS_BOOT_DECLARED)
NF_RECORD_TYPE(boot_image, "BootImage", NF_ROWS_BOOT_IMAGE)
NF_RECORD_TYPE(boot_board, "BootBoard", NF_ROWS_BOOT_BOARD)
NF_RECORD_TYPE(boot_port, "BootPort", NF_ROWS_BOOT_PORT)
NF_RECORD_TYPE(boot_event, "BootEvent", NF_ROWS_BOOT_EVENT)
NF_RECORD_TYPE(boot_gap, "BootGap", NF_ROWS_BOOT_GAP)
NF_RECORD_TYPE(boot_guest, "BootGuest", NF_ROWS_BOOT_GUEST)
NF_RECORD_TYPE(boot_interval, "BootInterval", NF_ROWS_BOOT_INTERVAL)
NF_RECORD_TYPE(boot_value, "BootValue", NF_ROWS_BOOT_VALUE)
NF_RECORD_TYPE(boot_fault, "BootFault", NF_ROWS_BOOT_FAULT)
NF_RECORD_TYPE(boot_restart, "BootRestart", NF_ROWS_BOOT_RESTART)
NF_RECORD_TYPE(boot_skipped, "BootSkipped", NF_ROWS_BOOT_SKIPPED)
NF_RECORD_TYPE(boot_attempt, "BootAttempt", NF_ROWS_BOOT_ATTEMPT)
NF_RECORD_TYPE(boot_times, "BootTimes", NF_ROWS_BOOT_TIMES)
NF_RECORD_TYPE(boot_shares, "BootShares", NF_ROWS_BOOT_SHARES)
NF_RECORD_TYPE(boot_values, "BootValues", NF_ROWS_BOOT_VALUES)
NF_RECORD_TYPE(boot_config, "BootConfig", NF_ROWS_BOOT_CONFIG)
NF_RECORD_TYPE(boot_ratio, "BootRatio", NF_ROWS_BOOT_RATIO)
NF_RECORD_TYPE(boot_finding, "BootFinding", NF_ROWS_BOOT_FINDING)
NF_RECORD_TYPE(boot_end, "BootAttemptEnd", NF_ROWS_BOOT_END)
NF_RECORD_TYPE(boot_campaign, "BootCampaign", NF_ROWS_BOOT_CAMPAIGN)
/* clang-format on */
