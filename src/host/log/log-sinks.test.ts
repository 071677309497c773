import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../../base/logger'
import { Secret } from '../../base/secret'
import { ActivityRing } from './activity-ring'
import { humanLine, jsonLine } from './log-format'
import { CountingSink, FileSink } from './log-sinks'

const record = (over: Partial<LogRecord> = {}): LogRecord => ({
  time: 1_700_000_000_000,
  level: 'info',
  module: 'miner',
  message: 'share accepted',
  fields: {},
  ...over,
})

describe('log lines', () => {
  it('reads as one line for people', () => {
    const line = humanLine(record({ fields: { device: 1, difficulty: 12n, text: 'a b' } }))

    expect(line).toBe('2023-11-14T22:13:20.000Z info  miner  share accepted device=1 difficulty=12 text="a b"')
  })

  it('is one JSON object for programs', () => {
    expect(JSON.parse(jsonLine(record({ fields: { bytes: Uint8Array.of(1, 255), error: new Error('x') } })))).toEqual({
      time: '2023-11-14T22:13:20.000Z',
      level: 'info',
      module: 'miner',
      message: 'share accepted',
      fields: { bytes: '0x01ff', error: 'x' },
    })
  })

  it('never shows a secret, nested ones included', () => {
    const fields = { token: new Secret('hunter2'), nested: { token: new Secret('hunter2') } }

    expect(humanLine(record({ fields })) + jsonLine(record({ fields }))).not.toContain('hunter2')
  })

  it('cannot be forged by a line break or an invisible character in a field', () => {
    const line = humanLine(record({ fields: { agent: 'x\n2023 error\u202e' } }))

    expect(line).not.toMatch(/[\n\u202e]/)
    expect(line).toContain('\\u202e')
  })

  it.each(['שלום', 'مرحبا 5', '𞤀𞤁', '١٢', 'a\u3164', 'a\u{e0061}', '\u2800', `e${'\u0301'.repeat(9)}`])(
    'has no letter in it that moves, hides or covers others: %j',
    (text) => {
      expect(humanLine(record({ message: text, fields: { [text]: text, agent: text } }))).toMatch(/^(?:[ -~]|\u0301)*$/)
      expect(humanLine(record({ message: text }))).not.toMatch(/\u0301{5}/)
    },
  )

  it.each(['x\n  at a (b:1)', 'C:\\new', 'a\\u000ab', 'x\u202e', '', 'say "yes"', 'שלום', '𞤀', 'a\u{e0061}'])(
    'keeps a field that needs quotes as a JSON string: %j',
    (text) => {
      const [, quoted = ''] = /agent=(.*)$/.exec(humanLine(record({ fields: { agent: text } }))) ?? []

      expect(JSON.parse(quoted)).toBe(text)
    },
  )
})

describe('the log file', () => {
  it('starts a new file at its limit and keeps three', () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-log-'))
    const sink = new FileSink({ dir, format: (entry) => entry.message, limitBytes: 10 })
    sink.open()

    for (const message of ['one-----', 'two-----', 'three---', 'four----']) sink.write(record({ message }))
    sink.close()

    expect(readdirSync(dir).sort()).toEqual(['headframe.1.log', 'headframe.2.log', 'headframe.log'])
    expect(readFileSync(join(dir, 'headframe.log'), 'utf8')).toBe('four----\n')
    expect(readFileSync(join(dir, 'headframe.2.log'), 'utf8')).toBe('two-----\n')
    expect(statSync(join(dir, 'headframe.log')).mode & 0o777).toBe(0o600)
    rmSync(dir, { recursive: true })
  })

  it("keeps growing, up to four limits, while it can't be renamed", () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-log-'))
    const sink = new FileSink({ dir, format: (entry) => entry.message, limitBytes: 10, keep: 2 })
    mkdirSync(join(dir, 'headframe.1.log')) // a folder has that name
    sink.open()

    for (let index = 0; index < 8; index++) sink.write(record({ message: `line-${index}-`, time: index * 10_000 }))
    expect(readFileSync(join(dir, 'headframe.log'), 'utf8').split('\n')).toHaveLength(7)
    rmdirSync(join(dir, 'headframe.1.log'))
    sink.write(record({ message: 'later', time: 90_000 }))
    sink.write(record({ message: 'full-', time: 90_001 }))
    sink.close()

    expect(readFileSync(join(dir, 'headframe.log'), 'utf8')).toBe('full-\n')
    expect(readFileSync(join(dir, 'headframe.1.log'), 'utf8')).toBe('later\n')
    rmSync(dir, { recursive: true })
  })

  it("doesn't block if it can't be started over", () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-log-'))
    const sink = new FileSink({ dir, format: (entry) => entry.message, limitBytes: 10 })
    sink.open()
    sink.write(record({ message: 'one-----' }))
    rmSync(dir, { recursive: true })

    sink.write(record({ message: 'two-----' }))
    sink.write(record({ message: 'three---' }))
    sink.close()

    expect(existsSync(dir)).toBe(false)
  })

  it('resumes after ten seconds once it can be written again', () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-log-'))
    const sink = new FileSink({ dir, format: (entry) => entry.message, limitBytes: 10 })
    sink.open()
    sink.write(record({ message: 'one-----', time: 0 }))
    rmSync(dir, { recursive: true })
    sink.write(record({ message: 'two-----', time: 1_000 }))
    mkdirSync(dir)

    sink.write(record({ message: 'three---', time: 10_999 }))
    sink.write(record({ message: 'four----', time: 11_000 }))
    sink.close()

    expect(readFileSync(join(dir, 'headframe.log'), 'utf8')).toBe('four----\n')
    rmSync(dir, { recursive: true })
  })
})

describe('repeated lines', () => {
  it('are counted after the tenth in a second', () => {
    const written: LogRecord[] = []
    const sink = new CountingSink({ write: (entry) => void written.push(entry) })

    for (let index = 0; index < 25; index++) sink.write(record({ time: 1_000 + index }))
    sink.write(record({ time: 1_020, message: 'another' }))
    sink.flush(2_500)

    expect(written.filter((entry) => entry.message === 'share accepted')).toHaveLength(11)
    expect(written.at(-1)?.fields).toEqual({ repeated: 15 })
    expect(written.filter((entry) => entry.message === 'another')).toHaveLength(1)
  })

  it('are written again in the next second', () => {
    const written: LogRecord[] = []
    const sink = new CountingSink({ write: (entry) => void written.push(entry) })

    for (let index = 0; index < 10; index++) sink.write(record({ time: 1_000 }))
    sink.write(record({ time: 2_001 }))

    expect(written).toHaveLength(11)
  })
})

describe('the activity ring', () => {
  it('keeps the newest entries from level info up', () => {
    const ring = new ActivityRing({ sent: 2, kept: 2 })

    for (const message of ['a', 'b', 'c']) ring.write(record({ message }))
    ring.write(record({ level: 'debug', message: 'hidden' }))

    expect(ring.entries().map((entry) => entry.message)).toEqual(['b', 'c'])
  })

  it('keeps equal entries of one moment apart', () => {
    const ring = new ActivityRing()

    for (const _ of ['once', 'again']) ring.write(record())

    expect(ring.entries().map((entry) => entry.id)).toEqual([0, 1])
  })

  it('separates sentence and fields, with bytes as hex, secrets hidden, line breaks visible', () => {
    const ring = new ActivityRing()

    ring.write(record({ message: 'a\nb', fields: { number: 7, hash: Uint8Array.of(1, 255), token: new Secret('x') } }))

    expect(ring.entries()[0]).toMatchObject({
      message: 'a\\u000ab',
      fields: [
        { name: 'number', value: '7' },
        { name: 'hash', value: '0x01ff' },
        { name: 'token', value: '***' },
      ],
    })
  })
})
