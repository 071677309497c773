// What is wrong with a database, as people and scripts read it.

/** `index` is the canonical index, `transactions` and `logs` the indexes of these; `state` the flat state, `nodes` its tries. */
export type DamageKind =
  | 'files'
  | 'head'
  | 'header'
  | 'seal'
  | 'body'
  | 'receipts'
  | 'difficulty'
  | 'index'
  | 'transactions'
  | 'logs'
  | 'state'
  | 'nodes'
  | 'code'

export interface Damage {
  readonly kind: DamageKind
  /** `block 12`, `000123.ldb`. */
  readonly where: string
  /** Completes "WHERE: ...". */
  readonly reason: string
}

/** One bad table can be thousands of bad blocks: so many are named, all are counted. */
const MAX_NAMED = 50

/** Made again from blocks that are there. */
const INDEX_KINDS: readonly DamageKind[] = ['difficulty', 'index', 'transactions', 'logs']

export class DamageList {
  readonly named: Damage[] = []
  readonly kinds = new Set<DamageKind>()
  count = 0

  add(kind: DamageKind, where: string, reason: string): void {
    this.count++
    this.kinds.add(kind)
    if (this.named.length < MAX_NAMED) this.named.push({ kind, where, reason })
  }

  /** Whether something is wrong with the indexes. */
  get hasIndexDamage(): boolean {
    return INDEX_KINDS.some((kind) => this.kinds.has(kind))
  }

  /** Whether indexes and trie nodes are all that is wrong, which can be made again where they lie. */
  get isDerivedOnly(): boolean {
    return [...this.kinds].every((kind) => kind === 'nodes' || INDEX_KINDS.includes(kind))
  }
}

/** How far a long piece of work is. */
export interface CareProgress {
  /** 0..1 of this piece. */
  readonly fraction: number
  /** Height that it is at. */
  readonly block: number
  /** Done so far. */
  readonly blocks: number
}

export interface CareOptions {
  readonly onProgress: (progress: CareProgress) => void
  /** Ends the work early, between two blocks. */
  readonly signal: AbortSignal
}
