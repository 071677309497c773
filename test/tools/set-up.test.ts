// What the first start stands on: one installation at a time, and no program that outlives the start that began it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
// @ts-expect-error a tool without types
import { CACHE, checkRoom, withProxies } from '../../tools/lib/project.mjs'
// @ts-expect-error a tool without types
import { alone } from '../../tools/lib/stamp.mjs'
import { SmallDisk } from '../chaos/disk'

const PROJECT = pathToFileURL(join(import.meta.dirname, '../../tools/lib/project.mjs')).href
const SET_UP = pathToFileURL(join(import.meta.dirname, '../../tools/lib/set-up.mjs')).href
const name = `test-${process.pid}`
const lock = join(CACHE, `${name}.lock`)
const forever = 'setInterval(() => undefined, 1e6)'

const started: ChildProcess[] = []
const start = (script: string, words: readonly string[] = []): ChildProcess => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...words], {
    stdio: ['ignore', 'pipe', 2],
  })
  started.push(child)
  return child
}
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a lock of the set-up', () => {
  const left = (text: string): void => {
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(lock, text)
  }

  it.skipIf(process.platform !== 'linux')(
    'is free if its process has ended and another one has its number',
    async () => {
      left(`${process.ppid} another-boot:1\n`)

      expect(await alone(name, async () => 'done')).toBe('done')
      expect(existsSync(lock)).toBe(false)
    },
  )

  it('is held until all its holders have ended; who waits says for whom', async () => {
    const holder = start(forever)
    left(`999999999 \n${holder.pid} \n`)
    let work = Promise.resolve('')
    const line = await new Promise<string>((resolve) => {
      work = alone(name, async () => 'done', resolve)
    })

    expect(line).toContain(`waiting for process ${holder.pid}`)
    expect(line).toContain(lock)
    holder.kill('SIGKILL')
    expect(await work).toBe('done')
  })
})

describe.skipIf(process.platform === 'win32')('a program of the set-up', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends at %s with everything that it started', async (signal) => {
    const stubborn = `for (const s of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(s, () => undefined); ${forever};`
    const inner = `const { spawn } = require('node:child_process'); ${stubborn}
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)} + 'console.log("up")'])
      child.stdout.on('data', () => console.log(JSON.stringify([process.pid, child.pid])))`
    const outer = start(`import { runAttached, runTool } from ${JSON.stringify(PROJECT)}
      await runTool(() => runAttached(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: ['ignore', 'inherit', 'inherit'] }))`)
    const stdout = outer.stdout
    if (stdout === null) throw new Error('no output')
    const [said] = await once(stdout, 'data')
    const pids: number[] = JSON.parse(String(said))

    outer.kill(signal)

    expect(await once(outer, 'exit')).toEqual([null, signal])
    await expect.poll(() => pids.some(isAlive)).toBe(false)
  })
})

describe('a full disk', () => {
  it('is told before anything is fetched: where, how much is free and how much is needed', () => {
    expect(() => checkRoom(CACHE, 1e18)).toThrow(
      /^\d+ MB are free in .*\.cache, and 1000000000000 MB are needed\. Make room, then try again\.$/,
    )
    expect(() => checkRoom(CACHE, 1)).not.toThrow()
    expect(() => checkRoom(join(CACHE, 'not', 'there'), 1e18)).not.toThrow()
  })

  it('ends a program that would write on without an end, and says which folder is full', async () => {
    const disk = SmallDisk.mount(join(CACHE, `small-${process.pid}`))
    if (disk === null) return
    onTestFinished(() => disk.unmount())
    disk.full()
    const writer = `const { writeSync, openSync } = require('node:fs'); const file = openSync(${JSON.stringify(join(disk.folder, 'x'))}, 'w')
      setInterval(() => { try { writeSync(file, 'x'.repeat(65536)) } catch {} }, 1)`
    const outer = start(`import { runAttached, runTool } from ${JSON.stringify(PROJECT)}
      await runTool(() => runAttached(process.execPath, ['-e', ${JSON.stringify(writer)}], { writesTo: [${JSON.stringify(disk.folder)}], stdio: 'ignore' })
        .catch((error) => { console.log(error.message); return 1 }))`)
    const ended = once(outer, 'exit')
    const stdout = outer.stdout
    if (stdout === null) throw new Error('no output')
    const [said] = await once(stdout, 'data')

    expect(String(said)).toContain(`the disk of ${disk.folder} is full: make room, then try again`)
    expect(await ended).toEqual([1, null])
  })
})

describe.skipIf(process.platform === 'win32')("npm's cache", () => {
  it.each(['', '_cacache', '_cacache/tmp'])('is tried before anything is fetched: %j that others own', async (part) => {
    const cache = mkdtempSync(join(tmpdir(), 'headframe-cache-'))
    onTestFinished(() => rmSync(cache, { recursive: true, force: true }))
    chmodSync(cache, 0o777)
    mkdirSync(join(cache, '_cacache/tmp'), { recursive: true })
    for (const each of ['_cacache', '_cacache/tmp']) chmodSync(join(cache, each), 0o777)
    chmodSync(join(cache, part), 0o555)
    // Root may write everywhere.
    const id = process.getuid?.() === 0 ? 65_534 : process.getuid?.()
    const { stdout } = start(
      `process.setuid(${id}); const { checkCache } = await import(${JSON.stringify(SET_UP)})
       try { checkCache(${JSON.stringify(cache)}); console.log('fine') } catch (error) { console.log(error.message) }`,
    )
    if (stdout === null) throw new Error('no output')

    expect(String((await once(stdout, 'data'))[0])).toContain(
      `npm can't write its cache ${cache}: some files there belong`,
    )
  })
})

describe('proxies', () => {
  it("are Electron's too, wherever npm has them from", () => {
    expect(withProxies({ HTTPS_PROXY: 'http://p:1' })).toMatchObject({
      ELECTRON_GET_USE_PROXY: '1',
      HTTPS_PROXY: 'http://p:1',
    })
    expect(withProxies({ npm_config_https_proxy: 'http://p:2', npm_config_noproxy: 'local' })).toMatchObject({
      ELECTRON_GET_USE_PROXY: '1',
      HTTPS_PROXY: 'http://p:2',
      HTTP_PROXY: 'http://p:2',
      NO_PROXY: 'local',
    })
    expect(withProxies({ PATH: 'x' })).toEqual({ PATH: 'x' })
  })
})
