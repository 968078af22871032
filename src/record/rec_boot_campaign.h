/* SPDX-License-Identifier: MIT */
/*
 * rec_boot_campaign - BootCampaign/1: boots of boards (attempts, by configuration), when each reached its phases, what was
 * printed, and what follows. Made of captures of ours or of imported logs; what only a campaign that was run here knows
 * (head, outcome, power, images, port) is None or empty in a record of imported logs.
 *
 * Times are of the host that stamped the console, in seconds; since t0 unless stated. An attempt's `resolution_s` is the
 * finest difference its stamps can tell.
 */
#ifndef NF_RECORD_REC_BOOT_CAMPAIGN_H
#define NF_RECORD_REC_BOOT_CAMPAIGN_H

#include "record/rec_common.h"

/* clang-format off */
enum nf_rec_boot_platform { NF_BOOT_PLATFORM_UNKNOWN, NF_BOOT_EMULATOR, NF_BOOT_BOARD };
NF_RECORD_ENUM(boot_platform)
enum nf_rec_boot_outcome {
	NF_BOOT_STOPPED, NF_BOOT_INFRA_FAILED, NF_BOOT_BOARD_FAILED, NF_BOOT_CONFIG_WRONG, NF_BOOT_OK,
};
NF_RECORD_ENUM(boot_outcome)
enum nf_rec_boot_finding_kind {
	NF_FINDING_GRID, NF_FINDING_UART, NF_FINDING_SILENCE, NF_FINDING_FAULT, NF_FINDING_GUEST_CLOCK,
	NF_FINDING_COUNTER, NF_FINDING_HOST_DISAGREES, NF_FINDING_BACKWARDS, NF_FINDING_UNSTAMPED,
	NF_FINDING_FAILED, NF_FINDING_PLATFORMS, NF_FINDING_EARLIER, NF_FINDING_RESTART, NF_FINDING_STATUS,
	NF_FINDING_SKIPPED,
};
NF_RECORD_ENUM(boot_finding_kind)

#define NF_ROWS_BOOT_PATTERN(X, S) \
	X(S, TEXT,  name,    DECLARED, "what it is called") \
	X(S, TEXT,  pattern, DECLARED, "regular expression (PCRE2), unanchored") \
	X(S, OTEXT, unit,    DECLARED, "of the value it finds; None: it is no value, or a plain number") \
	X(S, OTEXT, config,  DECLARED, "configuration that it is of; None: of all")
NF_RECORD(boot_pattern, NF_ROWS_BOOT_PATTERN)

#define NF_ROWS_BOOT_DECLARED(X, S) \
	X(S, TEXT, name,  DECLARED, "what was set when the image was built") \
	X(S, TEXT, value, DECLARED, "its value")
NF_RECORD(boot_declared, NF_ROWS_BOOT_DECLARED)

#define NF_ROWS_BOOT_IMAGE(X, S) \
	X(S, TEXT, image,  DECLARED, "as the bootloader asks for it") \
	X(S, NAT,  bytes,  MEASURED, "of the file on this machine, before power was switched") \
	X(S, TEXT, sha256, MEASURED, "of the same, 64 hex digits")
NF_RECORD(boot_image, NF_ROWS_BOOT_IMAGE)

#define NF_ROWS_BOOT_BOARD(X, S) \
	X(S, TEXT, name,            DECLARED, "of the board") \
	X(S, TEXT, campaign,        DECLARED, "its campaign file, as given") \
	X(S, TEXT, campaign_sha256, MEASURED, "of that file, 64 hex digits") \
	X(S, TEXT, console,         DECLARED, "its port, as it was named") \
	X(S, TEXT, power_driver,    DECLARED, "what switches it") \
	X(S, TEXT, power_end,       DECLARED, "how its power ends: off, on or leave") \
	X(S, OTEXT, power_failed,   MEASURED, "why it did not end so; None: it did") \
	X(S, NAT,  runs,            DECLARED, "that were asked for, of each configuration") \
	X(S, TEXT, order,           DECLARED, "interleave or sequential") \
	X(S, NAT,  retry_infra,     DECLARED, "tries more at a run after such a failure") \
	X(S, NAT,  retry_board,     DECLARED, "likewise") \
	X(S, NAT,  missing,         DERIVED,  "runs that have no result")
NF_RECORD(boot_board, NF_ROWS_BOOT_BOARD)

#define NF_ROWS_BOOT_PORT(X, S) \
	X(S, TEXT,  kind,             MEASURED, "serial, pty, unix or tcp") \
	X(S, TEXT,  name,             MEASURED, "as it was named") \
	X(S, OTEXT, driver,           MEASURED, "kernel driver of a serial port") \
	X(S, ONAT,  latency_timer_ms, MEASURED, "of an FTDI adapter") \
	X(S, OREAL, delay_s,          MEASURED, "how long a byte may be on the way to where it can be read; None: unknown") \
	X(S, ONAT,  overruns,         MEASURED, "bytes lost by UART or kernel meanwhile; None: it does not say") \
	X(S, ONAT,  frame_errors,     MEASURED, "meanwhile") \
	X(S, ONAT,  breaks,           MEASURED, "meanwhile")
NF_RECORD(boot_port, NF_ROWS_BOOT_PORT)

#define NF_ROWS_BOOT_EVENT(X, S) \
	X(S, TEXT,  name,      DECLARED, "of the phase") \
	X(S, OREAL, time_s,    MEASURED, "since t0, when the first byte of the first match at or after t0 was read; None: not seen") \
	X(S, OREAL, lo_s,      DERIVED,  "the true time is not before this") \
	X(S, OREAL, hi_s,      DERIVED,  "nor after this") \
	X(S, ONAT,  line,      MEASURED, "counted from 1") \
	X(S, OTEXT, text,      MEASURED, "beginning of that line") \
	X(S, BOOL,  unstamped, MEASURED, "the line has no stamp: the time is that of the next one") \
	X(S, BOOL,  before_t0, MEASURED, "a line before t0 matches, too")
NF_RECORD(boot_event, NF_ROWS_BOOT_EVENT)

#define NF_ROWS_BOOT_GAP(X, S) \
	X(S, REAL, length_s, MEASURED, "nothing was printed for so long") \
	X(S, REAL, begin_s,  MEASURED, "since t0") \
	X(S, REAL, ratio,    DERIVED,  "of the interval") \
	X(S, NAT,  line,     MEASURED, "the line before it, counted from 1") \
	X(S, BOOL, inside,   MEASURED, "it is inside that line") \
	X(S, TEXT, text,     MEASURED, "of that line")
NF_RECORD(boot_gap, NF_ROWS_BOOT_GAP)

#define NF_ROWS_BOOT_GUEST(X, S) \
	X(S, NAT,  stamps,       MEASURED, "lines with the kernel's own stamp (printk)") \
	X(S, NAT,  restarts,     MEASURED, "times that its clock began anew") \
	X(S, REAL, claims_s,     MEASURED, "from the first of these stamps to the last, by the kernel's clock") \
	X(S, REAL, host_s,       MEASURED, "between the same lines, as the host saw them") \
	X(S, REAL, difference_s, DERIVED,  "host_s - claims_s") \
	X(S, REAL, tolerance_s,  DERIVED,  "twice the resolution, 10 ms and 1 % of host_s") \
	X(S, BOOL, disagrees,    DERIVED,  "they differ by more")
NF_RECORD(boot_guest, NF_ROWS_BOOT_GUEST)

#define NF_ROWS_BOOT_INTERVAL(X, S) \
	X(S, TEXT,  name,       DERIVED,  "from..to") \
	X(S, OREAL, duration_s, MEASURED, "None: one end was not seen; below 0: the other order") \
	X(S, OREAL, lo_s,       DERIVED,  "no shorter than this") \
	X(S, OREAL, hi_s,       DERIVED,  "no longer than this") \
	X(S, NAT,   lines,      MEASURED, "from the line with its begin to before that with its end") \
	X(S, ONAT,  bytes,      MEASURED, "from match to match; of an imported log two a line for the line's end") \
	X(S, OREAL, uart_s,     DERIVED,  "10 x bytes / baud") \
	X(S, OREAL, uart_ratio, DERIVED,  "uart_s / duration_s") \
	X(S, OREAL, silence_ratio, DERIVED, "gaps / duration_s") \
	X(S, LIST(boot_gap), gaps, BY_FIELD, "the longest, longest first; those beyond 1.5 x resolution") \
	X(S, OREC(boot_guest), guest, BY_FIELD, "None: fewer than two stamps") \
	X(S, NAT,   faults,     MEASURED, "faults in it")
NF_RECORD(boot_interval, NF_ROWS_BOOT_INTERVAL)

#define NF_ROWS_BOOT_VALUE(X, S) \
	X(S, TEXT,  name,           DECLARED, "of its pattern") \
	X(S, NAT,   nth,            MEASURED, "of this name in this boot, counted from 1") \
	X(S, OTEXT, section,        MEASURED, "that it was printed in") \
	X(S, REAL,  value,          MEASURED, "as printed") \
	X(S, OTEXT, unit,           DECLARED, "None: a plain number") \
	X(S, NAT,   line,           MEASURED, "counted from 1") \
	X(S, OTEXT, interval,       MEASURED, "in which it was printed; None: outside") \
	X(S, OREAL, claims_s,       DERIVED,  "the value in seconds; None: no time") \
	X(S, OREAL, host_s,         MEASURED, "host's time from the section's, else the interval's, begin to this line") \
	X(S, OBOOL, fits,           DERIVED,  "claims_s <= host_s + resolution; None: nothing to compare with") \
	X(S, ONAT,  counter_diff,   MEASURED, "ticks printed beside it") \
	X(S, ONAT,  counter_hz,     MEASURED, "rate printed beside it") \
	X(S, OBOOL, counter_agrees, DERIVED,  "counter_diff / counter_hz in the unit, cut to the printed digits, is the value") \
	X(S, TEXT,  text,           MEASURED, "beginning of the line")
NF_RECORD(boot_value, NF_ROWS_BOOT_VALUE)

#define NF_ROWS_BOOT_FAULT(X, S) \
	X(S, TEXT,  kind,     DERIVED,  "what the line tells: cap fault, stack dump, kernel panic, ...") \
	X(S, OREAL, time_s,   MEASURED, "since t0; None: t0 was not seen") \
	X(S, NAT,   line,     MEASURED, "counted from 1") \
	X(S, OTEXT, interval, MEASURED, "in which it was printed; None: outside all of them") \
	X(S, TEXT,  text,     MEASURED, "beginning of the line")
NF_RECORD(boot_fault, NF_ROWS_BOOT_FAULT)

/* In the order of enum nf_restart_sign (board/restart.h). */
NF_RECORD_ENUM(boot_restart_sign)
#define NF_ROWS_BOOT_RESTART(X, S) \
	X(S, ENUM(boot_restart_sign), sign, DERIVED, "t0's line came again, or the kernel's clock fell back") \
	X(S, REAL,  time_s,   MEASURED, "since t0") \
	X(S, NAT,   line,     MEASURED, "counted from 1") \
	X(S, OTEXT, interval, MEASURED, "in which it was; None: outside all of them") \
	X(S, TEXT,  text,     MEASURED, "beginning of the line")
NF_RECORD(boot_restart, NF_ROWS_BOOT_RESTART)

#define NF_ROWS_BOOT_ATTEMPT(X, S) \
	X(S, TEXT,  config,        DECLARED, "configuration it belongs to; BOARD.CONFIG where several boards were run") \
	X(S, OTEXT, board,         DECLARED, "None: not run here") \
	X(S, NAT,   run,           DECLARED, "of that configuration, counted from 1") \
	X(S, NAT,   attempt,       DECLARED, "at this run, counted from 1") \
	X(S, BOOL,  counts,        DERIVED,  "the last attempt at its run, and it was not stopped: the one in the figures, if its outcome is ok or not known") \
	X(S, TEXT,  path,          DECLARED, "log or capture, as given or below the run folder") \
	X(S, OTEXT, sha256,        MEASURED, "of the log, or of the capture's raw bytes, 64 hex digits") \
	X(S, TEXT,  form,          MEASURED, "capture, none (the port could not be had), or the tool that stamped the lines") \
	X(S, ENUM(boot_platform), platform, DECLARED, "a board's numbers and an emulator's are not of one kind") \
	X(S, OTEXT, platform_why,  MEASURED, "what says so") \
	X(S, OTEXT, status,        MEASURED, "as the log says itself") \
	X(S, OENUM(boot_outcome), outcome, MEASURED, "class of its end; None: not run here") \
	X(S, OTEXT, outcome_kind,  MEASURED, "one word for how it ended; None: not run here") \
	X(S, OTEXT, outcome_why,   MEASURED, "in words") \
	X(S, ONAT,  resent,        MEASURED, "commands and loads that were sent again; None: not run here") \
	X(S, OTEXT, started_utc,   MEASURED, "RFC 3339 UTC; None: unknown") \
	X(S, OTEXT, power_driver,  DECLARED, "what switched it; None: not run here") \
	X(S, LIST(boot_image), images, BY_FIELD, "what was loaded, in this order") \
	X(S, LIST(boot_declared), declared, BY_FIELD, "how the image was built, as the campaign says") \
	X(S, OREC(boot_port), port, BY_FIELD, "None: not known") \
	X(S, NAT,   baud,          DECLARED, "that UART times are of") \
	X(S, TEXT,  baud_why,      MEASURED, "option, capture, kernel command line, or assumed") \
	X(S, OREAL, resolution_s,  DERIVED,  "finest difference that the stamps tell; None: unknown") \
	X(S, OREAL, digit_s,       MEASURED, "of the last printed digit of an imported log") \
	X(S, OREAL, grid_s,        DERIVED,  "step that the stamps are on; None: no step was found") \
	X(S, NAT,   lines,         MEASURED, "of the console") \
	X(S, NAT,   bytes,         MEASURED, "as in intervals") \
	X(S, NAT,   unstamped_lines, MEASURED, "lines without a time of their own") \
	X(S, NAT,   cut_bytes,     MEASURED, "text beyond the longest line") \
	X(S, NAT,   nul_bytes,     MEASURED, "dropped from texts") \
	X(S, NAT,   bad_utf8,      MEASURED, "broken characters in texts") \
	X(S, NAT,   backwards,     MEASURED, "stamps before the one before them") \
	X(S, OREAL, worst_backwards_s, MEASURED, "by how much; None: none was") \
	X(S, OTEXT, damage,        MEASURED, "what is missing at the end of a capture") \
	X(S, OREC(boot_event), t0, BY_FIELD, "time_s is since the log's own zero; None: not seen") \
	X(S, LIST(boot_event), phases, BY_FIELD, "in the order they were given") \
	X(S, LIST(boot_interval), intervals, BY_FIELD, "t0 to the first phase, to the next, ...") \
	X(S, LIST(boot_value), values, BY_FIELD, "in the order they were printed") \
	X(S, NAT,   values_lost,   MEASURED, "values beyond those that are kept, or no numbers") \
	X(S, LIST(boot_fault), faults, BY_FIELD, "in the order they were printed") \
	X(S, NAT,   faults_lost,   MEASURED, "faults beyond those that are kept") \
	X(S, LIST(boot_restart), restarts, BY_FIELD, "times that the board began anew after t0, the first of them") \
	X(S, OTEXT, last_text,     MEASURED, "beginning of the last line with text")
NF_RECORD(boot_attempt, NF_ROWS_BOOT_ATTEMPT)

/* Over the runs of a configuration, of the attempts that count. */
#define NF_ROWS_BOOT_TIMES(X, S) \
	X(S, TEXT,  name,     DECLARED, "phase, or from..to") \
	X(S, NAT,   n,        DERIVED, "runs that have it") \
	X(S, NAT,   failed,   DERIVED, "runs that have not") \
	X(S, NAT,   retried,  DERIVED, "attempts beyond the first") \
	X(S, OREAL, median_s, DERIVED, "None: no run has it") \
	X(S, OREAL, mean_s,   DERIVED, "arithmetic mean") \
	X(S, OREAL, sd_s,     DERIVED, "sample standard deviation, divisor n - 1; None for one run") \
	X(S, OREAL, min_s,    DERIVED, "shortest") \
	X(S, OREAL, max_s,    DERIVED, "longest") \
	X(S, OREAL, resolution_s, DERIVED, "the coarsest of its runs; None: unknown") \
	X(S, REALS, runs_s,   MEASURED, "of each run that has it, in the order of runs")
NF_RECORD(boot_times, NF_ROWS_BOOT_TIMES)

#define NF_ROWS_BOOT_SHARES(X, S) \
	X(S, TEXT,  name,             DERIVED, "from..to") \
	X(S, OREAL, bytes_median,     DERIVED, "printed in it") \
	X(S, OREAL, uart_ratio_min,   DERIVED, "UART time over duration, smallest of the runs") \
	X(S, OREAL, uart_ratio_median, DERIVED, "median") \
	X(S, OREAL, uart_ratio_max,   DERIVED, "largest") \
	X(S, OREAL, longest_gap_s,    DERIVED, "median of the runs' longest silence") \
	X(S, OREAL, gap_ratio_median, DERIVED, "its share of the duration") \
	X(S, OREAL, silence_ratio_median, DERIVED, "share of all kept gaps") \
	X(S, OREAL, guest_claims_s,   DERIVED, "median of what the kernel's clock claims") \
	X(S, OREAL, guest_host_s,     DERIVED, "median of what the host saw between the same lines") \
	X(S, NAT,   guest_disagrees,  DERIVED, "runs in which they disagree") \
	X(S, NAT,   faulty,           DERIVED, "runs with a fault in it")
NF_RECORD(boot_shares, NF_ROWS_BOOT_SHARES)

#define NF_ROWS_BOOT_VALUES(X, S) \
	X(S, TEXT,  name,    DECLARED, "of its pattern") \
	X(S, TEXT,  place,   DERIVED,  "its section, or #1, #2, ... by order in a boot") \
	X(S, OTEXT, unit,    DECLARED, "None: a plain number") \
	X(S, NAT,   n,       DERIVED, "runs that have it") \
	X(S, NAT,   failed,  DERIVED, "runs that have not") \
	X(S, REAL,  median,  DERIVED, "in the unit") \
	X(S, REAL,  mean,    DERIVED, "arithmetic mean") \
	X(S, OREAL, sd,      DERIVED, "sample standard deviation, divisor n - 1; None for one run") \
	X(S, REAL,  min,     DERIVED, "smallest") \
	X(S, REAL,  max,     DERIVED, "largest") \
	X(S, NAT,   counters, DERIVED, "with ticks and rate printed beside them") \
	X(S, NAT,   counters_agree, DERIVED, "of those: they give the value") \
	X(S, REALS, runs,    MEASURED, "of each run that has it, in the order of runs")
NF_RECORD(boot_values, NF_ROWS_BOOT_VALUES)

#define NF_ROWS_BOOT_CONFIG(X, S) \
	X(S, TEXT, name,     DECLARED, "of the configuration") \
	X(S, ENUM(boot_platform), platform, DECLARED, "unknown where its attempts differ") \
	X(S, NAT,  runs,     DERIVED, "runs") \
	X(S, NAT,  failed,   DERIVED, "runs that did not reach every phase") \
	X(S, NAT,  retried,  DERIVED, "attempts beyond the first") \
	X(S, LIST(boot_times), phases, BY_FIELD, "since t0") \
	X(S, LIST(boot_times), intervals, BY_FIELD, "between phases") \
	X(S, LIST(boot_shares), shares, BY_FIELD, "what fills the intervals") \
	X(S, LIST(boot_values), values, BY_FIELD, "printed values")
NF_RECORD(boot_config, NF_ROWS_BOOT_CONFIG)

#define NF_ROWS_BOOT_RATIO(X, S) \
	X(S, TEXT,  what,        DERIVED,  "phase, from..to, or value with its place") \
	X(S, TEXT,  base,        DECLARED, "configuration that stands below") \
	X(S, TEXT,  config,      DECLARED, "configuration that stands above") \
	X(S, REAL,  base_median, DERIVED,  "s, or the value's unit") \
	X(S, REAL,  median,      DERIVED,  "in the same") \
	X(S, REAL,  ratio,       DERIVED,  "median / base_median") \
	X(S, REAL,  lo,          DERIVED,  "lower end of its interval") \
	X(S, REAL,  hi,          DERIVED,  "upper end") \
	X(S, REAL,  level,       DERIVED,  "that the interval is made for; it is not reached with few runs") \
	X(S, NAT,   base_n,      DERIVED,  "runs below") \
	X(S, NAT,   n,           DERIVED,  "runs above") \
	X(S, OTEXT, warning,     DERIVED,  "why it should not be leant on; None: nothing is known against it")
NF_RECORD(boot_ratio, NF_ROWS_BOOT_RATIO)

#define NF_ROWS_BOOT_FINDING(X, S) \
	X(S, ENUM(boot_finding_kind), kind, DERIVED, "what it is about") \
	X(S, OTEXT, config, DERIVED, "None: of all") \
	X(S, OTEXT, phase,  DERIVED, "phase or from..to") \
	X(S, NAT,   runs,   DERIVED, "attempts in which it is so") \
	X(S, NAT,   of,     DERIVED, "attempts that were looked at") \
	X(S, TEXT,  text,   DERIVED, "one sentence or two")
NF_RECORD(boot_finding, NF_ROWS_BOOT_FINDING)

/* BootAttemptEnd/1: beside a capture of `lab run`, written when the attempt is over. */
#define NF_ROWS_BOOT_END(X, S) \
	X(S, TEXT,  schema,          DECLARED, "BootAttemptEnd/1") \
	X(S, TEXT,  tool_version,    MEASURED, "version of noisefloor") \
	X(S, TEXT,  board,           DECLARED, "of the campaign file") \
	X(S, TEXT,  config,          DECLARED, "of the campaign file") \
	X(S, NAT,   run,             DECLARED, "of that configuration, counted from 1") \
	X(S, NAT,   attempt,         DECLARED, "at this run, counted from 1") \
	X(S, TEXT,  campaign_sha256, MEASURED, "of the campaign file, 64 hex digits") \
	X(S, ENUM(boot_platform), platform, DECLARED, "as in attempts of BootCampaign") \
	X(S, TEXT,  platform_why,    MEASURED, "what says so") \
	X(S, TEXT,  power_driver,    DECLARED, "what switched it") \
	X(S, LIST(boot_declared), declared, BY_FIELD, "how the image was built, as the campaign says") \
	X(S, ENUM(boot_outcome), outcome, MEASURED, "class of its end") \
	X(S, TEXT,  kind,            MEASURED, "one word for how it ended") \
	X(S, TEXT,  why,             MEASURED, "in words") \
	X(S, NAT,   resent,          MEASURED, "commands and loads that were sent again") \
	X(S, OTEXT, started_utc,     MEASURED, "RFC 3339 UTC; None: unknown") \
	X(S, OREAL, wall_s,          MEASURED, "from its begin to its end; None: unknown") \
	X(S, BOOL,  captured,        MEASURED, "there is a capture; else the port could not be had") \
	X(S, LIST(boot_image), images, BY_FIELD, "what was to be loaded") \
	X(S, ONAT,  overruns,        MEASURED, "bytes lost by UART or kernel meanwhile; None: it does not say") \
	X(S, ONAT,  frame_errors,    MEASURED, "meanwhile") \
	X(S, ONAT,  breaks,          MEASURED, "meanwhile") \
	X(S, OTEXT, driver,          MEASURED, "kernel driver of a serial port") \
	X(S, ONAT,  latency_timer_ms, MEASURED, "of an FTDI adapter") \
	X(S, NAT,   replaced_text,   DERIVED,  "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling,   DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty,  BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(boot_end, NF_ROWS_BOOT_END)

#define NF_ROWS_BOOT_SKIPPED(X, S) \
	X(S, TEXT, path, DECLARED, "the file") \
	X(S, TEXT, why,  MEASURED, "what is wrong with it")
NF_RECORD(boot_skipped, NF_ROWS_BOOT_SKIPPED)

/* BootCampaign/1 */
#define NF_ROWS_BOOT_CAMPAIGN(X, S) \
	X(S, TEXT,  schema,        DECLARED, "BootCampaign/1") \
	X(S, OREC(head), head,     BY_FIELD, "of the run that made the boots; None: logs that were read") \
	X(S, TEXT,  tool_version,  MEASURED, "version of noisefloor") \
	X(S, TEXTS, command,       DECLARED, "command line as given, one word each") \
	X(S, TEXT,  read_utc,      MEASURED, "RFC 3339 UTC") \
	X(S, LIST(boot_board), boards, BY_FIELD, "that were run here") \
	X(S, OTEXT, resumed,       DECLARED, "run folder whose attempts are taken over; None: none") \
	X(S, OTEXT, t0,            DECLARED, "pattern of the beginning; None: the first line, or t0 stands among the phases") \
	X(S, LIST(boot_pattern), phases, BY_FIELD, "in the order they were given") \
	X(S, LIST(boot_pattern), values, BY_FIELD, "in the order they were given") \
	X(S, OTEXT, section,       DECLARED, "pattern of the lines that begin a section; None: none") \
	X(S, LIST(boot_skipped), skipped, BY_FIELD, "files of folders that are no logs of a known form") \
	X(S, LIST(boot_attempt), attempts, BY_FIELD, "by configuration, run and attempt") \
	X(S, LIST(boot_config), configs, BY_FIELD, "in the order of their names") \
	X(S, LIST(boot_ratio), ratios, BY_FIELD, "of every configuration to the first that has it, or to the one that was named") \
	X(S, LIST(boot_finding), findings, BY_FIELD, "what a reader of the figures has to know") \
	X(S, NAT,   replaced_text, DERIVED,  "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty, BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(boot_campaign, NF_ROWS_BOOT_CAMPAIGN)
/* clang-format on */

#endif
