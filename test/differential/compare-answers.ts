// Whether two programs' answers to one call mean the same, after the differences that were decided.

import { type AskedCall, type Json, plainAnswer } from './plain-answer'

export interface Answer {
  /** HTTP status. */
  readonly status: number
  readonly text: string
}

/** Differences that stay, each with its reason; docs/guide/json-rpc.md lists them for users. */
interface Decided {
  readonly methods: RegExp
  readonly when: (ours: Json, theirs: Json) => boolean
  readonly reason: string
}

/** The kind of value that a result is. */
const shapeOf = (value: Json): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value)

const messageOf = (answer: Json): string => String(answer?.error?.message ?? '')

const DECIDED: readonly Decided[] = [
  {
    methods: /./,
    when: (ours, theirs) => ours?.error?.code === -32602 && theirs?.error?.code === -32602,
    reason: 'what is wrong with an argument is said without the names of Go types',
  },
  {
    methods: /^eth_sendRawTransaction$/,
    when: (ours, theirs) => ours?.error?.code === -32000 && /^(rlp|typed|transaction)/.test(messageOf(theirs)),
    reason: 'what is wrong with the bytes of a transaction is said in our words',
  },
  {
    methods: /^debug_traceTransaction$/,
    when: (ours) => messageOf(ours) === 'transaction not found',
    reason: 'an unknown transaction is said to be unknown; the reference looks into block 0 for it',
  },
  {
    methods: /^eth_estimateGas$/,
    when: (_ours, theirs) => messageOf(theirs) === 'insufficient funds for transfer',
    reason: 'a value of 0 is the same as none',
  },
  {
    methods: /^debug_(printBlock|preimage)$/,
    when: (ours) => ours?.error?.code === -32000,
    reason: 'refused with a reason, see docs/reference/rpc.md',
  },
  {
    methods: /^eth_coinbase$/,
    when: (_ours, theirs) => messageOf(theirs) === 'coinbase must be explicitly specified',
    reason: 'the two have other reward accounts',
  },
  {
    methods: /UncleCount/,
    when: (_ours, theirs) => theirs?.result === null,
    reason: 'a known block has 0x0 uncles; the reference says null',
  },
  {
    methods: /^eth_getWork$/,
    when: (ours, theirs) => ours?.result?.length === 3 && theirs?.result?.length === 4,
    reason: 'three items, and the reference has a fourth',
  },
  {
    methods: /^eth_getStorageAt$|^eth_getProof$/,
    when: (ours) => ours?.error?.code === -32602,
    reason: 'a position that is not hex is refused; the reference reads it as 0',
  },
  {
    methods: /./,
    when: (_ours, theirs) => messageOf(theirs) === 'method handler crashed',
    reason: 'the reference crashed',
  },
  {
    methods:
      /^eth_(coinbase|hashrate|mining|syncing|accounts|gasPrice|maxPriorityFeePerGas|pendingTransactions|fillTransaction)$|^rpc_modules$|^net_/,
    when: (ours, theirs) => 'result' in (ours ?? {}) && shapeOf(ours.result) === shapeOf(theirs?.result),
    reason: 'what the two are set to do differs, not how it is told',
  },
  {
    methods: /^eth_(createAccessList|fillTransaction)$/,
    when: (_ours, theirs) =>
      /^intrinsic|gas required exceeds|insufficient funds|without any data|err: /.test(messageOf(theirs)),
    reason: 'the reference puts its own gas price in before it estimates, and estimates before it knows the list',
  },
  {
    methods:
      /^eth_(createAccessList|estimateGas|fillTransaction)$|^debug_trace|^debug_(seedHash|storageRangeAt|getBlockRlp|getHeaderRlp)$/,
    when: (ours, theirs) => ours?.error !== undefined && theirs?.error !== undefined,
    reason: 'of several faults of one call another one is named first',
  },
  {
    methods: /^debug_trace/,
    when: (ours) => /^time: invalid duration/.test(messageOf(ours)),
    reason: 'a time limit that is none fails the whole call; the reference looks at it for each transaction',
  },
  {
    methods: /^eth_createAccessList$/,
    when: (ours, theirs) => ours?.result !== undefined && theirs?.error?.code === -32000,
    reason: 'a list is made of what fails, too; the reference checks and estimates the call as one to be sent',
  },
  {
    methods: /^http$/,
    when: (_ours, theirs) => theirs === undefined,
    reason: 'Host names match in any case, addresses are always let in, and GET is answered whatever it carries',
  },
  {
    methods: /^http$/,
    when: (ours) => ['parse error', 'invalid request'].includes(messageOf(ours)),
    reason: 'a body is one value and nothing behind it, with the member names that JSON-RPC gives them',
  },
  {
    methods: /^debug_getRawReceipts$/,
    when: (ours) => messageOf(ours) === 'header for hash not found',
    reason: 'an unknown block is said to be unknown; the reference gives an empty list',
  },
]

/** Null when they mean the same; else what kind of difference it is, the same text for the same kind. */
export function differenceOf(call: AskedCall, ours: Answer, theirs: Answer): string | null {
  if (ours.status === theirs.status && ours.text.trim() === theirs.text.trim()) return null
  const [mine, reference] = [parsed(ours), parsed(theirs)]
  const method = String(call.method)
  if (DECIDED.some(({ methods, when }) => methods.test(method) && when(mine, reference))) return null
  const [first, second] = [plainAnswer(mine, call), plainAnswer(reference, call)]
  if (ours.status === theirs.status && JSON.stringify(first) === JSON.stringify(second)) return null
  const at = pathOf(first, second)
  return `${method}: ours ${kindOf(ours, mine)} | reference ${kindOf(theirs, reference)}${at === '' ? '' : ` at ${at}`}`
}

/** The first place where two values differ, without indexes; empty for the whole. */
function pathOf(mine: Json, reference: Json): string {
  if (typeof mine !== 'object' || typeof reference !== 'object' || mine === null || reference === null) return ''
  for (const name of new Set([...Object.keys(mine), ...Object.keys(reference)])) {
    if (JSON.stringify(mine[name]) === JSON.stringify(reference[name])) continue
    const below = pathOf(mine[name], reference[name])
    return `${/^\d+$/.test(name) ? '[]' : name}${below === '' ? '' : `.${below}`}`
  }
  return ''
}

function parsed({ text }: Answer): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function kindOf({ status, text }: Answer, json: Json): string {
  if (json === undefined) return `HTTP ${status} ${text.trim().slice(0, 80)}`
  const error = json?.error
  if (error !== undefined) return `${error.code} ${String(error.message).replace(/0x[0-9a-f]{4,}|\d+/gi, '#')}`
  const { result } = json ?? {}
  return result === null ? 'null' : Array.isArray(result) ? 'list' : typeof result
}
