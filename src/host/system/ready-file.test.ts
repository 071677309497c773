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
import { ReadyFile, type ReadyInfo, writeReadyFile } from './ready-file'

const info: ReadyInfo = {
  pid: 1,
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

describe('the ready file', () => {
  it('is complete, with nothing left beside it', () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-ready-'))

    writeReadyFile(join(dir, 'r.json'), info, () => undefined)

    expect(JSON.parse(readFileSync(join(dir, 'r.json'), 'utf8'))).toEqual(info)
    expect(readdirSync(dir)).toEqual(['r.json'])
    rmSync(dir, { recursive: true })
  })

  it('is one line on standard output for -', () => {
    const lines: string[] = []

    writeReadyFile('-', info, (line) => lines.push(line))

    expect(lines.map((line) => JSON.parse(line))).toEqual([info])
  })

  it("isn't written through a link that someone put in its place", () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-ready-'))
    const victim = join(dir, 'victim')
    writeFileSync(victim, 'mine')
    symlinkSync(victim, join(dir, `r.json.${info.pid}.partial`))

    writeReadyFile(join(dir, 'r.json'), info, () => undefined)

    expect(readFileSync(victim, 'utf8')).toBe('mine')
    expect(JSON.parse(readFileSync(join(dir, 'r.json'), 'utf8'))).toEqual(info)
    rmSync(dir, { recursive: true })
  })

  it('of a killed run is removed before the next run opens anything', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-ready-'))
    const file = join(dir, 'r.json')
    writeReadyFile(file, info, () => undefined)

    await new ReadyFile(file).start()

    expect(existsSync(file)).toBe(false)
    await new ReadyFile(file).start()
    await new ReadyFile('-').start()
    await new ReadyFile(null).start()
    rmSync(dir, { recursive: true })
  })

  it.skipIf(process.platform === 'win32')('is never a pipe or device, which stays', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-ready-'))
    const file = join(dir, 'pipe')
    spawnSync('mkfifo', [file])

    symlinkSync(file, join(dir, 'link'))

    for (const name of ['pipe', 'link'])
      await expect(new ReadyFile(join(dir, name)).start()).rejects.toThrow('it is no plain file')
    expect([lstatSync(file).isFIFO(), existsSync(join(dir, 'link'))]).toEqual([true, true])
    rmSync(dir, { recursive: true })
  })

  it('names an unwritable file', () => {
    expect(() => writeReadyFile('/nowhere/r.json', info, () => undefined)).toThrow(
      expect.objectContaining({ code: 'HOST_READY_FILE_FAILED' }),
    )
  })
})
