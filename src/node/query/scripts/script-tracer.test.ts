import { describe, expect, it } from 'vitest'
import { keccak256 } from '../../codec/keccak'
import type { ScriptSubject } from '../tracers/call-tracer'
import { Scripts } from './script-tracer'

const subject: ScriptSubject = {
  message: { from: 1n, to: 2n, gas: 50_000, gasPrice: 7n, value: 3n, data: new Uint8Array(0), accessList: [] },
  blockNumber: 5,
  place: null,
  keccak256,
  isPrecompile: (address) => address === 1n,
  operations: Array.from({ length: 256 }, (_, op) => `OP${op}`),
}
const RESULT = { gasUsed: 0, gasSpent: 0, error: null, isRevert: false, output: new Uint8Array(0) }
const scripts = new Scripts()

/** The answer's text of a script whose `result` is `body`. @param looks how often it may be asked before it is late */
async function resultOf(body: string, looks = 1_000): Promise<string> {
  const run = await scripts.open()
  let asked = 0
  const tracer = run(
    { source: `{ fault: function () {}, result: function (ctx, db) { ${body} } }`, config: '{}' },
    subject,
    () => ++asked > looks,
  )
  try {
    let text = ''
    tracer.finish(RESULT, (part) => (text += part), null as never)
    return text
  } finally {
    tracer.close?.()
  }
}

const opened = async (source: string, config = '{}') => {
  const run = await scripts.open()
  run({ source, config }, subject, () => false).close?.()
}

describe('a tracer script', () => {
  it.each([
    ['hangs', 'for (;;) {}', /^execution timeout/],
    ['hangs in a message', 'throw { get message() { for (;;) {} } }', /./],
    ['takes all memory', 'var a = []; for (;;) a.push(new Uint8Array(8 << 20))', /out of memory/],
    ['makes a text without end', 'var s = "x"; for (;;) s += s', /string too long|out of memory/],
    ['calls itself', 'function f() { return f() + 1 } return f()', /stack overflow|call stack/i],
    ['gives what has no text', 'var a = {}; a.a = a; return a', /circular/i],
    ['throws a text', 'throw "boom"', /^boom {4}in server-side tracer function 'result'$/],
    ['looks beside the stack', 'return db.getBalance("text")', /invalid buffer type/],
    ['asks before anything ran', 'return db.exists(toAddress("0x1"))', /./],
  ])('that %s fails alone', async (_what, body, fault) => {
    await expect(resultOf(body, 50)).rejects.toMatchObject({
      code: 'RPC_FAILED',
      message: expect.stringMatching(fault),
    })
    expect(await resultOf('return 1')).toBe('1')
  })

  it('sees nothing of the program', async () => {
    const names = ['process', 'require', 'fetch', 'host', 'console', 'setTimeout', 'WebAssembly', 'Worker', 'Buffer']
    const body = `return ${JSON.stringify(names)}.filter(function (n) { return typeof globalThis[n] !== 'undefined' })`
    expect(await resultOf(body)).toBe('[]')
    expect(await resultOf('return [].constructor.constructor("return typeof process")()')).toBe('"undefined"')
  })

  it('answers in JSON whatever it does to the functions around it', async () => {
    const body =
      'JSON.stringify = function () { return "}{" }; Array.prototype.map = null; return { a: [1], b: undefined }'
    expect(await resultOf(body)).toBe('{"a":[1]}')
    for (const nothing of ['return', 'return null', 'return function () {}']) expect(await resultOf(nothing)).toBe('{}')
  })

  it('has numbers, made when they are first used, that it may replace', async () => {
    const small = 'bigInt[5] === bigInt[5], bigInt[-999], bigInt[1000] === undefined, bigInt.call(null, 7), bigInt.zero'
    expect(await resultOf(`return [${small}]`)).toBe('[true,"-999",true,"7","0"]')
    expect(await resultOf('return [ctx.value.add(1), ctx.value === ctx.value, ctx.gasPrice = 8, ctx.gasPrice]')).toBe(
      '["1",true,8,8]',
    )
    expect(await resultOf('var kept = bigInt; bigInt = 9; return [bigInt, kept(2), ctx.value]')).toBe('[9,"2","0"]')
    expect(await resultOf('return ctx')).toBe(await resultOf('void ctx.gasPrice; return ctx'))
  })

  it('leaves nothing behind for the next one', async () => {
    await resultOf('globalThis.left = 1; return 1')
    expect(await resultOf('return typeof left')).toBe('"undefined"')
  })

  it('receives its transaction, and its settings', async () => {
    const body = 'return [ctx.type, ctx.gasPrice * 2, ctx.block, ctx.txHash, isPrecompiled("0x01"), isPrecompiled([2])]'
    expect(await resultOf(body)).toBe('["CALL",14,5,null,true,false]')
    const setUp =
      '{ setup: function (c) { if (JSON.parse(c).a !== 1) throw "no" }, fault: function () {}, result: function () {} }'
    await opened(setUp, '{"a":1}')
    await expect(opened(setUp, '{"a":2}')).rejects.toThrow('no')
  })

  it.each([
    ['{', /SyntaxError/],
    ['(null)', /TypeError/],
    ['({})', /must expose a function result\(\)/],
    ['{ result: function () {} }', /must expose a function fault\(\)/],
    [
      '{ result: function () {}, fault: function () {}, enter: function () {} }',
      /both or none of enter\(\) and exit\(\)/,
    ],
    ['noSuchTracer', /^tracer not found$/],
    [`{${' '.repeat(1 << 20)}}`, /want at most 1048576/],
  ])("that isn't one is rejected: %.40s", async (source, fault) => {
    await expect(opened(source)).rejects.toMatchObject({ code: 'RPC_FAILED', message: expect.stringMatching(fault) })
  })
})
