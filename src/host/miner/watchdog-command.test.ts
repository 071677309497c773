import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { onDeviceLost, WatchdogCommand } from './watchdog-command'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function aScript(text: string): { file: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-watchdog-'))
  folders.push(folder)
  const file = join(folder, 'hook.sh')
  writeFileSync(file, text, { mode: 0o755 })
  return { file, folder }
}

describe.skipIf(process.platform === 'win32')('the watchdog command', () => {
  it('gets device and reason as separate words, whatever they contain, and none of our secrets', async () => {
    process.env.HEADFRAME_API_TOKEN = 'a secret'
    const { file, folder } = aScript('#!/bin/sh\n{ echo "$#:$1:$2"; env; } > out.part && mv out.part out\n')
    try {
      const command = new WatchdogCommand(file, { clock: new FakeClock(), log: silentLogger })
      expect(await command.run(3, 'driver said "$(touch no)"; stop')).toBe(true)
      while (!existsSync(join(folder, 'out'))) await new Promise((resolve) => setTimeout(resolve, 10))
    } finally {
      delete process.env.HEADFRAME_API_TOKEN
    }
    const said = readFileSync(join(folder, 'out'), 'utf8')
    expect(said.split('\n')[0]).toBe('2:3:driver said "$(touch no)"; stop')
    expect(said).not.toMatch(/a secret|HEADFRAME/)
    expect(existsSync(join(folder, 'no'))).toBe(false)
  })

  it('is started once a minute, however many devices fail', async () => {
    const clock = new FakeClock()
    const command = new WatchdogCommand(aScript('#!/bin/sh\n').file, { clock, log: silentLogger })

    expect(await command.run(0, 'a')).toBe(true)
    expect(await command.run(1, 'b')).toBe(false)
    clock.advance(60_000)
    expect(await command.run(1, 'b')).toBe(true)
  })

  it("fails if there is none, and if it can't be started", async () => {
    const deps = { clock: new FakeClock(), log: silentLogger }
    expect(await new WatchdogCommand(null, deps).run(0, 'a')).toBe(false)
    expect(await new WatchdogCommand('/no/such/file', deps).run(0, 'a')).toBe(false)
  })
})

describe('a device that the watchdog gave up', () => {
  it.each([
    [true, ['device 2 failed permanently: no answer']],
    [false, []],
  ])('with --exit %s requests the end of the program: %j', (exitOnFailure, messages) => {
    const started: string[] = []
    const asked: string[] = []
    const run = (device: number, reason: string): Promise<boolean> => {
      started.push(`${device}: ${reason}`)
      return Promise.resolve(true)
    }

    onDeviceLost(exitOnFailure, { run }, (failure) => asked.push(failure.message))(2, 'no answer')

    expect([started, asked]).toEqual([['2: no answer'], messages])
  })
})
