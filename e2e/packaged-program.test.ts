// The program as users get it: electron-builder makes dist/linux-unpacked, which is inspected and started with and
// without a window.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { extractFile, getRawHeader, listPackage } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { z } from 'zod'
import { desktopArguments } from './electron-harness'
import {
  blockNumber,
  eventually,
  findElectron,
  http,
  type Ready,
  ROOT,
  readReadyFile,
  temporaryFolder,
} from './harness'

const found = await findElectron({ display: true })
const reason = 'missing' in found ? found.missing : process.platform === 'linux' ? null : 'made on Linux only'
const what = reason === null ? '' : ` (skipped: ${reason})`

/** A switch in the binary is one character. */
const [OFF, ON] = ['0'.charCodeAt(0), '1'.charCodeAt(0)]
/** This platform's folder suffix among a package's binaries. */
const here = `${process.platform}-${process.arch}`
/** The folder of a binary within its package's `prebuilds`. */
const prebuiltFolder = (path: string): string => /^node_modules\/[^/]+\/prebuilds\/([^/]+)/.exec(path)?.[1] ?? here

/** From the comments that the bundler writes above each module. */
const packagesIn = (script: string): string[] =>
  [...script.matchAll(/^\s*\/\/ .*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\/\S+$/gm)].map(([, name = '']) => name)

/** What the log says about the process that opens keys. */
const CONFINED = 'the key worker is confined: no files, no network'

const packedSchema = z.object({ folder: z.string(), executable: z.string() })

/** A folder of an archive's header, or a file in it. */
interface AsarEntry {
  readonly files?: Readonly<Record<string, AsarEntry>> | undefined
  readonly unpacked?: boolean | undefined
  readonly integrity?: { readonly algorithm: string; readonly hash: string } | undefined
}

const asarSchema: z.ZodType<AsarEntry> = z.lazy(() =>
  z.object({
    files: z.record(z.string(), asarSchema).optional(),
    unpacked: z.boolean().optional(),
    integrity: z.object({ algorithm: z.string(), hash: z.string() }).optional(),
  }),
)

function filesOf(entry: AsarEntry, path = ''): readonly (AsarEntry & { readonly path: string })[] {
  if (entry.files === undefined) return [{ ...entry, path }]
  return Object.entries(entry.files).flatMap(([name, below]) => filesOf(below, path === '' ? name : `${path}/${name}`))
}

interface Started {
  readonly child: ChildProcess
  readonly ready: Ready
  readonly output: () => string
  terminate(): Promise<number | null>
}

describe.skipIf(reason !== null)(`the packaged program${what}`, () => {
  let folder = ''
  let executable = ''
  const datadirs: string[] = []
  const running: Started[] = []

  async function start(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Started> {
    const datadir = temporaryFolder()
    datadirs.push(datadir)
    const child = spawn(executable, [...words, ...desktopArguments(datadir).slice(1)], {
      cwd: datadir,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => {
        output += part.toString('utf8')
      })
    }
    const exited = once(child, 'exit')
    const early = exited.then(([code]) => {
      throw new Error(`headframe ended with ${code}:\n${output}`)
    })
    early.catch(() => undefined) // an exit that comes later is awaited
    const ready = await Promise.race([readReadyFile(join(datadir, 'ready.json')), early])
    const started: Started = {
      child,
      ready,
      output: () => output,
      async terminate() {
        child.kill('SIGTERM')
        const [code] = await exited
        return typeof code === 'number' ? code : null
      },
    }
    running.push(started)
    return started
  }

  beforeAll(async () => {
    const { packLinuxFolder } = await import(pathToFileURL(join(ROOT, 'tools/package.mjs')).href)
    const packed = packedSchema.parse(await packLinuxFolder())
    folder = packed.folder
    executable = packed.executable
  })
  afterAll(() => {
    for (const { child } of running) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    for (const datadir of datadirs) rmSync(datadir, { recursive: true, force: true })
  })

  it('has every fuse set as intended: only the archive runs, and no variable or switch loads other code', async () => {
    const { shippedFuses } = z
      .object({ shippedFuses: z.custom<(platform: string) => Readonly<Record<string, boolean>>>() })
      .parse(await import(pathToFileURL(join(ROOT, 'tools/after-pack.mjs')).href))
    // Later Electrons have one more fuse, which is on by default. The pages are files that load scripts beside them,
    // which needs it.
    const meant: Readonly<Record<string, boolean>> = {
      grantFileProtocolExtraPrivileges: true,
      ...shippedFuses(process.platform),
    }
    const {
      version: _format,
      strictlyRequireAllFuses: _strict,
      resetAdHocDarwinSignature: _mac,
      ...wire
    } = {
      ...(await getCurrentFuseWire(join(folder, 'headframe-desktop'))),
    }

    const states = Object.entries(wire).map(([index, state]) => {
      const name = FuseV1Options[Number(index)] ?? index
      return [`${name.slice(0, 1).toLowerCase()}${name.slice(1)}`, state] as const
    })

    expect(states.length).toBeGreaterThanOrEqual(6)
    for (const [name, state] of states) expect([name, state]).toEqual([name, meant[name] === true ? ON : OFF])
    expect(meant).toMatchObject({ onlyLoadAppFromAsar: true, enableNodeOptionsEnvironmentVariable: false })
    expect(existsSync(join(folder, 'resources/default_app.asar'))).toBe(false)
  })

  it('stores the hash of every file in its archive', () => {
    const archive = join(folder, 'resources/app.asar')
    const { header } = getRawHeader(archive)
    const files = filesOf(asarSchema.parse(header))
    const packed = files.filter(({ unpacked }) => !unpacked)

    expect(packed.length).toBeGreaterThan(50)
    for (const { path, integrity } of packed) {
      const hash = createHash('sha256').update(extractFile(archive, path)).digest('hex')
      expect([path, integrity]).toEqual([path, { algorithm: 'SHA256', hash }])
    }
  })

  it('contains the build without sources or tests, its natives beside the archive, and all licenses', async () => {
    const paths = listPackage(join(folder, 'resources/app.asar'), { isPack: false }).map((path) => path.slice(1))

    for (const entry of ['index', 'cli', 'chain-worker', 'query-worker', 'key-worker']) {
      expect(paths).toContain(`out/main/${entry}.cjs`)
    }
    expect(paths).toContain('out/renderer/approval.html')
    expect(paths.filter((path) => /^(?:src|test|e2e|tools)\/|\.test\./.test(path))).toEqual([])
    expect(paths.filter((path) => !prebuiltFolder(path).endsWith(here))).toEqual([])
    expect(paths.filter((path) => /^node_modules\/(?:solc|tmp|commander)\b/.test(path))).toEqual([])
    const unpacked = join(folder, 'resources/app.asar.unpacked')
    const natives = paths.filter((name) => name.endsWith('.node'))
    for (const name of ['headframe.node', 'classic-level.node', 'node-napi-v4.node']) {
      expect(natives.map((path) => basename(path))).toContain(name)
    }
    for (const path of natives) {
      expect(statSync(join(unpacked, path)).size, path).toBeGreaterThan(10_000)
    }
    for (const data of [
      'cuda/xhash.sm_61.ptx',
      'cuda/xhash.sm_80.ptx',
      'opencl/xhash.cl',
      'genesis/main.json',
      'selectors/4bytes.json',
    ]) {
      expect(statSync(join(unpacked, 'resources', data)).size, data).toBeGreaterThan(1_000)
    }
    for (const file of ['LICENSE.txt', 'LICENSE.electron.txt', 'LICENSES.chromium.html', 'LICENSES.third-party.txt']) {
      expect(statSync(join(folder, file)).size, file).toBeGreaterThan(1_000)
    }
    expect(readFileSync(join(folder, 'LICENSES.third-party.txt'), 'utf8')).toMatch(/^zustand 5/m)
  })

  it('names every package whose code is in its host side, with its license', () => {
    const archive = join(folder, 'resources/app.asar')
    const scripts = listPackage(archive, { isPack: false }).filter((path) => /^\/out\/main\/.*\.cjs$/.test(path))
    const builtIn = new Set(scripts.flatMap((path) => packagesIn(extractFile(archive, path.slice(1)).toString('utf8'))))
    const text = readFileSync(join(folder, 'LICENSES.third-party.txt'), 'utf8')
    const named = new Set([...text.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d\S* \(/gm)].map(([, name]) => name))

    expect(builtIn.size).toBeGreaterThan(50)
    expect([...builtIn].filter((name) => !named.has(name))).toEqual([])
  })

  it("has settings for Windows and macOS that pass electron-builder's schema", async () => {
    const { runBuilder } = await import(pathToFileURL(join(ROOT, 'tools/package.mjs')).href)

    // Building the folder validated every platform's section; this shows what happens to a wrong word.
    const sections = ['win', 'nsis', 'mac']
    const wrong = sections.map((section) => `-c.${section}.noSuchSetting=1`)
    const failure: unknown = await runBuilder(['--linux', 'dir', ...wrong]).catch((error: unknown) => error)

    expect(String(failure)).toContain('does not match the API schema')
    for (const section of sections) expect(String(failure)).toContain(`configuration.${section} should be`)
  })

  it('runs a command without a display, with its native engine', async () => {
    const { DISPLAY: _without, WAYLAND_DISPLAY: _neither, ...environment } = process.env

    const { stdout } = await promisify(execFile)(executable, ['devices', '--json'], { env: environment })

    expect(stdout).toContain('native')
  })

  it('mines without a display and serves its pages', async () => {
    const { DISPLAY: _without, WAYLAND_DISPLAY: _neither, ...environment } = process.env
    const program = await start(['run', '--headless'], environment)

    await eventually('a block', async () => ((await blockNumber(program.ready)) > 0 ? true : null))

    expect((await http(program.ready.dashboard)).text).toContain('<div id="root">')
    expect(program.output()).toContain(CONFINED)
    expect(await program.terminate()).toBe(0)
  })

  it('shows its window and mines, without a way to debug its main process', async () => {
    if ('missing' in found) return
    const switches = [...found.args, '--disable-gpu', '--inspect=0', '--remote-debugging-port=0']
    const program = await start(switches, process.env)
    const port = await eventually(
      'the page driver',
      async () => /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(program.output())?.[1] ?? null,
    )

    const page = await eventually('the dashboard', () => dashboardOf(Number(port)))
    await eventually('its shell', async () =>
      (await inPage(page, `document.querySelector('[data-testid=shell]') !== null`)) === true ? true : null,
    )
    await eventually('a block', async () => ((await blockNumber(program.ready)) > 0 ? true : null))

    expect(page.url).toContain('/resources/app.asar/out/renderer/index.html')
    expect(await inPage(page, 'typeof require + typeof process')).toBe('undefinedundefined')
    expect(await inPage(page, 'document.visibilityState')).toBe('visible')
    expect(program.output()).not.toContain('Debugger listening')
    expect(program.output()).toContain(CONFINED)
    expect(await program.terminate()).toBe(0)
  })

  it('says in a dialog box that it could not start, and still handles a signal', async () => {
    if ('missing' in found) return
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = z.object({ port: z.number() }).parse(taken.address())
    const datadir = temporaryFolder()
    datadirs.push(datadir)
    const place = [
      '--datadir',
      datadir,
      '--api-bind',
      `127.0.0.1:${port}`,
      '--http.port',
      '0',
      '--signer.http.port',
      '0',
    ]
    const child = spawn(executable, ['run', ...found.args, '--disable-gpu', ...place], { env: process.env })
    let output = ''
    child.stderr.on('data', (part: Buffer) => {
      output += part.toString('utf8')
    })
    const exited = once(child, 'exit')
    await eventually('the reason', async () => (output.includes(`port ${port} of 127.0.0.1 is in use`) ? true : null))

    child.kill('SIGTERM')
    taken.close()

    expect(await exited).toEqual([1, null])
  })
})

interface DriverPage {
  readonly url: string
  readonly webSocketDebuggerUrl: string
}

const pagesSchema = z.array(z.object({ url: z.string(), webSocketDebuggerUrl: z.string() }))
const evaluatedSchema = z.object({ result: z.object({ result: z.object({ value: z.unknown() }) }) })

async function dashboardOf(port: number): Promise<DriverPage | null> {
  const { text } = await http(`http://127.0.0.1:${port}/json/list`)
  return pagesSchema.parse(JSON.parse(text)).find(({ url }) => url.includes('/index.html')) ?? null
}

/** Chromium's own protocol, since the library's Electron driver needs switches that a package disables. */
async function inPage({ webSocketDebuggerUrl }: DriverPage, expression: string): Promise<unknown> {
  const socket = new WebSocket(webSocketDebuggerUrl)
  try {
    await once(socket, 'open')
    const answered = once(socket, 'message')
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression, returnByValue: true } }))
    const [data] = await answered
    return evaluatedSchema.parse(JSON.parse(String(data))).result.result.value
  } finally {
    socket.close()
  }
}
