// Checks headers before anybody fetches their bodies: all rules, and every seal, on the threads of the proof of work.

import { blockHash, decodeHeader } from '../chain/header'
import { HeaderLine } from '../chain/header-line'
import { Mutex } from '../chain/mutex'
import type { ChainSession } from './chain-session'
import type { HeadersVerdict } from './p2p-wire'

/** Seals that are checked at the same time: the first bad one costs no more than these. */
const SLICE = 32

interface Ahead {
  /** The headers that were checked last, of which some are not stored yet; the next ones stand on them or on stored ones. */
  readonly line: HeaderLine
  /** One call at a time: what a sync that was given up asked for last must not get between the headers of the next. */
  readonly turns: Mutex
}

const aheads = new WeakMap<ChainSession, Ahead>()

/** @param headers RLP, each on the one before; the first one's parent is stored or was checked just before */
export function checkHeaders(session: ChainSession, headers: readonly Uint8Array[]): Promise<HeadersVerdict> {
  const { line, turns } = aheads.get(session) ?? newAhead(session)
  return turns.run(() => checkOn(line, headers))
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
  const line = new HeaderLine({ params, reads, seals, nowSeconds: () => chain.nowSeconds() })
  const ahead = { line, turns: new Mutex() }
  aheads.set(session, ahead)
  return ahead
}

function verdict(good: number, reason: string): HeadersVerdict {
  const kind = reason === 'block in the future' ? 'future' : reason === 'unknown ancestor' ? 'unknown parent' : 'fault'
  return { good, fault: { kind, reason } }
}
