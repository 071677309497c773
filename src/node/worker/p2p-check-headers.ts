// Verifies headers before their bodies are fetched: all rules, and every seal, on the proof-of-work threads.

import { Mutex } from '../../base/mutex'
import { HeaderLine } from '../chain/header-line'
import { type BlockHeader, blockHash } from '../model/header'
import type { Arrivals } from './arrivals'
import type { ChainSession } from './chain-session'
import type { HeadersVerdict } from './wire/p2p-wire'

/** Seals verified concurrently: an invalid one costs at most this many. */
const SLICE = 32

/** Header series followed concurrently: several syncs race, and one must not disrupt another. */
const MAX_LINES = 16

interface Ahead {
  /**
   * Verified headers, some not stored yet; most recently used last. The next ones build on one of them or on a stored
   * one.
   */
  readonly lines: HeaderLine[]
  readonly newLine: () => HeaderLine
  /** One call at a time: a late call of an aborted sync must not get between the headers of the next. */
  readonly turns: Mutex
}

const aheads = new WeakMap<ChainSession, Ahead>()

/** @param headers each on the one before; the first one's parent is stored or was just verified */
export function checkHeaders(session: ChainSession, headers: readonly BlockHeader[]): Promise<HeadersVerdict> {
  const ahead = aheads.get(session) ?? newAhead(session)
  const { arrivals } = session
  return ahead.turns.run(() => checkOn(lineFor(ahead, headers), headers, arrivals))
}

/** The series that the headers continue, or a new one that replaces the least recently used. */
function lineFor({ lines, newLine }: Ahead, [header]: readonly BlockHeader[]): HeaderLine {
  const at = header === undefined ? -1 : lines.findIndex((line) => line.continues({ header }))
  const [line = newLine()] = at < 0 ? [] : lines.splice(at, 1)
  lines.push(line)
  if (lines.length > MAX_LINES) lines.shift()
  return line
}

async function checkOn(line: HeaderLine, headers: readonly BlockHeader[], arrivals: Arrivals): Promise<HeadersVerdict> {
  line.dropStored()
  for (let start = 0; start < headers.length; start += SLICE) {
    const { ruled, broken } = checkRules(line, headers.slice(start, start + SLICE))
    const faults = await Promise.all(ruled.map(({ seal }) => seal))
    const bad = faults.findIndex((fault) => fault !== null)
    for (const { header, hash } of bad < 0 ? ruled : ruled.slice(0, bad)) arrivals.addHeader(header, hash)
    if (bad >= 0) {
      line.restart()
      return verdict(start + bad, faults[bad] ?? '')
    }
    if (broken !== null) return verdict(start + ruled.length, broken)
  }
  return { good: headers.length, fault: null }
}

/** The headers that satisfy the rules, with the check of their seals, and the fault of the next one. */
function checkRules(line: HeaderLine, headers: readonly BlockHeader[]) {
  const ruled: { header: BlockHeader; hash: Uint8Array; seal: Promise<string | null> }[] = []
  for (const header of headers) {
    const hash = blockHash(header)
    const { fault, seal } = line.check({ header, hash })
    if (fault !== null) return { ruled, broken: fault }
    ruled.push({ header, hash, seal })
  }
  return { ruled, broken: null }
}

function newAhead(session: ChainSession): Ahead {
  const { chain, seals } = session
  const { params, reads } = chain
  const newLine = (): HeaderLine => new HeaderLine({ params, reads, seals, nowSeconds: () => chain.nowSeconds() })
  const ahead = { lines: [], newLine, turns: new Mutex() }
  aheads.set(session, ahead)
  return ahead
}

function verdict(good: number, reason: string): HeadersVerdict {
  const kind = reason === 'block in the future' ? 'future' : reason === 'unknown ancestor' ? 'unknown parent' : 'fault'
  return { good, fault: { kind, reason } }
}
