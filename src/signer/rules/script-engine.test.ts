import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { systemClock } from '../../base/time'
import type { RuleTask } from './rules-wire'
import { ScriptEngine } from './script-engine'

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5)
const engine = new ScriptEngine(systemClock(), () => null)

const task = (source: string, change: Partial<RuleTask> = {}): RuleTask => ({
  source,
  run: 'ApproveTx',
  argument: '{"transaction":{"value":"0x3e7"}}',
  storage: [],
  now: NOW,
  ...change,
})

const answer = async (expression: string): Promise<string | null> => {
  const outcome = await engine.evaluate(task(`function ApproveTx(r) { return String(${expression}) }`))
  expect(outcome.failure).toBe('')
  return outcome.answer
}

describe('the rule interpreter', () => {
  it('passes the request on and takes the text that the function returns', async () => {
    const outcome = await engine.evaluate(
      task('function ApproveTx(r) { if (r.transaction.value == "0x3e7") return "Approve" }'),
    )

    expect(outcome).toEqual({ answer: 'Approve', failure: '', writes: [], lines: [] })
  })

  it('never executes anything in the names of a request', async () => {
    const argument = JSON.stringify({ 'a"__proto__': 1, b: ' + (function () { throw new Error("ran") })() + "' })

    const outcome = await engine.evaluate(
      task('function ApproveTx(r) { return Object.keys(r)[0] + r.b }', { argument }),
    )

    expect(outcome).toMatchObject({
      failure: '',
      answer: 'a"__proto__ + (function () { throw new Error("ran") })() + "',
    })
  })

  it('parses the request before a script can replace the parser', async () => {
    const outcome = await engine.evaluate(
      task('JSON.parse = function () { return {} }; function ApproveTx(r) { return r.transaction.value }'),
    )

    expect(outcome.answer).toBe('0x3e7')
  })

  it.each([
    ['nothing', 'function ApproveTx() {}'],
    [
      'an object that looks like a text',
      'function ApproveTx() { return { toString: function () { return "Approve" } } }',
    ],
    ['a String object', 'function ApproveTx() { return new String("Approve") }'],
    ['a promise', 'async function ApproveTx() { return "Approve" }'],
  ])('treats %s as no answer', async (_what, source) => {
    expect(await engine.evaluate(task(source))).toMatchObject({ answer: null, failure: '' })
  })

  it.each([
    ['throws', 'function ApproveTx() { throw new Error("no") }', 'Error: no'],
    ['throws a text', 'function ApproveTx() { throw "no" }', 'threw "no"'],
    ['lacks the function', 'function Other() {}', 'ReferenceError'],
    ['is no script', 'function (', 'SyntaxError'],
    ['never ends', 'function ApproveTx() { for (;;) {} }', 'interrupted'],
    ['never ends while loading', 'for (;;) {}', 'interrupted'],
    [
      'catches its interruption',
      'function ApproveTx() { for (;;) { try { for (;;) {} } catch (e) { continue } } }',
      'interrupted',
    ],
    ['takes all memory', 'function ApproveTx() { var a = []; for (;;) a.push(new Array(1000).fill(1)) }', 'null'],
    ['takes all memory in one text', 'function ApproveTx() { return "x".repeat(1e9) }', 'out of memory'],
    ['calls itself for ever', 'function ApproveTx() { return ApproveTx() + 1 }', 'stack'],
  ])('gives no answer if a script %s', async (_what, source, reason) => {
    const outcome = await engine.evaluate(task(source))

    expect(outcome).toMatchObject({ answer: null, writes: [] })
    expect(outcome.failure).not.toBe('')
    if (reason !== 'null') expect(outcome.failure).toContain(reason)
  })

  it('lets a script of more than a million steps answer, however long they take', async () => {
    const source = 'function ApproveTx() { for (var i = 0; i < 8e5; i++); return "Approve" }'

    expect(await engine.evaluate(task(source))).toMatchObject({ answer: 'Approve', failure: '' })
  })

  it.each([
    ['CPU time, however long it waits for a core', 600_000, 1, 'Approve'],
    ['CPU time, at once when it has used too much', 0, 2_001, null],
  ])('measures a script in %s', async (_what, waitedMs, cpuMs, answer) => {
    const clock = new FakeClock(0)
    let used = 0
    const measured = new ScriptEngine(clock, () => {
      clock.advance(waitedMs)
      used += cpuMs
      return used
    })
    const source = 'function ApproveTx() { for (var i = 0; i < 5e4; i++); return "Approve" }'

    expect((await measured.evaluate(task(source))).answer).toBe(answer)
  })

  it("measures a script by the clock if the system doesn't report CPU time", async () => {
    class HurriedClock extends FakeClock {
      override monotonic(): number {
        this.advance(3_000)
        return super.monotonic()
      }
    }
    const measured = new ScriptEngine(new HurriedClock(0), () => null)
    const source = 'function ApproveTx() { for (var i = 0; i < 5e4; i++); return "Approve" }'

    expect(await measured.evaluate(task(source))).toMatchObject({ answer: null, failure: 'InternalError: interrupted' })
  })

  it('keeps working after each of them', async () => {
    await engine.evaluate(
      task('function f(n) { return [f(n + 1)] } function ApproveTx() { return JSON.stringify(f(0)) }'),
    )

    expect((await engine.evaluate(task('function ApproveTx() { return "Approve" }'))).answer).toBe('Approve')
  })

  it.each([
    'process',
    'require',
    'module',
    'fetch',
    'setTimeout',
    'WebAssembly',
    'Buffer',
    'global',
    'performance',
    'std',
    'os',
  ])('has no %s', async (name) => {
    expect(await answer(`typeof ${name}`)).toBe('undefined')
  })

  it('reaches nothing through constructors and imports', async () => {
    expect(await answer('(function () { return this }).constructor("return typeof process")()')).toBe('undefined')
    expect(await engine.evaluate(task('import fs from "fs"; function ApproveTx() { return "Approve" }'))).toMatchObject(
      {
        answer: null,
      },
    )
  })

  it('keeps nothing from one request to the next', async () => {
    await engine.evaluate(task('Array.prototype.join = 1; globalThis.seen = 1; function ApproveTx() {}'))

    expect(await answer('typeof seen + [1, 2].join()')).toBe('undefined1,2')
  })

  it('sees one fixed time', async () => {
    expect(await answer('[Date.now(), new Date().getTime(), new Date().toISOString(), new Date(0).getTime()]')).toBe(
      `${NOW},${NOW},2026-01-02T03:04:05.000Z,0`,
    )
    expect(
      await answer('new Date(2020, 1).getMonth() + " " + (new Date() instanceof Date) + new Date().constructor.now()'),
    ).toBe(`1 true${NOW}`)
  })

  it('gives scripts what they stored, and returns what they store', async () => {
    const source = `function ApproveTx() { storage.put("n", 1 + Number(storage.get("n"))); storage.put("", "x")
      return storage.get("n") + storage.get("none") }`

    const outcome = await engine.evaluate(task(source, { storage: [['n', '41']] }))

    expect(outcome).toMatchObject({ answer: '42', writes: [['n', '42']] })
  })

  it('fails a script that stores too much; what it stored before stays', async () => {
    const source = 'function ApproveTx() { for (var i = 0; i < 100; i++) storage.put("k" + i, "x".repeat(20000)) }'

    expect(await engine.evaluate(task(source))).toMatchObject({
      writes: expect.arrayContaining([['k0', 'x'.repeat(20000)]]),
      failure: 'Error: storage is full',
    })
  })

  it('passes on what a script prints, within limits', async () => {
    const source = 'function ApproveTx() { console.log("a", 1, { b: 2 }); for (;;) console.error("x".repeat(5000)) }'

    const { lines } = await engine.evaluate(task(source))

    expect(lines[0]).toBe('a 1 {"b":2}')
    expect(lines).toHaveLength(100)
    expect(lines[1]).toHaveLength(1_000)
  })

  it('accepts a request with odd member names unchanged', async () => {
    const argument = '{"__proto__":{"a":"b"},"text":"\\u2028 \\"__proto__\\":"}'

    const outcome = await engine.evaluate(
      task('function ApproveTx(r) { return Object.keys(r).join() + r.text + (r.a === undefined) }', { argument }),
    )

    expect(outcome.answer).toBe('__proto__,text\u2028 "__proto__":true')
  })
})

describe('BigNumber in scripts', () => {
  it.each([
    ['new BigNumber("3e7", 16).toString()', '999'],
    ['new BigNumber("3e7", 16).lt(1000)', 'true'],
    ['new BigNumber("0xde0b6b3a7640000").toString()', '1000000000000000000'],
    ['new BigNumber("123456789012345678901234567890").toString()', '1.2345678901234567890123456789e+29'],
    ['new BigNumber("123456789012345678901234567890").toFixed()', '123456789012345678901234567890'],
    ['new BigNumber(1).div(3).toString()', '0.33333333333333333333'],
    ['new BigNumber("0.1").plus("0.2").eq("0.3")', 'true'],
    ['new BigNumber("1e18").times(2).minus(1).toFixed(0)', '1999999999999999999'],
    ['new BigNumber(2).pow(100).mod(1000).toNumber()', '376'],
    [
      'new BigNumber("-1.5").round().toString() + new BigNumber("1.49").round() + new BigNumber("-1.5").floor()',
      '-21-2',
    ],
    ['new BigNumber("1.005").toFixed(2)', '1.01'],
    ['BigNumber(10).gte(10) && BigNumber(10).lte(10) && BigNumber(10).cmp(9) === 1', 'true'],
    ['new BigNumber(255).toString(16)', 'ff'],
    ['BigNumber.max(1, "3", 2).plus(BigNumber.min(5, 4)).toString()', '7'],
    ['JSON.stringify({ v: new BigNumber("0.00000001") })', '{"v":"1e-8"}'],
    ['new BigNumber("-0x10").abs().isInt()', 'true'],
    ['new BigNumber("5e-1").decimalPlaces()', '1'],
  ])('%s is %s', async (expression, expected) => {
    expect(await answer(expression)).toBe(expected)
  })

  it.each([
    'undefined',
    '"abc"',
    '""',
    '"1.2.3"',
    'NaN',
    'Infinity',
    'null',
    '{}',
    '1234567890123456789',
    '"zz", 10',
    '"12", 2',
  ])("doesn't calculate with %s", async (value) => {
    const outcome = await engine.evaluate(task(`function ApproveTx() { return "" + new BigNumber(${value}) }`))

    expect(outcome.failure).toContain('is not a number')
  })

  it("doesn't divide by zero", async () => {
    const outcome = await engine.evaluate(task('function ApproveTx() { return "" + new BigNumber(1).div(0) }'))

    expect(outcome.failure).toContain('division by zero')
  })
})
