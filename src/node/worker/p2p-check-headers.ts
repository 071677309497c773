// Checks headers before anybody fetches their bodies: all rules, and every seal, on the threads of the proof of work.

import { Mutex } from '../../base/mutex'
import { HeaderLine } from '../chain/header-line'
import { blockHash, decodeHeader } from '../model/header'
import type { ChainSession } from './chain-session'
import type { HeadersVerdict } from './wire/p2p-wire'

/** Seals that are checked at the same time: the first bad one costs no more than these. */
const SLICE = 32

/** Rows that are followed at the same time: several syncs race, and one must not cut off the headers of another. */
const MAX_LINES = 16

interface Ahead {
  /** Headers that were checked, of which some are not stored yet; used last = last. The next ones stand on one of them or on a stored one. */
  readonly lines: HeaderLine[]
  readonly newLine: () => HeaderLine
  /** One call at a time: what a sync that was given up asked for last must not get between the headers of the next. */
  readonly turns: Mutex
}

const aheads = new WeakMap<ChainSession, Ahead>()

/** @param headers RLP, each on the one before; the first one's parent is stored or was checked just before */
export function checkHeaders(session: ChainSession, headers: readonly Uint8Array[]): Promise<HeadersVerdict> {
  const ahead = aheads.get(session) ?? newAhead(session)
  return ahead.turns.run(() => checkOn(lineFor(ahead, headers), headers))
}

/** The line that the headers continue, else one that begins with them in place of the one that was longest unused. */
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

/** The seals of the headers that keep the rules, and what is wrong with the next one. */
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
