let KernelLane =
      < generic | rt >

let ValidationResult =
      < partial | fail | historical | pass >

let KernelValidationRun =
      { date : Text -- measured: day of the run, UTC, as 2026-01-02
      , ownerIssue : Optional Text -- declared: what asked for the run
      , host : Text -- measured: host label
      , lane : KernelLane -- measured: lane of the kernel that was validated
      , phase : Text -- declared: which step of the validation this is
      , intent : Optional Text -- declared: what the run was for
      , kernelVersion : Text -- measured: uname -r
      , unameVariant : Optional Text -- measured: uname -v
      , sysKernelRealtime : Optional Bool -- measured: /sys/kernel/realtime; None: unknown
      , tunedProfile : Optional Text -- measured: active tuned profile
      , defaultKernel : Optional Text -- measured: kernel that boots by default
      , defaultPreserved : Optional Bool -- declared: the default kernel stayed what it was
      , nextEntryState : Optional Text -- measured: one-time boot entry
      , nextEntryConsumed : Optional Bool -- declared: that entry was used and is gone
      , baseMatched : Natural -- measured: configuration lines that are as the base asks
      , baseMismatched : Natural -- measured: those that are not
      , rtMatched : Optional Natural -- measured: the same for the realtime overlay; None: not checked
      , rtMismatched : Optional Natural -- measured: those that are not
      , cmdlineMatched : Natural -- measured: command-line parameters that are there
      , cmdlineMissing : Natural -- measured: those that are not
      , validatorPass : Bool -- measured: the validator's own verdict
      , smiCountPer10s : Optional Natural -- derived: system management interrupts in ten seconds
      , hwlatMaxUs : Optional Natural -- measured: largest hardware latency
      , reconnectSeconds : Optional Natural -- declared: from reboot to the first connection
      , returnToGenericSeconds : Optional Natural -- declared: from reboot to the generic kernel again
      , returnKernelVersion : Optional Text -- declared: kernel after the return
      , returnBaselinePass : Optional Bool -- declared: verdict of the validator after the return
      , result : ValidationResult -- derived: verdict
      , evidence : List Text -- declared: files it rests on
      , notes : List Text -- declared: what a reader must know
      , followUp : List Text -- declared: what is left to do
      }

in  KernelValidationRun
