// A waiting package replaces the program at a start, whatever happened before.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ownPackage } from '../../src/host/update/own-package'
import { othersIn, placeWaiting } from '../../src/host/update/place-update'
import { pathExchange } from '../../src/native/system/system-calls'
import { base, hostForEachTest, isLinux, isOf, lookAndFetch, NAME, program, RUNNING, release } from './update-host'

hostForEachTest()

const exchange = pathExchange(resolve('.'))
/** Not with an addon built before it could. */
const canExchange = isLinux && exchange('/nonexistent/a', '/nonexistent/b') === 'No such file or directory'

describe.skipIf(!canExchange)('a waiting update', () => {
  const said: string[] = []
  const place = (others: readonly number[] | (() => readonly number[]) = [], running = RUNNING) =>
    placeWaiting(ownPackage(program()), {
      running,
      exchange,
      say: (line) => void said.push(line),
      others: typeof others === 'function' ? others : () => others,
    })
  beforeEach(async () => {
    said.length = 0
    release()
    await lookAndFetch()
  })

  it('replaces the program, which is kept beside it', async () => {
    await place()

    expect(isOf('0.2.0')).toBe(true)
    expect(readFileSync(join(`${program()}.previous`, 'version'), 'utf8')).toBe(RUNNING)
    expect(readdirSync(join(base, 'opt')).sort()).toEqual(['headframe', 'headframe.previous'])
    expect(said).toEqual([expect.stringContaining('updated to 0.2.0')])
  })

  it('keeps waiting while another process runs from there, such as a signer with requests', async () => {
    await place([4711])

    expect(isOf(RUNNING)).toBe(true)
    expect(said).toEqual([expect.stringContaining('process 4711 still runs')])
    await place()
    expect(isOf('0.2.0')).toBe(true)
  })

  it('keeps waiting if another start began while it was unpacked', async () => {
    const seen = [[], [4711]]
    await place(() => seen.shift() ?? [])

    expect(isOf(RUNNING)).toBe(true)
    expect(said).toEqual([expect.stringContaining('process 4711 still runs')])
    expect(existsSync(join(`${program()}.update`, 'unpacked'))).toBe(false)
  })

  it("that can't be unpacked leaves none of its files on a disk that may be full", async () => {
    release('0.2.0', { share: 0.5 })
    await lookAndFetch()
    await place()

    expect(isOf(RUNNING)).toBe(true)
    expect(said).toEqual([expect.stringContaining('tar: ')])
    expect(existsSync(join(`${program()}.update`, 'unpacked'))).toBe(false)
  })

  it('is finished if the previous step was the last of a killed start', async () => {
    const waiting = `${program()}.update`
    mkdirSync(join(waiting, 'unpacked'))
    writeFileSync(join(waiting, 'unpacked/version'), RUNNING)
    writeFileSync(join(program(), 'version'), '0.2.0')

    await place([], '0.2.0')

    expect(isOf('0.2.0')).toBe(true)
    expect(readdirSync(join(base, 'opt')).sort()).toEqual(['headframe', 'headframe.previous'])
  })

  it('starts over if a start was killed while unpacking it', async () => {
    mkdirSync(join(`${program()}.update`, 'unpacked/torn'), { recursive: true })
    await place()
    expect(isOf('0.2.0')).toBe(true)
    expect(existsSync(join(program(), 'torn'))).toBe(false)
  })

  it.each<[string, () => void, string]>([
    [
      'was changed meanwhile',
      () => writeFileSync(join(`${program()}.update`, NAME), 'x'),
      'not the file that was released',
    ],
    ['others could write into', () => chmodSync(`${program()}.update`, 0o777), 'private to the program'],
    ['cannot be read', () => writeFileSync(join(`${program()}.update`, 'waiting.json'), '{'), '--forget'],
  ])('that %s is skipped, and the old program starts', async (_what, spoil, reason) => {
    spoil()
    await place()
    expect(isOf(RUNNING)).toBe(true)
    expect(said).toEqual([expect.stringContaining(reason)])
  })

  it('of another kind of package is skipped', async () => {
    release('0.2.0', { kind: 'desktop-archive' })
    await lookAndFetch()
    await place()
    expect(isOf(RUNNING)).toBe(true)
    expect(said).toEqual([expect.stringContaining('another kind')])
  })

  it('is skipped if its program is older than the running one', async () => {
    await place([], '0.3.0')
    expect(isOf(RUNNING)).toBe(true)
    expect(said).toEqual([expect.stringContaining('older than this program')])
  })
})

it.skipIf(!isLinux)(
  'processes that run from a folder are found, also by their script; this one is excluded',
  async () => {
    const script = join(program(), 'wait.mjs')
    writeFileSync(script, "process.stdout.write('up'); setInterval(() => undefined, 1e6)")
    const child = spawn(process.execPath, ['wait.mjs', '/nothing'], {
      cwd: program(),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const other = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] })
    await Promise.all([child, other].map((each) => new Promise((up) => each.stdout.once('data', up))))

    expect(othersIn(program())).toContain(other.pid)
    expect(othersIn(program())).not.toContain(process.pid)
    expect(othersIn(join(base, 'elsewhere'))).toEqual([])
    for (const each of [child, other]) each.kill('SIGKILL')
  },
)
