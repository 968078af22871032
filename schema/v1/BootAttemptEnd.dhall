let BootPlatform =
      < unknown | emulator | board >

let BootDeclared =
      { name : Text -- declared: what was set when the image was built
      , value : Text -- declared: its value
      }

let BootOutcome =
      < stopped | infra | board | config | ok >

let BootImage =
      { image : Text -- declared: as the bootloader asks for it
      , bytes : Natural -- measured: of the file on this machine, before power was switched
      , sha256 : Text -- measured: of the same, 64 hex digits
      }

let Honesty =
      { measured : List Text -- derived: paths read from a clock, a counter or the system
      , derived : List Text -- derived: paths computed from measured values
      , declared : List Text -- derived: paths said by the user or chosen before measuring
      , synthetic : List Text -- derived: paths made up to exercise the program
      }

let BootAttemptEnd =
      { schema : Text -- declared: BootAttemptEnd/1
      , tool_version : Text -- measured: version of noisefloor
      , board : Text -- declared: of the campaign file
      , config : Text -- declared: of the campaign file
      , run : Natural -- declared: of that configuration, counted from 1
      , attempt : Natural -- declared: at this run, counted from 1
      , campaign_sha256 : Text -- measured: of the campaign file, 64 hex digits
      , platform : BootPlatform -- declared: as in attempts of BootCampaign
      , platform_why : Text -- measured: what says so
      , power_driver : Text -- declared: what switched it
      , declared : List BootDeclared -- how the image was built, as the campaign says
      , outcome : BootOutcome -- measured: class of its end
      , kind : Text -- measured: one word for how it ended
      , why : Text -- measured: in words
      , resent : Natural -- measured: commands and loads that were sent again
      , started_utc : Optional Text -- measured: RFC 3339 UTC; None: unknown
      , wall_s : Optional Double -- measured: from its begin to its end; None: unknown
      , captured : Bool -- measured: there is a capture; else the port could not be had
      , images : List BootImage -- what was to be loaded
      , overruns : Optional Natural -- measured: bytes lost by UART or kernel meanwhile; None: it does not say
      , frame_errors : Optional Natural -- measured: meanwhile
      , breaks : Optional Natural -- measured: meanwhile
      , driver : Optional Text -- measured: kernel driver of a serial port
      , latency_timer_ms : Optional Natural -- measured: of an FTDI adapter
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

in  BootAttemptEnd
