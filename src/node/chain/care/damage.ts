// Kinds of damage a database can have, as shown to people and parsed by scripts.

/** `index`: canonical; `transactions`, `logs`: their indexes; `state`: flat; `nodes`: its tries. */
type DamageKind =
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
  /** Such as `block 12` or `000123.ldb`. */
  readonly where: string
  /** Completes "WHERE: ...". */
  readonly reason: string
}

/** One bad table can mean thousands of bad blocks: this many are named, all are counted. */
const MAX_NAMED = 50

/** These can be rebuilt from intact blocks. */
const INDEX_KINDS: readonly DamageKind[] = ['difficulty', 'index', 'transactions', 'logs']

/** Collects damage: counts all, keeps the first of each kind by name. */
export class DamageList {
  readonly named: Damage[] = []
  readonly kinds = new Set<DamageKind>()
  count = 0

  add(kind: DamageKind, where: string, reason: string): void {
    this.count++
    this.kinds.add(kind)
    if (this.named.length < MAX_NAMED) this.named.push({ kind, where, reason })
  }

  /** True when an index is damaged. */
  get hasIndexDamage(): boolean {
    return INDEX_KINDS.some((kind) => this.kinds.has(kind))
  }

  /** True when only indexes and trie nodes are damaged, which can be rebuilt in place. */
  get isDerivedOnly(): boolean {
    return [...this.kinds].every((kind) => kind === 'nodes' || INDEX_KINDS.includes(kind))
  }
}

export interface CareOptions {
  readonly onProgress: (progress: {
    readonly fraction: number
    readonly block: number
    readonly blocks: number
  }) => void
  /** Stops the work early, between two blocks. */
  readonly signal: AbortSignal
}
