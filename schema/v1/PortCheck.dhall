let PortKind =
      < serial | pty | unix | tcp >

let ConsolePort =
      { kind : PortKind -- declared: what it is
      , name : Text -- declared: as it was opened
      , device : Optional Text -- measured: device, links followed; None: a socket
      , by_path : Optional Text -- measured: its name below /dev/serial/by-path; None: it has none
      , driver : Optional Text -- measured: kernel driver; None: unknown
      , baud : Optional Natural -- measured: what the driver says it runs at; None: a socket
      , latency_timer_ms : Optional Natural -- measured: how long an FTDI adapter keeps bytes back; None: no such adapter, or unknown
      , delay_ns : Optional Natural -- derived: longest way of a byte from the wire to where it can be read: adapter or FIFO; None: unknown
      , carrier : Optional Bool -- measured: modem line DCD at the beginning; None: there is none
      , clear_to_send : Optional Bool -- measured: modem line CTS at the beginning
      , data_set_ready : Optional Bool -- measured: modem line DSR at the beginning
      }

let PortListened =
      { baud : Optional Natural -- declared: rate of the port meanwhile; None: it has none
      , wall_ns : Natural -- measured: how long it was listened to
      , bytes : Natural -- measured: bytes that came; at most 3 of an incomplete character are not counted
      , text_bytes : Natural -- derived: of them: printable characters of UTF-8, blanks, line ends, BEL, BS, ESC
      }

let ConsoleErrors =
      { overrun : Natural -- measured: bytes lost in the UART: its FIFO was full
      , buf_overrun : Natural -- measured: bytes lost in the kernel: its buffer was full
      , frame : Natural -- measured: bytes without a stop bit: noise, or another rate
      , parity : Natural -- measured: bytes with a wrong parity bit
      , breaks : Natural -- measured: breaks on the line
      , bytes : Natural -- measured: bytes received
      }

let PortRate =
      < unknown | not_applicable | silent | none_fits | another | as_given >

let PowerState =
      < unknown | off | on >

let PortPower =
      { driver : Text -- declared: what switches the power
      , state : PowerState -- measured: what the switch says
      , trouble : Optional Text -- measured: why it could not be asked; None: it answered, or is one that cannot be asked
      }

let Honesty =
      { measured : List Text -- derived: paths read from a clock, a counter or the system
      , derived : List Text -- derived: paths computed from measured values
      , declared : List Text -- derived: paths said by the user or chosen before measuring
      , synthetic : List Text -- derived: paths made up to exercise the program
      }

let PortCheck =
      { schema : Text -- declared: PortCheck/1
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , checked_utc : Text -- measured: RFC 3339 UTC
      , board : Optional Text -- declared: the board's name in its campaign file; None: a port was named
      , port : ConsolePort -- the port
      , by_id : Optional Text -- measured: its name below /dev/serial/by-id; None: it has none
      , trouble : Optional Text -- measured: why it could not be listened to, and who holds it; None: it could
      , waiting_bytes : Natural -- measured: bytes that had come before it was opened: at what rate is unknown, so they are no evidence
      , listened : Optional PortListened -- what came, at the rate that was given; None: it could not be opened
      , last_line : Optional Text -- measured: the last text that came; None: none did
      , errors : Optional ConsoleErrors -- what the UART's driver counted meanwhile; None: it counts nothing
      , tried : List PortListened -- other rates that were tried, in order
      , rate : PortRate -- derived: whether the rate that was given is the board's
      , rate_baud : Optional Natural -- derived: the rate at which it reads as text; None: unknown
      , power : Optional PortPower -- the power switch; None: a port was named
      , findings : List Text -- derived: what is wrong, one sentence each
      , advice : List Text -- derived: what would make it better
      , udev_rules : List Text -- derived: lines for a file in /etc/udev/rules.d that do so
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

in  PortCheck
