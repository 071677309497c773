// Blocking JSON-RPC calls: a worker makes the call while this thread waits.
import { join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { z } from 'zod'

/** Calls a method and returns its result. @throws Error with the node's own text, or why it couldn't be reached */
export type SyncCall = (method: string, params: readonly unknown[]) => unknown

export interface SyncRpc {
  readonly call: SyncCall
  close(): Promise<void>
}

const outcomeSchema = z.union([z.object({ text: z.string() }), z.object({ fault: z.string() })])
const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
})

/** @param target `http://...`, `https://...`, or the path of a socket @param workerDir folder of the built workers */
export function openSyncRpc(target: string, workerDir: string): SyncRpc {
  const flag = new SharedArrayBuffer(4)
  const isAnswered = new Int32Array(flag)
  const { port1: ours, port2: theirs } = new MessageChannel()
  const worker = new Worker(join(workerDir, 'console-worker.cjs'), {
    workerData: { target, flag, port: theirs },
    transferList: [theirs],
  })
  worker.unref()
  ours.unref()
  let id = 0
  const call: SyncCall = (method, params) => {
    id += 1
    Atomics.store(isAnswered, 0, 0)
    ours.postMessage(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    Atomics.wait(isAnswered, 0, 0)
    const outcome = outcomeSchema.parse(receiveMessageOnPort(ours)?.message)
    if ('fault' in outcome) throw failure(outcome.fault)
    return resultOf(outcome.text)
  }
  return {
    call,
    close: async () => {
      ours.close()
      await worker.terminate()
    },
  }
}

function resultOf(text: string): unknown {
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    throw failure('the answer is not JSON: is this a JSON-RPC address?')
  }
  const answer = answerSchema.safeParse(value)
  if (!answer.success) throw failure('the answer is not JSON-RPC')
  if (answer.data.error !== undefined) throw failure(answer.data.error.message)
  return answer.data.result ?? null
}

/** Without our own places in the code, which mean nothing to the person who typed the line. */
function failure(message: string): Error {
  const error = new Error(message)
  error.stack = `Error: ${message}`
  return error
}
