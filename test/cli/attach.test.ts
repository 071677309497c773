// The console of a running program: over its socket and over HTTP, in one call and typed line by line.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, DOOR, IS_BUILT, NO_MINING, Program, temporaryFolder } from './program'

const HAS_TERMINALS = process.platform === 'linux' && existsSync('/usr/bin/script')

/** Types each line on a separate terminal once the previous answer is there. @returns everything printed */
function typed(
  args: readonly string[],
  lines: readonly { readonly line: string; readonly after: string }[],
): Promise<string> {
  const command = [process.execPath, DOOR, 'attach', ...args].map((word) => `'${word}'`).join(' ')
  return new Promise((done, fail) => {
    const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
    const waiting = [...lines]
    let printed = ''
    let seen = 0
    child.stdout.on('data', (part: Buffer) => {
      printed += part.toString('utf8')
      const next = waiting[0]
      const at = next === undefined ? -1 : printed.indexOf(next.after, seen)
      if (next === undefined || at < 0) return
      waiting.shift()
      seen = at + next.after.length
      child.stdin.write(`${next.line}\n`)
    })
    child.once('error', fail)
    child.once('close', () => done(printed))
  })
}

describe.skipIf(!IS_BUILT)('headframe attach', () => {
  const folder = temporaryFolder()
  const datadir = ['--datadir', join(folder.path, 'data')]
  let program: Program
  let http = ''
  beforeAll(async () => {
    const file = join(folder.path, 'ready.json')
    program = new Program(['run', '--headless', '--practice', ...NO_MINING, ...datadir, '--ready-file', file])
    http = (await program.ready(file)).http
  })
  afterAll(async () => {
    await program.stop()
    folder.remove()
  })

  it("prints one result over the data directory's socket, or over HTTP", async () => {
    const overSocket = await call(['attach', ...datadir, '--exec', 'eth.blockNumber'])
    const overHttp = await call(['attach', http, '--exec', 'eth.getBlock(0).number + eth.chainId()'])

    expect(overSocket).toEqual({ code: 0, stdout: '0\n', stderr: '' })
    expect(overHttp).toEqual({ code: 0, stdout: '1337\n', stderr: '' })
  })

  it('runs scripts before the code', async () => {
    const script = join(folder.path, 'script.js')
    writeFileSync(script, 'const twice = (value) => value * 2\n')

    expect(await call(['attach', ...datadir, '--preload', script, '--exec', 'twice(21)'])).toMatchObject({
      stdout: '42\n',
    })
  })

  it.each([
    ['eth.getBalance(1)', 'headframe: invalid argument 0: '],
    ['nothing.here', 'headframe: ReferenceError: nothing is not defined'],
    ['process.exit(7)', 'headframe: ReferenceError: process is not defined'],
  ])('reports %s and exits with 1', async (code, reason) => {
    const { code: exit, stderr } = await call(['attach', ...datadir, '--exec', code])

    expect([exit, stderr.startsWith(reason)]).toEqual([1, true])
  })

  it('reports that nothing answers', async () => {
    const { code, stderr } = await call(['attach', join(folder.path, 'no.ipc'), '--exec', '1'])

    expect([code, stderr]).toEqual([1, expect.stringMatching(/no node is running at .*no\.ipc: start one/)])
  })

  it.runIf(HAS_TERMINALS)('answers lines, and keeps passwords out of its history', async () => {
    const printed = await typed(datadir, [
      { after: 'to leave.', line: 'web3.fromWei(10n ** 18n * 3n)' },
      { after: '\n3', line: 'personal.unlockAccount("0x00", "correct horse")' },
      { after: '--unlock', line: '.exit' },
    ])

    expect(printed).not.toContain('chunks')
    const kept = readFileSync(join(folder.path, 'data', 'console-history'), 'utf8')
    expect([kept.includes('web3.fromWei('), kept.includes('correct horse')]).toEqual([true, false])
  })
})
