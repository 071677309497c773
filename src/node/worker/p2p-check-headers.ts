// Verifies headers before their bodies are fetched: all rules, and every seal, on the proof-of-work threads.

import { Mutex } from '../../base/mutex'
import { HeaderLine } from '../chain/header-line'
import { blockHash, decodeHeader } from '../model/header'
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

/** @param headers RLP, each on the one before; the first one's parent is stored or was just verified */
export function checkHeaders(session: ChainSession, headers: readonly Uint8Array[]): Promise<HeadersVerdict> {
  const ahead = aheads.get(session) ?? newAhead(session)
  return ahead.turns.run(() => checkOn(lineFor(ahead, headers), headers))
}

/** The series that the headers continue, or a new one that replaces the least recently used. */
function lineFor({ lines, newLine }: Ahead, headers: readonly Uint8Array[]): HeaderLine {
  const first = decodeHeader(headers[0] ?? new Uint8Array(0))
  const at = first.ok ? lines.findIndex((line) => line.continues({ header: first.value })) : -1
  const [line = newLine()] = at < 0 ? [] : lines.splice(at, 1)
  lines.push(line)
  if (lines.length > MAX_LINES) lines.shift()
  return line
}

async function checkOn(line: HeaderLine, headers: readonly Uint8Array[]): Promise<HeadersVerdict> {
  line.dropStored()
  for (let start = 0; start < headers.length; start += SLICE) {
    const { seals, broken } = checkRules(line, headers.slice(start, start + SLICE))
    const faults = await Promise.all(seals)
    const bad = faults.findIndex((fault) => fault !== null)
    if (bad >= 0) {
      line.restart()
      return verdict(start + bad, faults[bad] ?? '')
    }
    if (broken !== null) return verdict(start + seals.length, broken)
  }
  return { good: headers.length, fault: null }
}

/** The seals of the headers that satisfy the rules, and the fault of the next one. */
function checkRules(line: HeaderLine, headers: readonly Uint8Array[]) {
  const seals: Promise<string | null>[] = []
  for (const bytes of headers) {
    const header = decodeHeader(bytes)
    if (!header.ok) return { seals, broken: header.error }
    const { fault, seal } = line.check({ header: header.value, hash: blockHash(header.value) })
    if (fault !== null) return { seals, broken: fault }
    seals.push(seal)
  }
  return { seals, broken: null }
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
