// Whether two programs' answers to one call mean the same, apart from intended differences.

import { type AskedCall, type Json, plainAnswer } from './plain-answer'

export interface Answer {
  /** HTTP status. */
  readonly status: number
  readonly text: string
}

/** Intended differences, each with its reason; docs/guide/json-rpc.md lists them for users. */
interface Decided {
  readonly methods: RegExp
  readonly when: (ours: Json, theirs: Json, call: AskedCall) => boolean
  readonly reason: string
}

/** The kind of value that a result is. */
const shapeOf = (value: Json): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value)

const hasPending = ({ params }: AskedCall): boolean => JSON.stringify(params ?? null).includes('"pending"')

const messageOf = (answer: Json): string => String(answer?.error?.message ?? '')

/** Whether the trace list of a block contains only errors of this form. */
const areFaults = (answer: Json, form: RegExp): boolean =>
  Array.isArray(answer?.result) && answer.result.every((entry: Json) => form.test(String(entry?.error ?? '')))

const DECIDED: readonly Decided[] = [
  {
    methods: /./,
    when: (ours, theirs) => ours?.error?.code === -32602 && theirs?.error?.code === -32602,
    reason: 'what is wrong with an argument is said without the names of Go types',
  },
  {
    methods: /./,
    when: (ours) => /^invalid argument \d+: unknown (member|option) /.test(messageOf(ours)),
    reason: 'a member or option that a method does not know is refused by name',
  },
  {
    methods: /^eth_sendRawTransaction$/,
    when: (ours, theirs) => ours?.error?.code === -32000 && /^(rlp|typed|transaction)/.test(messageOf(theirs)),
    reason: 'what is wrong with the bytes of a transaction is said in our words',
  },
  {
    methods: /^debug_traceTransaction$/,
    when: (ours) => messageOf(ours) === 'transaction not found',
    reason: 'an unknown transaction is said to be unknown; prlx looks into block 0 for it',
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
    methods: /^eth_new/,
    when: (ours, theirs) => typeof ours?.result === 'string' && typeof theirs?.result === 'string',
    reason: 'a name for a filter is chance',
  },
  {
    methods: /^eth_signTransaction$/,
    when: (_ours, theirs) => /^(gas|nonce) not specified|^missing gasPrice/.test(messageOf(theirs)),
    reason: 'what a transaction lacks is filled in before it is signed; prlx refuses',
  },
  {
    methods: /^(eth|xhash)_submitHashrate$/,
    when: (ours, theirs) => ours?.result === true && theirs?.error?.code === -32602,
    reason: 'a rate may be of 32 bytes, as some miners send it',
  },
  {
    methods: /^eth_fillTransaction$/,
    when: (ours) => messageOf(ours).startsWith("chainId does not match node's"),
    reason: 'a transaction for another chain is refused',
  },
  {
    methods: /^debug_traceCall$/,
    when: (ours, _theirs, call) => hasPending(call) && ours?.result !== undefined,
    reason: 'prlx runs it on an empty state',
  },
  {
    methods: /^debug_accountRange$/,
    when: (_ours, theirs) => /illegal base64 data/.test(messageOf(theirs)),
    reason: 'a page may begin at a whole key in hex',
  },
  {
    methods: /^debug_(dumpBlock|accountRange)$/,
    when: (ours) => messageOf(ours).startsWith('the pending state cannot be dumped'),
    reason: 'the pending block is asked for with eth_getBlockByNumber',
  },
  {
    methods: /^debug_/,
    when: (ours, _theirs, { params }) =>
      ours?.error?.code === -32602 && JSON.stringify(params ?? null).includes(String(2 ** 53)),
    reason: 'a JSON number of 2^53 and more may be any of several: it is refused',
  },
  {
    methods: /^personal_ecRecover$/,
    when: (_ours, theirs) => /hex string without 0x prefix/.test(messageOf(theirs)),
    reason: 'a message may be plain text, as for personal_sign',
  },
  {
    methods: /^debug_traceBlockByNumber$/,
    when: (ours) => messageOf(ours) === 'pending block is not traceable',
    reason: 'the pending block is traced with debug_traceCall',
  },
  {
    methods: /^debug_trace/,
    when: (ours) => /^invalid argument \d+: (limit|reexec): /.test(messageOf(ours)),
    reason: 'a limit below 0 is refused; prlx takes it for none',
  },
  {
    methods: /^eth_getLogs$/,
    when: (ours, _theirs, call) => hasPending(call) && Array.isArray(ours?.result),
    reason: 'the newest logs are those of the newest stored block; prlx has none or fails',
  },
  {
    methods: /^eth_feeHistory$/,
    when: (ours, theirs, call) => hasPending(call) && ours?.error === undefined && theirs?.error === undefined,
    reason: 'the range ends with the newest stored block; prlx counts its own pending block',
  },
  {
    methods: /UncleCount/,
    when: (_ours, theirs) => theirs?.result === null,
    reason: 'a known block has 0x0 uncles; prlx says null',
  },
  {
    methods: /^(eth|xhash)_getWork$/,
    when: (ours, theirs) => ours?.result?.length === 3 && theirs?.result?.length === 4,
    reason: 'three items, and prlx has a fourth',
  },
  {
    methods: /^eth_getStorageAt$|^eth_getProof$/,
    when: (ours) => ours?.error?.code === -32602,
    reason: 'a position that is not hex is refused; prlx reads it as 0',
  },
  {
    methods: /./,
    when: (_ours, theirs) => messageOf(theirs) === 'method handler crashed',
    reason: 'prlx crashed',
  },
  {
    methods:
      /^(eth|xhash)_(coinbase|hashrate|getHashrate|mining|syncing|accounts|gasPrice|maxPriorityFeePerGas|pendingTransactions|fillTransaction)$|^rpc_modules$|^net_/,
    when: (ours, theirs) => 'result' in (ours ?? {}) && shapeOf(ours.result) === shapeOf(theirs?.result),
    reason: 'what the two are set to do differs, not how it is told',
  },
  {
    methods: /^eth_(createAccessList|fillTransaction)$/,
    when: (_ours, theirs) =>
      /^intrinsic|gas required exceeds|insufficient funds|without any data|err: /.test(messageOf(theirs)),
    reason: 'prlx puts its own gas price in before it estimates, and estimates before it knows the list',
  },
  {
    methods:
      /^eth_(createAccessList|estimateGas|fillTransaction|resend|signTransaction)$|^debug_trace|^debug_(seedHash|storageRangeAt|getBlockRlp|getHeaderRlp)$/,
    when: (ours, theirs) => ours?.error !== undefined && theirs?.error !== undefined,
    reason: 'of several faults of one call another one is named first',
  },
  {
    methods: /^debug_traceBlock/,
    when: (ours, theirs) => areFaults(theirs, /^tracer not found$/) && areFaults(ours, /./),
    reason: 'prlx says of every script that it cannot set up that there is no such tracer; ours says what is wrong',
  },
  {
    methods: /^debug_trace/,
    when: (ours) => /^time: invalid duration/.test(messageOf(ours)),
    reason: 'a time limit that is none fails the whole call; prlx looks at it for each transaction',
  },
  {
    methods: /^eth_createAccessList$/,
    when: (ours, theirs) => ours?.result !== undefined && theirs?.error?.code === -32000,
    reason: 'a list is made of what fails, too; prlx checks and estimates the call as one to be sent',
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
    reason: 'an unknown block is said to be unknown; prlx gives an empty list',
  },
]

/** Null if they mean the same; otherwise the kind of difference, with the same text for the same kind. */
export function differenceOf(call: AskedCall, ours: Answer, theirs: Answer): string | null {
  if (ours.status === theirs.status && ours.text.trim() === theirs.text.trim()) return null
  const [mine, reference] = [parsed(ours), parsed(theirs)]
  const method = String(call.method)
  if (DECIDED.some(({ methods, when }) => methods.test(method) && when(mine, reference, call))) return null
  const [first, second] = [plainAnswer(mine, call), plainAnswer(reference, call)]
  if (ours.status === theirs.status && JSON.stringify(first) === JSON.stringify(second)) return null
  const at = pathOf(first, second)
  return `${method}: ours ${kindOf(ours, mine)} | reference ${kindOf(theirs, reference)}${at === '' ? '' : ` at ${at}`}`
}

/** The first place where two values differ, without indexes; empty for the whole value. */
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
