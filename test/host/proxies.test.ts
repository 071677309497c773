// The dashboard behind the proxies of docs/guide/server.md: the real programs, with the guide's own lines.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { startPort, type TestPort, TOKEN, token } from '../../src/host/testing/test-port'
import { temporaryFolder } from '../cli/program'
import { findServer, SERVERS } from '../find-server'
import { freePort } from '../free-port'

const GUIDE = readFileSync(resolve(import.meta.dirname, '../../docs/guide/server.md'), 'utf8')
const folder = temporaryFolder()
afterAll(folder.remove)

const absent = (program: string): string => (findServer(program) === null ? ` (skipped: no ${program})` : '')

const programs: ChildProcess[] = []
const ports: TestPort[] = []
afterEach(async () => {
  for (const program of programs.splice(0)) {
    const ended = new Promise((done) => program.once('exit', done))
    if (program.exitCode === null && program.kill('SIGTERM')) await ended
  }
  await Promise.all(ports.splice(0).map(({ port }) => port.stop()))
})

/** A proxy's lines in the guide, with the rigs' real addresses. */
function lines(language: string, rigs: readonly TestPort[]): string {
  const block = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(GUIDE)?.[1] ?? ''
  expect(block, `the guide's lines for ${language}`).toContain('10.0.0.5:3333')
  return block.replaceAll('127.0.0.1:3333', rigs[0]?.host ?? '').replaceAll('10.0.0.5:3333', rigs[1]?.host ?? '')
}

interface Kind {
  readonly program: string
  /** @param dir an empty folder @returns its arguments */
  readonly set: (dir: string, port: number, rigs: readonly TestPort[]) => readonly string[]
}

const nginx: Kind = {
  program: 'nginx',
  set(dir, port, rigs) {
    const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`)
    const server = `server { listen 127.0.0.1:${port}; server_name farm.example; ${lines('nginx', rigs)} }`
    const head = `daemon off; master_process off; pid ${dir}/pid; error_log stderr; events {}`
    writeFileSync(join(dir, 'conf'), `${head} http { access_log off; ${kept.join(' ')} ${server} }`)
    return ['-p', dir, '-e', 'stderr', '-c', join(dir, 'conf')]
  },
}

const caddy: Kind = {
  program: 'caddy',
  set(dir, port, rigs) {
    const site = lines('caddy', rigs).replace('farm.example {', `http://farm.example:${port} {\n    bind 127.0.0.1`)
    writeFileSync(join(dir, 'Caddyfile'), `{\n    admin off\n    auto_https off\n}\n${site}`)
    return ['run', '--config', join(dir, 'Caddyfile'), '--adapter', 'caddyfile']
  },
}

const traefik: Kind = {
  program: 'traefik',
  set(dir, port, rigs) {
    writeFileSync(join(dir, 'dynamic.yaml'), lines('yaml', rigs))
    const quiet = ['--global.checkNewVersion=false', '--global.sendAnonymousUsage=false', '--log.level=ERROR']
    return [`--entryPoints.web.address=127.0.0.1:${port}`, `--providers.file.filename=${dir}/dynamic.yaml`, ...quiet]
  },
}

async function isOpen(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true))
    socket.on('error', () => done(false))
    socket.on('connect', () => socket.destroy())
  })
}

/** Two rigs behind the proxy; the proxy's port. */
async function start({ program, set }: Kind): Promise<number> {
  const staticDir = join(folder.path, 'page')
  mkdirSync(staticDir, { recursive: true })
  writeFileSync(join(staticDir, 'index.html'), 'the dashboard')
  const options = { apiToken: token(), hosts: ['farm.example'], staticDir }
  const rigs = [await startPort(options), await startPort(options)]
  ports.push(...rigs)
  const port = await freePort()
  const dir = join(folder.path, `${program}-${port}`)
  mkdirSync(dir)
  const args = set(dir, port, rigs)
  const run = spawn(findServer(program) ?? '', args, {
    env: { ...process.env, HOME: dir, XDG_DATA_HOME: dir },
    stdio: 'ignore',
  })
  programs.push(run)
  await expect.poll(() => isOpen(port), { timeout: 30_000 }).toBe(true)
  return port
}

/** The status and text of a page, as a browser asks for it. */
function page(port: number, path: string, host = `farm.example:${port}`): Promise<readonly [number, string]> {
  return new Promise((done, fail) => {
    const headers = { host }
    const asked = request({ host: '127.0.0.1', port, path, headers }, (answer) => {
      let text = ''
      answer.on('data', (part: Buffer) => (text += part.toString()))
      answer.on('end', () => done([answer.statusCode ?? 0, text]))
    })
    asked.on('error', fail)
    asked.end()
  })
}

/** The first message of the channel, as the page opens it. */
function channel(port: number, path: string, host = `farm.example:${port}`): Promise<string> {
  return new Promise((done, fail) => {
    const headers = { Host: host, Origin: `http://${host}` }
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
    socket.on('open', () => socket.send(JSON.stringify({ t: 'hello', token: TOKEN })))
    socket.on('message', (data) => {
      socket.terminate()
      done(String(data))
    })
    socket.on('unexpected-response', (_, answer) => fail(new Error(`HTTP ${answer.statusCode}`)))
    socket.on('error', fail)
  })
}

describe.each([nginx, caddy])('$program, on a port of its own', (kind) => {
  it.skipIf(findServer(kind.program) === null)(
    `serves the dashboard at / and under a path${absent(kind.program)}`,
    async () => {
      const port = await start(kind)

      expect(await page(port, '/')).toEqual([200, 'the dashboard'])
      expect(await page(port, '/rig2/')).toEqual([200, 'the dashboard'])
      expect((await page(port, '/rig2'))[0]).toBeGreaterThanOrEqual(301)
      expect(await channel(port, '/ui/v1/channel')).toContain('welcome')
      expect(await channel(port, '/rig2/ui/v1/channel')).toContain('welcome')
      expect(ports.map(({ channels }) => channels.length)).toEqual([1, 1])
    },
  )
})

it.skipIf(findServer('traefik') === null)(`traefik serves the dashboard under a path${absent('traefik')}`, async () => {
  const port = await start(traefik)

  // It opens its port before it has read its routes.
  await expect.poll(() => page(port, '/rig2/'), { timeout: 30_000 }).toEqual([200, 'the dashboard'])
  expect((await page(port, '/other/'))[0]).toBe(404)
  expect((await page(port, '/rig2/', 'other.example'))[0]).toBe(404)
  expect(await channel(port, '/rig2/ui/v1/channel')).toContain('welcome')
  expect(ports.map(({ channels }) => channels.length)).toEqual([0, 1])
})

interface Sshd {
  readonly port: number
  readonly user: string
  readonly clientKey: string
}

/** The full tier's libraries of sshd. */
function unpackedLibraries(): readonly string[] {
  const folder = join(SERVERS, 'usr/lib')
  if (!existsSync(folder)) return []
  const found = readdirSync(folder, { recursive: true }).map(String)
  return found.filter((name) => /libwrap\.so\.\d+$/.test(name)).map((name) => join(folder, name))
}

/** An own server on a free port, for one key, with no rights of its own: as root it becomes `nobody`. */
async function startSshd(program: string): Promise<Sshd> {
  const dir = mkdtempSync(join(tmpdir(), 'headframe-sshd-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const port = await freePort()
  const [hostKey, clientKey] = [join(dir, 'host'), join(dir, 'client')]
  for (const file of [hostKey, clientKey]) spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? 'nobody' : userInfo().username
  // Debian's `nobody` has no password, which only PAM doesn't take for a locked account.
  const about = [
    `UsePAM ${isRoot ? 'yes' : 'no'}`,
    'StrictModes no',
    'PasswordAuthentication no',
    'AllowTcpForwarding local',
    'PidFile none',
  ]
  const files = [`HostKey ${hostKey}`, `AuthorizedKeysFile ${clientKey}.pub`]
  writeFileSync(join(dir, 'conf'), [`ListenAddress 127.0.0.1:${port}`, ...about, ...files, ''].join('\n'))
  const { uid, gid } = isRoot ? idsOf(user) : userInfo()
  if (isRoot) for (const name of ['', 'host', 'conf', 'client.pub']) chownSync(join(dir, name), uid, gid)
  // `nobody` may not be able to reach the folder that the full tier unpacked it in.
  for (const path of [program, ...unpackedLibraries()]) copyFileSync(path, join(dir, basename(path)))
  const env = { ...process.env, LD_LIBRARY_PATH: dir }
  const args = ['-D', '-e', '-f', join(dir, 'conf')]
  const run = spawn(join(dir, 'sshd'), args, { env, stdio: 'ignore', ...(isRoot && { uid, gid }) })
  programs.push(run)
  await expect.poll(() => isOpen(port), { timeout: 30_000 }).toBe(true)
  return { port, user, clientKey }
}

function idsOf(user: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number => Number(spawnSync('id', [flag, user]).stdout.toString())
  return { uid: id('-u'), gid: id('-g') }
}

describe('ssh -L, on another port', () => {
  const sshd = findServer('sshd')
  const isThere = sshd !== null && findServer('ssh') !== null

  it.skipIf(!isThere)(`reaches the dashboard${isThere ? '' : ' (skipped: no sshd, or no ssh)'}`, async () => {
    const staticDir = join(folder.path, 'page')
    mkdirSync(staticDir, { recursive: true })
    writeFileSync(join(staticDir, 'index.html'), 'the dashboard')
    const rig = await startPort({ apiToken: token(), staticDir })
    ports.push(rig)
    const { port, user, clientKey } = await startSshd(sshd ?? '')
    const local = await freePort()
    const trust = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'IdentitiesOnly=yes']
    const tunnel = ['-N', '-L', `127.0.0.1:${local}:127.0.0.1:${rig.tcpPort}`, '-p', String(port), '-i', clientKey]
    programs.push(spawn('ssh', [...trust, '-F', 'none', ...tunnel, `${user}@127.0.0.1`], { stdio: 'ignore' }))
    await expect.poll(() => isOpen(local), { timeout: 30_000 }).toBe(true)

    for (const host of [`localhost:${local}`, `127.0.0.1:${local}`]) {
      expect(await page(local, '/', host)).toEqual([200, 'the dashboard'])
      expect(await channel(local, '/ui/v1/channel', host)).toContain('welcome')
    }
    expect((await page(local, '/', `farm.example:${local}`))[0]).toBe(403)
    expect(rig.channels).toHaveLength(2)
  })
})

it('needs no setting behind a tunnel with another port', async () => {
  const rig = await startPort({ apiToken: token(), staticDir: null })
  ports.push(rig)
  for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'localhost']) {
    const socket = new WebSocket(`ws://127.0.0.1:${rig.tcpPort}/ui/v1/channel`, {
      headers: { Host: host, Origin: `http://${host}` },
    })
    await new Promise((done, fail) => {
      socket.on('open', done)
      socket.on('error', fail)
    })
    socket.terminate()
  }
})

it('still rejects a page of another port of this computer', async () => {
  const rig = await startPort({ apiToken: token(), staticDir: null })
  ports.push(rig)
  const socket = new WebSocket(`ws://127.0.0.1:${rig.tcpPort}/ui/v1/channel`, {
    headers: { Host: `localhost:${rig.tcpPort}`, Origin: 'http://localhost:8080' },
  })
  const status = new Promise((done) => socket.on('unexpected-response', (_, answer) => done(answer.statusCode)))
  socket.on('error', () => undefined)

  expect(await status).toBe(403)
})
