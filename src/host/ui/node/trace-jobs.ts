// Traces requested in the UI: one at a time in the whole program, limited in time, length and rows.
import { z } from 'zod'
import { bytesOfHex } from '../../../base/hex'
import { TRACE_LIMITS, type TraceCallView, type TraceView } from '../../../contract/explorer'
import type { NodeService } from '../../../node/node-service'
import { asciiText } from '../../../node/query/text-sink'
import { HostError } from '../../errors'

/** Characters of a trace as written by the worker. */
const MAX_TEXT = 8 * 1024 * 1024

interface TraceQuestion {
  readonly hash: string
  readonly kind: TraceView['kind']
}

export class TraceJobs {
  #running: symbol | null = null

  /** @throws HostError HOST_TRACE_BUSY, HOST_TRACE_TOO_LARGE, HOST_TRACE_CANCELLED, and the node's errors */
  async trace(
    node: Pick<NodeService, 'queries'>,
    { hash, kind }: TraceQuestion,
    signal: AbortSignal,
  ): Promise<TraceView> {
    if (this.#running !== null) throw new HostError('HOST_TRACE_BUSY', undefined)
    const turn = Symbol(hash)
    this.#running = turn
    try {
      const text = await gather(node, { hash, kind }, signal)
      return kind === 'calls' ? callsOf(text) : stepsOf(text)
    } catch (error) {
      throw signal.aborted ? new HostError('HOST_TRACE_CANCELLED', undefined, { cause: error }) : error
    } finally {
      this.#running = null
    }
  }
}

async function gather(
  node: Pick<NodeService, 'queries'>,
  { hash, kind }: TraceQuestion,
  signal: AbortSignal,
): Promise<string> {
  const options = {
    tracer: kind === 'calls' ? ('callTracer' as const) : ('structs' as const),
    timeoutMs: TRACE_LIMITS.ms,
    script: null,
    memory: false,
    stack: false,
    storage: false,
    limit: TRACE_LIMITS.steps + 1,
  }
  const request = { kind: 'traceTransaction' as const, hash: bytesOfHex(hash), options }
  const pieces: string[] = []
  let left = MAX_TEXT
  for await (const piece of node.queries().stream(request, { signal })) {
    left -= piece.length
    if (left < 0) throw new HostError('HOST_TRACE_TOO_LARGE', { limit: MAX_TEXT })
    pieces.push(typeof piece === 'string' ? piece : asciiText(piece))
  }
  return pieces.join('')
}

const quantity = z.string().regex(/^0x[0-9a-f]+$/)
const callText = z.object({
  type: z.string(),
  from: z.string(),
  to: z.string().optional(),
  value: quantity.optional(),
  gasUsed: quantity,
  input: z.string(),
  error: z.string().optional(),
  calls: z.array(z.unknown()).optional(),
})

/** The call tree in call order. */
function callsOf(text: string): TraceView {
  const waiting: { readonly call: unknown; readonly depth: number }[] = [{ call: JSON.parse(text), depth: 0 }]
  const calls: TraceCallView[] = []
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (calls.length === TRACE_LIMITS.calls) return { kind: 'calls', calls, isCut: true }
    const { depth } = next
    const call = callText.parse(next.call)
    calls.push(callView(call, depth))
    for (const inner of [...(call.calls ?? [])].reverse()) waiting.push({ call: inner, depth: depth + 1 })
  }
  return { kind: 'calls', calls, isCut: false }
}

function callView(call: z.infer<typeof callText>, depth: number): TraceCallView {
  const inputBytes = (call.input.length - 2) / 2
  return {
    depth,
    kind: call.type,
    from: call.from,
    to: call.to ?? null,
    value: call.value === undefined ? null : BigInt(call.value).toString(),
    gasUsed: Number(call.gasUsed),
    selector: call.type.startsWith('CREATE') || inputBytes < 4 ? '' : call.input.slice(0, 10),
    inputBytes,
    error: call.error ?? '',
  }
}

const stepsText = z.object({
  structLogs: z.array(
    z.object({
      pc: z.number(),
      op: z.string(),
      gas: z.number(),
      gasCost: z.number(),
      depth: z.number(),
      error: z.unknown().optional(),
    }),
  ),
})

function stepsOf(text: string): TraceView {
  const { structLogs } = stepsText.parse(JSON.parse(text))
  const steps = structLogs.slice(0, TRACE_LIMITS.steps).map(({ error, ...step }) => ({
    ...step,
    error: typeof error === 'string' ? error : '',
  }))
  return { kind: 'steps', steps, isCut: structLogs.length > TRACE_LIMITS.steps }
}
