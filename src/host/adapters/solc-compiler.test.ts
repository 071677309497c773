import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { memoryTransportPair } from '../../base/wire/memory'
import { serveWire, trustedPeer } from '../../base/wire/server'
import { type CompileOutcome, compileWire } from '../../node/compile/serve-compiler'
import { SolcCompiler } from './solc-compiler'

const never = new AbortController().signal
const compiled: CompileOutcome = {
  kind: 'compiled',
  code: '0x60',
  compilerVersion: '0.8.1+commit.x',
  abi: [],
  userDoc: {},
  developerDoc: {},
}

function compilerWith(compile: (source: string) => Promise<CompileOutcome>) {
  const clock = new FakeClock()
  const opened = { count: 0, closed: 0 }
  const open = () => {
    opened.count += 1
    const [mine, served] = memoryTransportPair()
    served.onClose(() => void opened.closed++)
    serveWire(
      compileWire,
      served,
      { compile: ({ source }) => compile(source) },
      { log: silentLogger, deny: trustedPeer },
    )
    return mine
  }
  const options = { searchFrom: import.meta.dirname, timeLimitMs: 1_000, idleMs: 5_000 }
  return { compiler: new SolcCompiler(options, { open, clock }), clock, opened }
}

describe('the compiler of the node', () => {
  it('starts its worker for the first source and ends it when idle', async () => {
    const { compiler, clock, opened } = compilerWith(async () => compiled)

    expect(opened.count).toBe(0)
    expect(await compiler.compile('a', never)).toMatchObject({ code: '0x60', languageVersion: '0.8.1' })
    await compiler.compile('b', never)
    expect(opened).toEqual({ count: 1, closed: 0 })
    clock.advance(5_000)
    expect(opened.closed).toBe(1)
    await compiler.compile('c', never)
    expect(opened.count).toBe(2)
  })

  it("passes the compiler's complaint on", async () => {
    const { compiler } = compilerWith(async () => ({ kind: 'refused', reason: 'ParserError: here' }))

    await expect(compiler.compile('a', never)).rejects.toMatchObject({
      code: 'RPC_FAILED',
      message: 'ParserError: here',
    })
  })

  it('ends a worker that hangs, and compiles the next source with another', async () => {
    const sources: string[] = []
    const { compiler, clock, opened } = compilerWith((source) => {
      sources.push(source)
      return source === 'endless' ? new Promise(() => undefined) : Promise.resolve(compiled)
    })

    const endless = compiler.compile('endless', never)
    await expect.poll(() => sources).toEqual(['endless'])
    clock.advance(1_000)

    await expect(endless).rejects.toThrow('the compiler did not end within 1000 ms')
    expect(await compiler.compile('next', never)).toMatchObject({ code: '0x60' })
    expect(opened.count).toBe(2)
  })

  it('drops a source whose caller has left', async () => {
    const { compiler, opened } = compilerWith(() => new Promise(() => undefined))
    const leaving = new AbortController()

    const waiting = compiler.compile('a', leaving.signal)
    await expect.poll(() => opened.count).toBe(1)
    leaving.abort(new Error('gone'))

    await expect(waiting).rejects.toThrow('gone')
    expect(opened.closed).toBe(1)
  })

  it('rejects sources beyond its queue limit', async () => {
    const { compiler } = compilerWith(() => new Promise(() => undefined))
    const waiting = Array.from({ length: 16 }, (_item, index) => compiler.compile(String(index), never))
    for (const one of waiting) one.catch(() => undefined)

    await expect(compiler.compile('one more', never)).rejects.toThrow('the compiler is busy')
    compiler.close()
  })
})
