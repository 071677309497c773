import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownMark } from './lock'
import { ReadyFile, type ReadyInfo } from './ready-file'

const info: ReadyInfo = {
  pid: process.pid,
  network: 'practice',
  chainId: 1337,
  api: '127.0.0.1:3333',
  http: '127.0.0.1:8545',
  ws: null,
  p2p: null,
  stratum: null,
  signer: { http: '127.0.0.1:8550', ipc: null },
  dashboard: 'http://127.0.0.1:3333/',
}

const silent = (): void => undefined
const written = { ...info, ...ownMark() }
/** Of a process that has ended: no system has this number. */
const ended = { pid: 2 ** 30, startMark: '7' }

describe('the ready file', () => {
  it('is complete, with nothing left beside it', () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-ready-'))

    new ReadyFile(join(dir, 'r.json'), silent).write(info)

    expect(JSON.parse(readFileSync(join(dir, 'r.json'), 'utf8'))).toEqual(written)
    expect(readdirSync(dir)).toEqual(['r.json'])
    rmSync(dir, { recursive: true })
  })

  it('is one line on standard output for -', () => {
    const lines: string[] = []

    new ReadyFile('-', (line) => lines.push(line)).write(info)

    expect(lines.map((line) => JSON.parse(line))).toEqual([info])
  })

  it("isn't written through a link that someone put in its place", () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-ready-'))
    const victim = join(dir, 'victim')
    writeFileSync(victim, 'mine')
    symlinkSync(victim, join(dir, `r.json.${info.pid}.partial`))

    new ReadyFile(join(dir, 'r.json'), silent).write(info)

    expect(readFileSync(victim, 'utf8')).toBe('mine')
    expect(JSON.parse(readFileSync(join(dir, 'r.json'), 'utf8'))).toEqual(written)
    rmSync(dir, { recursive: true })
  })

  it('of a killed run is removed before the next run opens anything', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-ready-'))
    const file = join(dir, 'r.json')
    new ReadyFile(file, silent, ended).write(info)

    await new ReadyFile(file, silent).start()

    expect(existsSync(file)).toBe(false)
    await new ReadyFile(file, silent).start()
    await new ReadyFile('-', silent).start()
    await new ReadyFile(null, silent).start()
    rmSync(dir, { recursive: true })
  })

  it('of a running program is left to it, whatever another one does', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-ready-'))
    const file = join(dir, 'r.json')
    const [first, second] = [new ReadyFile(file, silent), new ReadyFile(file, silent, ended)]
    await first.start()
    first.write(info)

    await expect(second.start()).rejects.toThrow(`process ${process.pid} wrote it and still runs`)
    await second.stop()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(written)

    await first.stop()
    expect(existsSync(file)).toBe(false)
    rmSync(dir, { recursive: true })
  })

  it.skipIf(process.platform === 'win32')('is never a pipe or device, which stays', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-ready-'))
    const file = join(dir, 'pipe')
    spawnSync('mkfifo', [file])

    symlinkSync(file, join(dir, 'link'))

    for (const name of ['pipe', 'link'])
      await expect(new ReadyFile(join(dir, name), silent).start()).rejects.toThrow('it is no plain file')
    expect([lstatSync(file).isFIFO(), existsSync(join(dir, 'link'))]).toEqual([true, true])
    rmSync(dir, { recursive: true })
  })

  it('names an unwritable file', () => {
    expect(() => new ReadyFile('/nowhere/r.json', silent).write(info)).toThrow(
      expect.objectContaining({ code: 'HOST_READY_FILE_FAILED' }),
    )
  })
})
