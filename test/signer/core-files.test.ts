// Core files: what passwords pass through leaves none, and the key process's channel is kept out of the swap file.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../../bin/headframe.mjs')
const isLinux = process.platform === 'linux'

let dir = ''
let program: ChildProcess | null = null

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'core-files-'))
})
afterEach(() => {
  program?.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

/** A signer whose shell allows core files of any size, in a folder of its own. */
async function started(): Promise<{ readonly host: number; readonly worker: number; readonly where: string }> {
  const where = join(dir, 'work')
  mkdirSync(where)
  const options = ['--datadir', join(dir, 'data'), '--signer.configdir', join(dir, 'config'), '--api-bind', 'off']
  const words = [PROGRAM, 'signer', ...options, '--ipcdisable', '--chainid', '2110', '--lightkdf']
  const command = ['ulimit -c unlimited', `exec "$0" "$@"`].join('; ')
  program = spawn('bash', ['-c', command, process.execPath, ...words], { cwd: where, stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const hear = (text: Buffer): void => {
      said += text
      if (said.includes('the key worker is confined')) resolve()
    }
    program?.stdout?.on('data', hear)
    program?.stderr?.on('data', hear)
    program?.once('close', () => reject(new Error(`it ended: ${said}`)))
  })
  const host = program.pid ?? 0
  const children = readFileSync(`/proc/${host}/task/${host}/children`, 'utf8').trim().split(' ').map(Number)
  const worker = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('key-worker')) ?? 0
  return { host, worker, where }
}

const coreLimit = (pid: number): string =>
  /^Max core file size +(.*?) +bytes/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1] ?? ''
const lockedKilobytes = (pid: number): number =>
  Number(/^VmLck:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

describe.skipIf(!isLinux)(`a crash of the signer${isLinux ? '' : ' (skipped: not Linux)'}`, () => {
  it('leaves no core file, of the program or of the key process', async () => {
    const { host, worker, where } = await started()

    expect([host, worker].map(coreLimit)).toEqual(['0                    0', '0                    0'])
    expect(lockedKilobytes(worker)).toBeGreaterThanOrEqual(64)
    process.kill(worker, 'SIGSEGV')
    process.kill(host, 'SIGSEGV')
    const [, signal] = program === null ? [] : await once(program, 'close')

    expect(signal).toBe('SIGSEGV')
    expect(readdirSync(where).filter((name) => name.startsWith('core'))).toEqual([])
  })
})
