// A release host over real HTTP, releases as the tool creates them, and a program's folder that a package can replace.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect } from 'vitest'
import { z } from 'zod'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { ownPackage } from '../../src/host/update/own-package'
import { Updates, type UpdatesOptions } from '../../src/host/update/updates'
import { newKey, signer } from './release-key'

const tools = async (name: string): Promise<object> => ({
  ...(await import(pathToFileURL(`tools/release/${name}.mjs`).href)),
})
export const maker = z
  .object({
    updateNotice: z.custom<(release: object) => string>(),
    updateComment: z.custom<(seconds: number) => string>(),
  })
  .parse(await tools('update-notice'))

export const NAME = `headframe-server-0.2.0-linux-${process.arch}.tar.gz`
export const RUNNING = '0.1.0'
export const LATER = 1_790_000_000
export const signal: AbortSignal = new AbortController().signal
export const isLinux = process.platform === 'linux'

export const right = newKey('RELEASE1')
export const wrong = newKey('RELEASE1') // with the id of the right one

export let base = ''
let server: Server
let url = ''
/** The host's answer; missing = 404. */
export let answers: Record<string, Buffer | ((answer: ServerResponse) => void)> = {}
export let asked: string[] = []
export const program = (): string => join(base, 'opt/headframe')
export const isOf = (version: string): boolean => readFileSync(join(program(), 'version'), 'utf8') === version

/** Everything again for each test of a file. */
export function hostForEachTest(): void {
  beforeEach(async () => {
    base = mkdtempSync(join(tmpdir(), 'update-'))
    answers = {}
    asked = []
    mkdirSync(join(base, 'data'))
    makeProgram(program(), RUNNING)
    writeFileSync(join(base, 'release.pub'), signer.publicKeyLine(right))
    server = createServer((request, answer) => {
      const name = decodeURIComponent((request.url ?? '').slice(1))
      asked.push(name)
      const found = answers[name]
      if (found === undefined) answer.writeHead(404).end()
      else if (Buffer.isBuffer(found)) answer.writeHead(200, { 'content-length': found.length }).end(found)
      else found(answer)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = z.object({ port: z.number() }).parse(server.address())
    url = `http://127.0.0.1:${address.port}/update.json`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
    rmSync(base, { recursive: true, force: true })
  })
}

function makeProgram(folder: string, version: string, kind = 'server-archive'): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package-kind'), `${kind}\n`)
  writeFileSync(join(folder, 'version'), version)
}

/**
 * A release as the tool creates it: package, sums, notice, signatures. `share`: how much of the package was released.
 */
export function release(
  version = '0.2.0',
  { key = right, seconds = LATER, kind = 'server-archive', share = 1 } = {},
): void {
  const made = join(base, 'made')
  rmSync(made, { recursive: true, force: true })
  makeProgram(join(made, 'headframe-server'), version, kind)
  expect(spawnSync('tar', ['-czf', join(made, NAME), '-C', made, 'headframe-server']).status).toBe(0)
  const whole = readFileSync(join(made, NAME))
  const tarball = whole.subarray(0, Math.ceil(share * whole.length))
  writeFileSync(join(made, NAME), tarball)
  const sums = Buffer.from(`${createHash('sha256').update(tarball).digest('hex')}  ${NAME}\n`)
  const changelog = `# Changelog\n\n## ${version}\n\n### Fixed\n- One thing,\n  on two lines.\n- Another.\n`
  const notice = Buffer.from(maker.updateNotice({ version, folder: made, names: [NAME], changelog }))
  const sign = (bytes: Buffer, comment: string): Buffer => Buffer.from(signer.signatureText(bytes, { key, comment }))
  answers = {
    [NAME]: tarball,
    SHA256SUMS: sums,
    'SHA256SUMS.minisig': sign(sums, `headframe ${version} ${seconds}`),
    'update.json': notice,
    'update.json.minisig': sign(notice, maker.updateComment(seconds)),
  }
}

export function updates(options: Partial<UpdatesOptions> = {}, clock = systemClock()): Updates {
  const own = ownPackage(program())
  const keyFile = join(base, 'release.pub')
  const given = { check: 'manual' as const, url, keyFile, running: RUNNING, own, dataDir: join(base, 'data') }
  return new Updates({ ...given, ...options }, { clock, log: silentLogger })
}

export async function lookAndFetch(made = updates()): Promise<string> {
  const notice = await made.look(signal)
  if (notice === null) return 'nothing newer'
  return (await made.fetch(notice, signal)).version
}

export function expectNothingKept(): void {
  expect(readdirSync(join(base, 'opt'))).toEqual(['headframe'])
  expect(readdirSync(join(base, 'data')).filter((name) => name !== 'update.json')).toEqual([])
}
