// What is worth a notification: each thing once, by the user's settings.
import type { Clock } from '../../base/time'
import type { NoticeKind } from '../../config/options/desktop'
import { isQuiet, type QuietHours } from '../../config/values/quiet-hours'
import { diskLevel } from '../../contract/machine'
import type { ShellFacts } from './shell-facts'
import type { ShellWords } from './words/words'

export interface Notice {
  readonly kind: NoticeKind
  readonly body: string
  /** Where a click leads; for an approval its own window opens instead. */
  readonly route: string
}

export interface NoticeWishes {
  /** Kinds to show; `none` among them disables all. */
  readonly notify: readonly string[]
  readonly quietHours: QuietHours | null
}

interface NoticesDeps {
  readonly clock: Clock
  readonly words: ShellWords
  readonly wishes: () => NoticeWishes
  /** Minute of the local day of a UTC time. */
  readonly minuteOfDay: (at: number) => number
  readonly show: (notice: Notice) => void
}

/** The same kind about the same thing isn't repeated within this time. */
const AGAIN_MS = 10 * 60_000
/** A caller that keeps requesting and withdrawing doesn't cause a notification each time. */
const APPROVAL_AGAIN_MS = 15_000
/** A node is a few blocks behind whenever blocks arrive; far behind for a while is different. */
const BEHIND_BLOCKS = 10
const BEHIND_MS = 60_000
const GIBIBYTE = 1024 ** 3
/** From this number on they are combined. */
const GROUP_FROM = 3
/** Untrusted text is truncated to this. */
const FOREIGN_LENGTH = 160

/** Reportable conditions by key, to compare with the next look. */
interface Condition extends Notice {
  readonly target: string
}

export class Notices {
  readonly #deps: NoticesDeps
  readonly #toldAt = new Map<string, number>()
  #standing: ReadonlySet<string> = new Set()
  #lastProofAt: number | null = null
  #wasSynced = false
  #behindSince: number | null = null
  #sideBlocksTold = 0
  readonly #nextUnlocks = new Map<string, number | null>()
  #reportAt: number | null = null
  #switches: { readonly host: string; readonly count: number } | null = null

  constructor(deps: NoticesDeps) {
    this.#deps = deps
  }

  /** A request arrived and its window isn't in front. */
  approvalCame(): void {
    const { noticeApproval } = this.#deps.words
    this.#tell({ kind: 'approval', target: '', body: noticeApproval, route: '/accounts/approvals' }, APPROVAL_AGAIN_MS)
  }

  /** Reports what is new since the last call. */
  look(facts: ShellFacts): void {
    const conditions = [...this.#incidents(facts), ...this.#node(facts), ...this.#disk(facts)]
    const fresh = conditions.filter((condition) => !this.#standing.has(keyOf(condition)))
    for (const condition of this.#grouped(fresh)) this.#tell(condition, AGAIN_MS)
    this.#standing = new Set(conditions.map(keyOf))
    this.#block(facts)
    this.#sideBlocks(facts)
    this.#reward(facts)
    this.#switched(facts)
    this.#report(facts)
  }

  /** Many of a kind at once become one message: a power cut stops all rigs, a hot day all devices. */
  #grouped(fresh: readonly Condition[]): readonly Condition[] {
    return [...new Set(fresh.map(({ kind }) => kind))].flatMap((kind) => {
      const all = fresh.filter((condition) => condition.kind === kind)
      const [first] = all
      if (first === undefined || all.length < GROUP_FROM) return all
      const body = this.#deps.words.noticeMore(first.body, all.length - 1)
      return [{ ...first, target: 'many', body, route: first.route.replace(/\/[^/]*$/, '') || first.route }]
    })
  }

  /** What is wrong, as the program judges it. */
  #incidents({ incidents }: ShellFacts): Condition[] {
    const { words } = this.#deps
    return incidents.flatMap(({ cause, devices: [device], pool, rig, values, id }) => {
      const name = `${device?.index ?? ''} ${device?.name ?? ''}`
      const route = device === undefined ? '/' : `/gpus/${device.index}`
      const about = (kind: NoticeKind, body: string, at = route): Condition[] => [{ kind, target: id, body, route: at }]
      if (cause === 'hot') return values.paused === 1 ? about('heat', words.noticeHeat(name)) : []
      if (cause === 'device-error' || cause === 'device-silent') return about('fault', words.noticeFault(name))
      if (cause === 'pool-lost') return about('pool', words.noticePool(plainWords(pool)), '/pools')
      if (cause === 'pool-trouble')
        return about('warning', words.noticeWarning(plainWords(String(values.text ?? ''))), '/pools')
      const isRigAway = cause === 'rig-offline' || cause === 'rig-stale'
      return isRigAway ? about('rig', words.noticeRig(plainWords(rig)), `/rigs/${encodeURIComponent(rig)}`) : []
    })
  }

  /** The initial sync isn't news; falling behind afterwards is. */
  #node({ blocksBehind, syncFraction }: ShellFacts): Condition[] {
    const now = this.#deps.clock.monotonic()
    const isBehind = blocksBehind > BEHIND_BLOCKS
    if (!isBehind) {
      this.#behindSince = null
      if (syncFraction === null) this.#wasSynced = true
      return []
    }
    if (!this.#wasSynced) return []
    this.#behindSince ??= now
    if (now - this.#behindSince < BEHIND_MS) return []
    return [{ kind: 'node', target: '', body: this.#deps.words.noticeNode(blocksBehind), route: '/node' }]
  }

  #disk({ disk }: ShellFacts): Condition[] {
    if (disk === null || disk.freeBytes === null || diskLevel(disk) === null) return []
    const body = this.#deps.words.noticeDisk(Math.round((disk.freeBytes / GIBIBYTE) * 10) / 10)
    return [{ kind: 'disk', target: '', body, route: '/settings/about' }]
  }

  /** Solo, an accepted share is a block. Shares from before the first look aren't news. */
  #block({ status }: ShellFacts): void {
    if (status === null) return
    const at = status.lastProof?.at ?? null
    const isNew = this.#lastProofAt !== null && at !== null && at > this.#lastProofAt
    this.#lastProofAt = at ?? this.#lastProofAt ?? 0
    if (!isNew || status.source.kind !== 'solo') return
    this.#tell({ kind: 'block', target: '', body: this.#deps.words.noticeBlock, route: '/node/blocks' }, AGAIN_MS)
  }

  /** A report from before the first look isn't news; the dashboard shows it. */
  #report({ reportAt }: ShellFacts): void {
    const before = this.#reportAt
    this.#reportAt = reportAt ?? before
    if (before === null || reportAt === null || reportAt <= before) return
    this.#tell({ kind: 'report', target: '', body: this.#deps.words.noticeReport, route: '/' }, AGAIN_MS)
  }

  #sideBlocks({ sideBlocks }: ShellFacts): void {
    for (const number of sideBlocks.slice(this.#sideBlocksTold)) {
      const body = this.#deps.words.noticeSideBlock(number)
      this.#tell({ kind: 'side-block', target: '', body, route: `/node/block/${number}` }, AGAIN_MS)
    }
    this.#sideBlocksTold = sideBlocks.length
  }

  /** Subsidies that have matured. Past heights during a sync aren't news. */
  #reward({ balances, syncFraction }: ShellFacts): void {
    if (balances === null || balances.asOf === null) return
    for (const { address, nextUnlock } of balances.accounts) {
      const due = this.#nextUnlocks.get(address)
      this.#nextUnlocks.set(address, nextUnlock?.height ?? null)
      if (due == null || due > balances.asOf || due === nextUnlock?.height || syncFraction !== null) continue
      const route = `/accounts/${address}`
      this.#tell({ kind: 'reward', target: address, body: this.#deps.words.noticeReward, route }, AGAIN_MS)
    }
  }

  #switched({ status }: ShellFacts): void {
    if (status === null || status.source.kind !== 'pool' || !status.source.connected) return
    const { host, switches } = status.source
    const before = this.#switches
    this.#switches = { host, count: switches }
    if (before === null || before.host === host || switches <= before.count) return
    const body = this.#deps.words.noticeSwitched(plainWords(host))
    this.#tell({ kind: 'pool', target: `to ${host}`, body, route: '/pools' }, AGAIN_MS)
  }

  #tell(condition: Condition, againMs: number): void {
    const { clock, wishes, minuteOfDay, show } = this.#deps
    const { kind, body, route } = condition
    const { notify, quietHours } = wishes()
    if (notify.includes('none') || !notify.includes(kind)) return
    // Signature requests can't wait.
    if (kind !== 'approval' && quietHours !== null && isQuiet(quietHours, minuteOfDay(clock.now()))) return
    const key = keyOf(condition)
    const now = clock.monotonic()
    const toldAt = this.#toldAt.get(key)
    if (toldAt !== undefined && now - toldAt < againMs) return
    this.#toldAt.set(key, now)
    show({ kind, body, route })
  }
}

function keyOf({ kind, target }: Condition): string {
  return `${kind} ${target}`
}

/** Untrusted text without characters that a notification would hide or reorder. */
function plainWords(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ').slice(0, FOREIGN_LENGTH)
}
