// Calls of generated and of purely random code on both engines: equal outputs, errors and gas, for every amount of gas.
import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../src/base/bytes'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { loadEngineModule } from '../../src/node/execution/wasm/module-file'
import { InlineQueries, inlineSession, READ_MS, ReadBudget } from '../../src/node/query/inline/inline-queries'
import type { MessageEngine, Ran } from '../../src/node/query/message-engine'
import type { CallArguments, StateOverride } from '../../src/node/query/query-wire'
import { runCall } from '../../src/node/query/run-call'
import type { QuerySession } from '../../src/node/query/session'
import { LOOPS, NO_CALL, sessionOn, someCall, stateOf } from './random/call-cases'
import { Chance } from './random/random-programs'

const loaded = loadEngineModule(import.meta.dirname)
if ('absent' in loaded) throw new Error(loaded.absent)
const LATEST = { kind: 'tag', tag: 'latest' } as const
const LIMITS = { isStopped: () => false, now: () => 0 }
/** CALLS_AGREE=100000 in the environment runs that many instead. */
const CALLS = Number(process.env.CALLS_AGREE ?? 2_000)
/** Only ends what hangs. */
const TIMEOUT_MS = 240_000 + 20 * CALLS

/** What a caller sees, and the gas. */
function answered(session: QuerySession, call: CallArguments, overrides: readonly StateOverride[]): string {
  const { messages } = session
  let gasUsed: number | null = null
  const told = <T extends Partial<Pick<Ran, 'applied' | 'aborted'>> | null>(ran: T): T => {
    gasUsed = ran?.aborted !== false || ran.applied?.kind !== 'done' ? null : ran.applied.result.gasUsed
    return ran
  }
  const watched = {
    call: (given: Parameters<MessageEngine['call']>[0]) => told(messages.call(given)),
    run: (given: Parameters<MessageEngine['run']>[0]) => told(messages.run(given)),
  }
  Object.assign(session, { messages: watched })
  const text = textOrError(() => runCall(session, { at: LATEST, call, overrides }, LIMITS))
  Object.assign(session, { messages })
  return `${text} ${gasUsed}`
}

/** Empty: left to a worker. */
function inlineAnswer(inline: InlineQueries, request: Parameters<InlineQueries['answer']>[0]): string {
  const answer = inline.answer(request) ?? ''
  if (typeof answer !== 'string') throw new Error('not answered in this turn')
  return answer
}

function textOrError(run: () => string): string {
  try {
    return run()
  } catch (error: unknown) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('calls on both engines', () => {
  it(
    'have the same result, whatever the code does and however much gas it has',
    async () => {
      const chance = new Chance(7)
      const state = await stateOf(chance)
      const [wasm, typescript] = [sessionOn(state, 'wasm'), sessionOn(state, 'typescript')]
      const seen = new Map<string, number>()
      let decided = 0
      const run = wasm.messages.call.bind(wasm.messages)
      wasm.messages.call = (call) => {
        const answer = run(call)
        if (answer !== null) decided++
        return answer
      }
      for (let i = 0; i < CALLS; i++) {
        const { call, overrides } = someCall(chance)
        const answer = answered(wasm, call, overrides)
        expect(answer, `call ${i}`).toBe(answered(typescript, call, overrides))
        const kind = answer.replace(/0x[0-9a-f]*|\d+/g, '#').slice(0, 40)
        seen.set(kind, (seen.get(kind) ?? 0) + 1)
      }
      expect(decided).toBeGreaterThan(0.3 * CALLS) // the others need a world
      for (const kind of [
        'out of gas',
        'stack underflow',
        'stack limit',
        'invalid jump',
        'invalid opcode',
        'execution reverted',
      ])
        expect(
          [...seen.keys()].some((text) => text.includes(kind)),
          `${kind} of ${[...seen.keys()].join('; ')}`,
        ).toBe(true)
    },
    TIMEOUT_MS,
  )

  it('have the same result inline, unless they are left to a worker', async () => {
    const chance = new Chance(9)
    const state = await stateOf(chance)
    const typescript = sessionOn(state, 'typescript')
    const clock = new FakeClock()
    const reads = new ReadBudget(READ_MS, clock)
    const session = inlineSession(typescript.options, { views: typescript.views, module: loaded.module })
    const nextTurn = (callback: () => void): void => callback()
    const inline = new InlineQueries({ session, reads, clock, runsTraces: false, nextTurn })
    let decided = 0
    for (let i = 0; i < CALLS; i++) {
      clock.advance(100) // it may have given up the last one
      const { call, overrides } = someCall(chance)
      const request = { kind: 'call' as const, at: LATEST, call, overrides: [...overrides] }
      const answer = textOrError(() => inlineAnswer(inline, request))
      if (answer === '') continue
      decided++
      expect(answer, `call ${i}`).toBe(textOrError(() => runCall(typescript, request, LIMITS)))
    }
    expect(decided).toBeGreaterThan(0.05 * CALLS)
  })

  it.each(['wasm', 'typescript'] as const)('end at their deadline, on %s', async (engine) => {
    const session = sessionOn(await stateOf(new Chance(7)), engine, 5_000)
    const endless = { ...NO_CALL, data: concatBytes(Uint8Array.of(0x5b), LOOPS) }
    let now = 0
    const limits = { isStopped: () => false, now: () => (now += 100) }

    expect(() => runCall(session, { at: LATEST, call: endless, overrides: [] }, limits)).toThrow(
      'execution aborted (timeout = 5s)',
    )
    expect(now).toBeLessThan(5_300)
  })
})
