// Options that users of the program's family type by habit and that have no meaning here: accepted, with one line that says so.

export interface Habit {
  readonly flag: string
  readonly takesValue: boolean
  /** Why nothing happens; completes "--flag is accepted without effect: ...". */
  readonly because: string
}

export const HABITS: readonly Habit[] = [
  { flag: 'suppress-bootwarn', takesValue: false, because: 'there is no start-up question to suppress' },
  { flag: 'nousb', takesValue: false, because: 'hardware wallets are never opened' },
  { flag: 'usb', takesValue: false, because: 'hardware wallets are not supported' },
  { flag: 'pcscdpath', takesValue: true, because: 'smart cards are not supported' },
  { flag: 'cl-nobin', takesValue: false, because: 'kernels are compiled for the device that runs them' },
  { flag: 'cl-noexit', takesValue: false, because: 'no kernel loop has to be told to go on' },
  { flag: 'cu-streams', takesValue: true, because: 'two launches are in flight on every GPU' },
  {
    flag: 'cp-devices',
    takesValue: true,
    because: 'the processor is one device: --cpu-threads says how much of it mines',
  },
  { flag: 'display-interval', takesValue: true, because: 'figures are in the window, the dashboard and the API' },
  { flag: 'syslog', takesValue: false, because: 'the log goes to standard error and into the data directory' },
  { flag: 'stdout', takesValue: false, because: 'standard output carries what a command is for, never the log' },
  { flag: 'nocolor', takesValue: false, because: 'log lines have no colours' },
]

/** The family's `--loglevel N` in our words: 0 and 1 errors, 2 warnings, 3 info, 4 debug, 5 trace. */
export const LEGACY_LOG_LEVELS = ['error', 'error', 'warn', 'info', 'debug', 'trace'] as const
