// What the first start stands on: one installation at a time, and no program that outlives the start that began it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
// @ts-expect-error a tool without types
import { CACHE, checkRoom, unwritable, withProxies } from '../../tools/lib/project.mjs'
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

  it('is free if it has been empty for long, as a process leaves it that a full disk or a kill ended there', async () => {
    left('')
    const before = new Date(Date.now() - 60_000)
    utimesSync(lock, before, before)

    expect(await alone(name, async () => 'done')).toBe('done')
    expect(existsSync(lock)).toBe(false)
  })

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

describe.skipIf(process.platform === 'win32')('work in this process', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'is told of %s, puts away what it has open, and ends',
    async (signal) => {
      const worker = start(`import { runTool, untilStopped } from ${JSON.stringify(PROJECT)}
      await runTool(() => untilStopped(async (stop) => {
        ${forever}
        await new Promise((told) => {
          stop.addEventListener('abort', told)
          console.log('up')
        })
        console.log('put away')
        return 0
      }))`)
      if (worker.stdout === null) throw new Error('no output')
      await once(worker.stdout, 'data')

      worker.kill(signal)

      const [[said], ended] = await Promise.all([once(worker.stdout, 'data'), once(worker, 'exit')])
      expect(String(said)).toBe('put away\n')
      expect(ended).toEqual([null, signal])
    },
  )
})

describe('a full disk', () => {
  it('is told before anything is fetched: where, how much is free and how much is needed', () => {
    expect(() => checkRoom(CACHE, 1e18)).toThrow(
      /^\d+ MB are free in .*\.cache, and 1000000000000 MB are needed\. Make room, then try again\.$/,
    )
    expect(() => checkRoom(CACHE, 1)).not.toThrow()
    expect(() => checkRoom(join(CACHE, 'not', 'there'), 1e18)).not.toThrow()
  })

  it('leaves no lock behind that a later start would wait for, and is named', async () => {
    const disk = SmallDisk.mount(join(CACHE, `small-lock-${process.pid}`))
    if (disk === null) return
    onTestFinished(() => disk.unmount())
    const tools = join(disk.folder, 'tools/lib')
    for (const file of ['process-tree.mjs', 'project.mjs', 'stamp.mjs'])
      cpSync(join(import.meta.dirname, '../../tools/lib', file), join(tools, file))
    mkdirSync(join(disk.folder, '.cache'))
    disk.full()
    const fill = (): void => appendFileSync(join(disk.folder, 'rest'), Buffer.alloc(4_096))
    expect(() => {
      for (;;) fill()
    }).toThrow('ENOSPC')
    const outer = start(`import { runTool } from ${JSON.stringify(pathToFileURL(join(tools, 'project.mjs')).href)}
      import { alone } from ${JSON.stringify(pathToFileURL(join(tools, 'stamp.mjs')).href)}
      process.stderr.write = (text) => process.stdout.write(text)
      await runTool(() => alone('app', () => 0))`)
    const stdout = outer.stdout
    if (stdout === null) throw new Error('no output')
    const ended = once(outer, 'exit')

    expect(String((await once(stdout, 'data'))[0])).toMatch(/^can't write \S+app\.lock: disk full\. Make room, then/)
    expect(await ended).toEqual([1, null])
    expect(existsSync(join(disk.folder, '.cache/app.lock'))).toBe(false)
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

it('a file that cannot be written is named with what to do about it', () => {
  const told = (code: string): string => unwritable({ code, path: '/x' })

  expect(told('EACCES')).toBe(
    "can't write /x: permission denied. Run this as the owner of the folder, or in a copy of your own.",
  )
  expect(told('EROFS')).toBe("can't write /x: read-only. Run this in a copy of your own.")
  expect(told('ENOSPC')).toBe("can't write /x: disk full. Make room, then try again.")
  expect(unwritable({ code: 'ENOENT', path: '/x' })).toBeNull()
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

describe("Electron's download", () => {
  const TOOL = pathToFileURL(join(import.meta.dirname, '../../tools/electron-runtime.mjs')).href
  const MODULES = join(import.meta.dirname, '../../node_modules')

  it('is given up after a few attempts through a proxy that hangs up, and says so without its password', async () => {
    const root = mkdtempSync(join(tmpdir(), 'headframe-electron-'))
    const calls = { count: 0 }
    const proxy = createServer((socket) => {
      calls.count += 1
      socket.on('error', () => undefined)
      socket.once('data', () => socket.destroy())
    })
    onTestFinished(() => {
      proxy.close()
      rmSync(root, { recursive: true })
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    mkdirSync(join(root, 'node_modules', 'electron'), { recursive: true })
    symlinkSync(join(MODULES, '@electron'), join(root, 'node_modules', '@electron'))
    for (const file of ['install.js', 'package.json', 'checksums.json'])
      copyFileSync(join(MODULES, 'electron', file), join(root, 'node_modules', 'electron', file))
    const env = {
      PATH: process.env.PATH,
      HTTPS_PROXY: `http://user:secret@127.0.0.1:${port}`,
      electron_config_cache: join(root, 'cache'),
    }

    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { electronRuntime } from ${JSON.stringify(TOOL)}
        try { electronRuntime({ root: ${JSON.stringify(root)}, source: 'official' }) } catch (error) { console.log(error.message) }`,
      ],
      { env, stdio: ['ignore', 'pipe', 2] },
    )
    started.push(child)
    child.stdout?.setEncoding('utf8')
    const said: string[] = []
    child.stdout?.on('data', (text: string) => void said.push(text))
    await once(child, 'close')

    expect(said.join('')).toMatch(
      new RegExp(`^no Electron .*: no connection in 5 attempts: .* through the proxy 127\\.0\\.0\\.1:${port}\n$`),
    )
    expect(calls.count).toBeLessThan(10)
  })

  it.skipIf(process.platform === 'win32')(
    'leaves one reason in one line, and what to do, when it fails twice',
    async () => {
      const root = mkdtempSync(join(tmpdir(), 'headframe-reasons-'))
      onTestFinished(() => rmSync(root, { recursive: true }))
      for (const path of ['tools/lib', 'tools/electron-runtime.mjs', 'src/old-electron'])
        cpSync(join(import.meta.dirname, '../..', path), join(root, path), { recursive: true })
      writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
      mkdirSync(join(root, 'node_modules/electron'), { recursive: true })
      const lines = 'console.error("connect ECONNREFUSED 127.0.0.1:9.\\nmore"); process.exit(1)'
      writeFileSync(join(root, 'node_modules/electron/install.js'), lines)
      const tool = pathToFileURL(join(root, 'tools/electron-runtime.mjs')).href
      const script = `process.env.PATH = ''; delete process.env.ELECTRON_RUNTIME_CACHE
      delete process.env.ELECTRON_OVERRIDE_DIST_PATH
      const { electronForWindow } = await import(${JSON.stringify(tool)})
      const said = []
      for (const _ of [1, 2]) electronForWindow((line) => said.push(line))
      console.log(JSON.stringify(said.filter((line) => line.startsWith("Can't"))))`
      const { stdout } = start(script)
      if (stdout === null) throw new Error('no output')
      const [first = '', second = '', ...more] = JSON.parse(String((await once(stdout, 'data'))[0])) as string[]

      const todo = String.raw`To try again, run node tools/electron-runtime\.mjs\. Open the dashboard link below in your browser\.$`
      expect(first).toMatch(
        new RegExp(`^Can't open the window: no Electron here: connect ECONNREFUSED 127\\.0\\.0\\.1:9\\. ${todo}`),
      )
      expect(first).not.toContain(';')
      expect(second).toMatch(
        new RegExp(`^Can't open the window: no Electron here: its download failed within the last day\\. ${todo}`),
      )
      expect(more).toEqual([])
    },
  )

  it.skipIf(process.platform === 'win32')('may fail in a folder that this user can only read', async () => {
    const root = mkdtempSync(join(tmpdir(), 'headframe-read-only-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    for (const path of ['tools/lib', 'tools/electron-runtime.mjs', 'src/old-electron'])
      cpSync(join(import.meta.dirname, '../..', path), join(root, path), { recursive: true })
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
    mkdirSync(join(root, '.cache'))
    for (const path of ['.cache', '']) chmodSync(join(root, path), 0o555)
    onTestFinished(() => chmodSync(root, 0o755))
    // Root may write everywhere.
    const id = process.getuid?.() === 0 ? 65_534 : process.getuid?.()
    const { stdout } = start(`process.setuid(${id}); process.env.PATH = ''
      delete process.env.ELECTRON_OVERRIDE_DIST_PATH; delete process.env.ELECTRON_RUNTIME_CACHE
      const { electronForWindow } = await import(${JSON.stringify(pathToFileURL(join(root, 'tools/electron-runtime.mjs')).href)})
      console.log(electronForWindow(() => undefined))`)
    if (stdout === null) throw new Error('no output')

    expect(String((await once(stdout, 'data'))[0])).toBe('null\n')
    expect(existsSync(join(root, '.cache/no-electron.stamp'))).toBe(false)
  })
})

describe('servers of tests', () => {
  it.skipIf(process.platform !== 'linux')('are unpacked and never installed, once', async () => {
    const root = mkdtempSync(join(tmpdir(), 'headframe-servers-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    for (const path of ['tools/lib', 'tools/lint'])
      cpSync(join(import.meta.dirname, '../..', path), join(root, path), { recursive: true })
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
    const bin = join(root, 'bin')
    mkdirSync(bin)
    const tell = `echo "$(basename "$0") $*" >> ${join(root, 'calls')}`
    const scripts = {
      // nginx is there only once new lists were read
      'apt-get': `[ "$1 $2" != "download nginx" ] || [ -e lists ] || exit 100
        case $1 in update) touch lists ;; download) touch "$2.deb" ;; *) exit 1 ;; esac`,
      dpkg: 'mkdir -p usr/bin && touch "usr/bin/$' + '{2%.deb}"',
      pip: 'exit 1',
      systemctl: 'exit 1',
    }
    for (const [name, lines] of Object.entries(scripts))
      writeFileSync(join(bin, name), `#!/bin/sh\n${tell}\n${lines}\n`, { mode: 0o755 })
    const tool = pathToFileURL(join(root, 'tools/lib/debian.mjs')).href
    const run = async (): Promise<readonly string[]> => {
      const child = start(`process.env.PATH = ${JSON.stringify(`${bin}:/usr/bin:/bin`)}
        Object.defineProperty(process, 'arch', { value: 'arm64' }) // no Traefik, which comes from elsewhere
        await (await import(${JSON.stringify(tool)})).ensureServers(() => undefined)`)
      await once(child, 'close')
      const calls = readFileSync(join(root, 'calls'), 'utf8').split('\n').slice(0, -1)
      rmSync(join(root, 'calls'))
      writeFileSync(join(root, 'calls'), '')
      return calls
    }

    const calls = await run()
    expect(calls.filter((call) => !/^(?:apt-get (?:download \S+|update -qq)|dpkg -x \S+ \.)$/.test(call))).toEqual([])
    expect(calls.filter((call) => call === 'apt-get download nginx')).toHaveLength(2)
    for (const name of ['prometheus', 'nginx'])
      expect(existsSync(join(root, '.cache/servers/usr/bin', name))).toBe(true)
    expect(await run()).toEqual([])
  })
})
