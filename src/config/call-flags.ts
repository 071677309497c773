// Flags of single commands that belong to no configuration: for the parser, help, the manual page and completion.
import type { CommandName } from './schema'

/** One of them, without dashes. */
interface CallFlag {
  readonly takesValue: boolean
  /** Null: after every command. */
  readonly commands: readonly CommandName[] | null
  /** Of these commands only with these words after it, `''` for none; a missing one: with any. */
  readonly actions?: Readonly<Partial<Record<CommandName, readonly string[]>>>
  /** What a value may be; a path where it is missing. */
  readonly accepted?: string
  /** Its value in help. */
  readonly placeholder?: string
  /** A comma list: given again, it adds to what was given. */
  readonly isList?: boolean
  readonly help: string
}

const JSON_COMMANDS: readonly CommandName[] = [
  'account',
  'audit',
  'devices',
  'rigs',
  'pool',
  'tune',
  'bench',
  'config',
  'db',
  'verify',
  'update',
  'link',
  'status',
  'requests',
  'send',
  'doctor',
  'version',
]

/** By name. */
const CALL_FLAGS = {
  help: { takesValue: false, commands: null, help: 'Show this.' },
  version: { takesValue: false, commands: null, help: 'Print the version.' },
  'list-devices': {
    takesValue: false,
    commands: ['run', 'miner', 'devices'],
    help: 'List what can mine, and start nothing.',
  },
  json: {
    takesValue: false,
    commands: JSON_COMMANDS,
    actions: {
      account: ['list', 'device', 'unsigned'],
      db: ['inspect', 'stats', 'verify', 'repair'],
      tune: ['', 'list', 'set', 'reset'],
      requests: ['', 'list', 'show'],
    },
    help: 'Print JSON.',
  },
  seals: { takesValue: false, commands: ['db'], actions: { db: ['verify'] }, help: 'Verify every proof of work, too.' },
  yes: { takesValue: false, commands: ['removedb'], help: 'Confirm.' },
  quick: { takesValue: false, commands: ['bench'], help: 'Leave out what needs the whole DAG.' },
  password: {
    takesValue: true,
    commands: ['account', 'signer', 'rules', 'audit'],
    actions: { signer: ['init', 'attest', 'setpw', 'delpw', 'newaccount', 'restore'] },
    placeholder: 'FILE',
    help: 'Passwords from a file, one per line in the order of their use, instead of typing them.',
  },
  anchor: {
    takesValue: true,
    commands: ['audit'],
    accepted: 'RECORDS:HASH',
    placeholder: 'N:HASH',
    help: 'An end of the log that you wrote down.',
  },
  key: {
    takesValue: true,
    commands: ['verify', 'signer'],
    actions: { signer: ['descriptors'] },
    placeholder: 'FILE',
    help: 'Public key to trust.',
  },
  older: {
    takesValue: false,
    commands: ['verify', 'update', 'signer'],
    actions: { signer: ['descriptors'] },
    help: 'Accept an older version.',
  },
  from: { takesValue: true, commands: ['update'], placeholder: 'FILE', help: 'Take this package; no network.' },
  forget: { takesValue: false, commands: ['update'], help: 'Discard the waiting update.' },
  exec: {
    takesValue: true,
    commands: ['attach'],
    accepted: 'JavaScript',
    placeholder: 'CODE',
    help: 'Run this, print the result, and exit.',
  },
  preload: {
    takesValue: true,
    commands: ['attach'],
    placeholder: 'FILE,...',
    isList: true,
    help: 'Scripts to run first.',
  },
  group: {
    takesValue: true,
    commands: ['rigs'],
    accepted: 'comma-separated groups',
    placeholder: 'G,...',
    isList: true,
    help: 'Rigs of these groups.',
  },
  label: {
    takesValue: true,
    commands: ['rigs'],
    accepted: 'comma-separated LABEL=VALUE',
    placeholder: 'L=V,...',
    isList: true,
    help: 'Rigs with these labels.',
  },
  all: { takesValue: false, commands: ['rigs', 'help'], help: 'All of them.' },
  watch: { takesValue: false, commands: ['status'], help: 'Again every 2 seconds.' },
  follow: { takesValue: false, commands: ['logs'], help: 'Continue with what follows.' },
  wait: { takesValue: false, commands: ['send'], help: 'Wait until the payment is in a block.' },
} as const satisfies Readonly<Record<string, CallFlag>>

const BY_NAME: ReadonlyMap<string, CallFlag> = new Map(Object.entries(CALL_FLAGS))
export const CALL_FLAG_NAMES: readonly string[] = [...BY_NAME.keys()]

/** Those of one call, by name: a switch is on or off, another flag's value is null when it isn't given. */
export type CallFlagValues = {
  readonly [Name in keyof typeof CALL_FLAGS]: (typeof CALL_FLAGS)[Name]['takesValue'] extends true
    ? string | null
    : boolean
}

/** @param given the values typed, `true` or `false` of a switch */
export function callFlagValues(given: ReadonlyMap<string, string>): CallFlagValues {
  const values = [...BY_NAME].map(([name, { takesValue }]) => {
    const text = given.get(name) ?? null
    return [name, takesValue ? text : text === 'true']
  })
  // Each value was made as its flag says.
  return Object.fromEntries(values) as CallFlagValues
}

/** @param name as typed, without dashes */
export function callFlag(name: string): CallFlag | null {
  return BY_NAME.get(name) ?? null
}

/** Flags that only some commands have, for one of them. */
export function callFlagsOf(command: CommandName): readonly {
  readonly name: string
  readonly placeholder: string
  readonly takesValue: boolean
  readonly help: string
}[] {
  return [...BY_NAME].flatMap(([name, { commands, placeholder = '', takesValue, help }]) =>
    commands?.includes(command) === true ? [{ name, placeholder, takesValue, help }] : [],
  )
}
