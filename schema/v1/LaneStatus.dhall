let Lane =
      < unknown | generic | rt >

let LaneEntry =
      { id : Text -- measured: what the loader calls it
      , title : Text -- measured: what its menu shows
      , image : Optional Text -- measured: the kernel, as the loader names it
      , release : Optional Text -- derived: its release, of the image's name
      , cmdline : Optional Text -- measured: kernel command line of the entry
      , lane : Lane -- derived: lane of that kernel
      , lane_from : Optional Text -- derived: what says so
      , recovery : Bool -- derived: boots into single-user mode: no candidate
      , is_default : Bool -- derived: the machine boots it by itself
      , candidate : Bool -- derived: can be booted once as the realtime lane
      }

let Honesty =
      { measured : List Text -- derived: paths read from a clock, a counter or the system
      , derived : List Text -- derived: paths computed from measured values
      , declared : List Text -- derived: paths said by the user or chosen before measuring
      , synthetic : List Text -- derived: paths made up to exercise the program
      }

let LaneStatus =
      { schema : Text -- declared: LaneStatus/1
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , read_utc : Text -- measured: RFC 3339 UTC
      , reached : Text -- declared: where it was read: this machine, a captured tree, or a target
      , host : Optional Text -- measured: host name, a label
      , kernel_release : Optional Text -- measured: of the kernel that runs; uname -r
      , kernel_version : Optional Text -- measured: uname -v
      , lane : Lane -- measured: lane of the kernel that runs
      , boot_id : Optional Text -- measured: of this boot
      , loader : Optional Text -- measured: what boots entries once here; None: nothing that is known
      , default_entry : Optional Text -- derived: entry that boots by default; None: not known
      , default_unknown : Optional Text -- derived: why that is not known
      , next_known : Bool -- measured: whether an entry for the next boot is set can be read
      , next_entry : Optional Text -- measured: entry for the next boot only; None: none, or not known
      , entries : List LaneEntry -- kernels that can be booted
      , reasons : List Text -- derived: why a one-shot boot cannot be trusted here
      , can_arm : Bool -- derived: a realtime kernel can be booted once, and the default comes back
      , refusal : Optional Text -- derived: why not; None: it can
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

in  LaneStatus
