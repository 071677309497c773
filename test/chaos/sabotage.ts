// A chaos run that must fail: what it guards is broken on purpose, each guard in its own way, and each must be found.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Sabotage {
  /** Sabotages on command. */
  readonly what: string
  /** Text of the fault that has to be found. */
  readonly fault: RegExp
  /** After the program's last exit; missing: `Interference` does it inside the program. */
  readonly spoil?: (datadir: string) => void
}

const SABOTAGES: readonly Sabotage[] = [
  { what: 'every share goes out twice', fault: /^\d+ shares were sent twice$/ },
  { what: 'the journal of transactions stays empty', fault: /^payment \d+ was taken and is gone after a start$/ },
  {
    what: 'a key file is lost',
    fault: /^the key of 0x[0-9a-fA-F]{40} does not open/,
    spoil(datadir) {
      const folder = join(datadir, 'keystore')
      rmSync(join(folder, lastOf(readdirSync(folder).sort()))) // their names begin with the time
    },
  },
  {
    what: 'the last record of the audit log is cut off',
    fault: /^audit verify ended with 1/,
    spoil(datadir) {
      const file = join(datadir, 'audit.log')
      const lines = readFileSync(file, 'utf8').split('\n')
      writeFileSync(file, `${lines.slice(0, -2).join('\n')}\n`)
    },
  },
  {
    what: 'a byte of the database is another one',
    fault: /^db verify --seals ended with 1/,
    spoil(datadir) {
      const folder = join(datadir, 'custom/chain')
      const bytesOf = (name: string): number => statSync(join(folder, name)).size
      const names = readdirSync(folder).filter((name) => /\.(?:ldb|log)$/.test(name))
      const file = join(folder, lastOf(names.sort((a, b) => bytesOf(a) - bytesOf(b))))
      const bytes = readFileSync(file)
      const middle = bytes.length >> 1
      bytes[middle] = (bytes[middle] ?? 0) ^ 1
      writeFileSync(file, bytes)
    },
  },
]

/** Damages the files like someone who arrives after the program's last exit. */
export function spoilFiles(datadir: string, tell: (line: string) => void): void {
  for (const { what, spoil } of SABOTAGES) {
    spoil?.(datadir)
    tell(`sabotaged: ${what}`)
  }
}

/** What was broken and not found; empty if the run finds everything. @param faults of the run */
export function unnoticed(faults: readonly string[]): readonly string[] {
  return SABOTAGES.filter(({ fault }) => !faults.some((text) => fault.test(text))).map(({ what }) => what)
}

function lastOf(names: readonly string[]): string {
  const name = names.at(-1)
  if (name === undefined) throw new Error('no file to spoil')
  return name
}
