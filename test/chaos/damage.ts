// Files of the data directory, one of each kind, and the ways a disk damages them between two starts.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface Damage {
  /** Within the data directory. */
  readonly folder: string
  readonly file: RegExp
  /** How it is damaged; default: every way. */
  readonly ways?: readonly Way[]
  /**
   * What its owner does when the program names it: `repair` runs `headframe db repair`, `copy` restores the saved copy.
   */
  readonly cure: 'repair' | 'copy'
  /** The copy is restored even if the program started without it. */
  readonly isRestored?: boolean
}

export type Way = 'gone' | 'empty' | 'cut' | 'flip' | 'rubbish'

const WAYS: readonly Way[] = ['gone', 'empty', 'cut', 'flip', 'rubbish']

const CHAIN = { folder: 'custom/chain', cure: 'repair' } as const
const OWN = { folder: '', cure: 'copy' } as const

export const DAMAGES = {
  table: { ...CHAIN, file: /\.ldb$/ },
  log: { ...CHAIN, file: /^\d+\.log$/ },
  manifest: { ...CHAIN, file: /^MANIFEST/ },
  current: { ...CHAIN, file: /^CURRENT$/ },
  journal: { folder: 'custom', file: /^transactions\.journal$/, cure: 'copy' },
  'node key': { folder: 'custom', file: /^nodekey$/, cure: 'copy' },
  network: { folder: 'custom', file: /^network\.json$/, cure: 'copy' },
  anchors: { folder: 'custom', file: /^anchors\.json$/, cure: 'copy' },
  config: { ...OWN, file: /^config\.toml$/, isRestored: true },
  history: { ...OWN, file: /^miner-history-\w+\.bin$/ },
  accounts: { ...OWN, file: /^accounts\.json$/ },
  money: { ...OWN, file: /^money-[a-z]+\.jsonl$/ },
  dialects: { ...OWN, file: /^pool-dialects\.json$/ },
  lock: { ...OWN, file: /^headframe\.lock$/ },
  'audit log': { ...OWN, file: /^audit\.log$/, ways: ['cut'] },
  'program log': { folder: 'logs', file: /^headframe\.log$/, cure: 'copy' },
  'key file': { folder: 'keystore', file: /^UTC--/, cure: 'copy', isRestored: true },
} as const satisfies Readonly<Record<string, Damage>>

export type DamageKind = keyof typeof DAMAGES

/** One damaged file, with a copy of the original. */
export interface Spoiled {
  readonly path: string
  readonly name: string
  readonly way: Way
  readonly damage: Damage
  readonly restore: () => void
}

/** A torn line at the end, as left by a kill during a write. */
const CUT_BYTES = 40

/** @param aside folder for copies @returns null when there is no such file */
export function spoil(
  kind: DamageKind,
  where: { readonly datadir: string; readonly aside: string },
  roll: (limit: number) => number,
): Spoiled | null {
  const damage: Damage = DAMAGES[kind]
  const folder = join(where.datadir, damage.folder)
  if (!existsSync(folder)) return null
  const names = readdirSync(folder).filter((name) => damage.file.test(name) && statSync(join(folder, name)).size > 0)
  const name = names[roll(names.length)]
  const ways = damage.ways ?? WAYS
  const way = ways[roll(ways.length)]
  if (name === undefined || way === undefined) return null
  const path = join(folder, name)
  const copy = join(where.aside, basename(path))
  cpSync(path, copy)
  spoilFile(path, way, roll)
  return { path, name, way, damage, restore: () => cpSync(copy, path) }
}

function spoilFile(path: string, way: Way, roll: (limit: number) => number): void {
  switch (way) {
    case 'gone':
      rmSync(path)
      return
    case 'empty':
      truncateSync(path)
      return
    case 'cut':
      truncateSync(path, Math.max(1, statSync(path).size - 1 - roll(CUT_BYTES)))
      return
    case 'flip': {
      const bytes = readFileSync(path)
      const at = roll(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ 0x41
      writeFileSync(path, bytes)
      return
    }
    case 'rubbish':
      writeFileSync(path, Buffer.from(Array.from({ length: 100 + roll(400) }, () => roll(256))))
  }
}
