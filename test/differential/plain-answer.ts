// An answer without what may differ between two programs: the order of members, members that only ours has on purpose,
// and each program's own choices for its pending block.

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at member by member
export type Json = any

export interface AskedCall {
  readonly method: string
  readonly params: unknown
}

/** In every block of ours; prlx omits them, so its sizes differ. */
const OWN_MEMBERS = new Set(['sha3Uncles', 'uncles', 'size'])
/** Each program fills its own pending block: with its extra data, time, reward account and what follows from them. */
const PENDING_MEMBERS = new Set([
  'extraData',
  'timestamp',
  'difficulty',
  'totalDifficulty',
  'gasLimit',
  'miner',
  'stateRoot',
  'epochStartTime',
])
/** Ours adds what libraries need of a pending block: see docs/guide/clients.md. */
const PENDING_FILLED = new Set(['number', 'logsBloom', 'hash', 'nonce', 'mixHash'])

/** The same JSON value for answers that mean the same. */
export function plainAnswer(answer: Json, { method, params }: AskedCall): Json {
  const value = ordered(answer, OWN_MEMBERS)
  if (value?.result === undefined || value.result === null) return value
  if (/^eth_get(Block|Header)ByNumber$/.test(method) && JSON.stringify(params ?? null).includes('"pending"'))
    return { ...value, result: ordered(value.result, new Set([...PENDING_MEMBERS, ...PENDING_FILLED])) }
  if (method === 'debug_storageRangeAt') return { ...value, result: slotsOf(value.result) }
  if (/^debug_(dumpBlock|accountRange)$/.test(method)) return { ...value, result: dumpOf(value.result) }
  if (method.startsWith('debug_trace')) return { ...value, result: traceOf(value.result) }
  return value
}

/** Members sorted by name, at every depth. @param dropped names of members that are removed */
function ordered(value: Json, dropped: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => ordered(item, dropped))
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).filter((name) => !dropped.has(name))
  return Object.fromEntries(names.sort().map((name) => [name, ordered(value[name], dropped)]))
}

/**
 * Which hashed slots still have a name depends on what each program keeps; a name that both know is the same by its
 * hash.
 */
function slotsOf({ storage, nextKey }: Json): Json {
  const slots = Object.entries<Json>(storage ?? {}).map(([hash, { value }]) => [hash, value])
  return { storage: Object.fromEntries(slots), nextKey }
}

/** Slots without their names: ours have one if the head still has the slot. */
function dumpOf(result: Json): Json {
  const accounts = Object.entries<Json>(result.accounts ?? {}).map(([name, { storage, ...account }]) => [
    name,
    { ...account, slots: Object.values(storage ?? {}).sort() },
  ])
  return { ...result, accounts: Object.fromEntries(accounts) }
}

/** Traces of one transaction, or of a block: stack words of any length, and `error` where there is one. */
function traceOf(result: Json): Json {
  if (Array.isArray(result))
    return result.map((entry) =>
      entry?.result === undefined ? { error: shortFault(entry?.error) } : { ...entry, result: traceOf(entry.result) },
    )
  if (!Array.isArray(result?.structLogs)) return result
  const structLogs = result.structLogs.map(({ error, stack, ...entry }: Json) => ({
    ...entry,
    ...(error === null || error === undefined ? {} : { error }),
    ...(Array.isArray(stack) ? { stack: stack.map(word) } : {}),
  }))
  return { ...result, structLogs }
}

/** An interpreter's message about a script that it can't run is its own. */
function shortFault(error: Json): Json {
  return /^(tracer not found|\w*Error: )/.test(String(error)) ? 'a script that does not run' : error
}

/** @param text hex digits, with or without `0x` */
function word(text: string): string {
  return BigInt(text.startsWith('0x') ? text : `0x${text}`).toString(16)
}
