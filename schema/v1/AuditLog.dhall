let BootPattern =
      { name : Text -- declared: what it is called
      , pattern : Text -- declared: regular expression (PCRE2), unanchored
      , unit : Optional Text -- declared: of the value it finds; None: it is no value, or a plain number
      , config : Optional Text -- declared: configuration that it is of; None: of all
      }

let AuditLogPhase =
      { path : Text -- declared: log or capture
      , sha256 : Optional Text -- measured: of the log, or of the capture's raw bytes, 64 hex digits
      , config : Text -- declared: configuration it belongs to
      , run : Natural -- declared: of that configuration; 0: no name tells
      , phase : Text -- derived: from..to
      , baud : Natural -- declared: that UART times are of
      , baud_why : Text -- measured: option, capture, kernel command line, or assumed
      , duration_s : Optional Double -- measured: None: one end was not seen; below 0: the other order
      , resolution_s : Optional Double -- derived: finest difference that the stamps tell; None: unknown
      , lines : Natural -- measured: with a byte in it
      , bytes : Natural -- measured: from match to match; of an imported log two a line for the line's end
      , uart_s : Double -- derived: 10 x bytes / baud
      , uart_ratio : Optional Double -- derived: uart_s over duration_s; None: there is no duration
      }

let AuditLogLine =
      { phase : Text -- derived: from..to
      , text : Text -- measured: beginning of the first of them
      , path : Text -- declared: log that it stands in
      , line : Natural -- measured: its line there, counted from 1
      , times : Natural -- measured: how many there are, in all logs
      , logs : Natural -- measured: logs that have any
      , bytes : Natural -- measured: of all of them
      , uart_s : Double -- derived: of all of them: 10 x bytes / baud of each log
      , per_log_s : Double -- derived: uart_s / logs: what the lines are ordered by
      , ratio : Optional Double -- derived: uart_s over that phase's duration in the logs that have any; None: it has none
      }

let Honesty =
      { measured : List Text -- derived: paths read from a clock, a counter or the system
      , derived : List Text -- derived: paths computed from measured values
      , declared : List Text -- derived: paths said by the user or chosen before measuring
      , synthetic : List Text -- derived: paths made up to exercise the program
      }

let AuditLog =
      { schema : Text -- declared: AuditLog/1
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , read_utc : Text -- measured: RFC 3339 UTC
      , t0 : Optional Text -- declared: pattern of the beginning; None: the first line
      , patterns : List BootPattern -- of the phases, in the order they were given
      , phases : List AuditLogPhase -- log by log
      , lines : List AuditLogLine -- the most expensive first
      , lines_found : Natural -- measured: kinds of line inside phases, before they were cut to the most expensive
      , lines_lost : Natural -- measured: lines for which there was no room: they are in phases, not in lines
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

in  AuditLog
