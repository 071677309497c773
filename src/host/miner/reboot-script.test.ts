import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { RebootScript } from './reboot-script'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folderWith(script: string | null, mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-reboot-'))
  folders.push(folder)
  if (script !== null) writeFileSync(join(folder, 'reboot.sh'), script, { mode })
  return folder
}

const run = (folder: string): Promise<boolean> => new RebootScript(folder, false, silentLogger).run()

describe.skipIf(process.platform === 'win32')('the reboot script', () => {
  it('gets one fixed argument, its own folder, and nothing of our environment', async () => {
    process.env.HEADFRAME_API_TOKEN = 'a secret'
    const folder = folderWith('#!/bin/sh\n{ echo "$#:$1"; pwd; env; } > out.part && mv out.part out\n')
    try {
      expect(await run(folder)).toBe(true)
      while (!existsSync(join(folder, 'out'))) await new Promise((resolve) => setTimeout(resolve, 10))
    } finally {
      delete process.env.HEADFRAME_API_TOKEN
    }

    const said = readFileSync(join(folder, 'out'), 'utf8')
    expect(said.split('\n')[0]).toBe('1:api_miner_reboot')
    expect(said).toContain(folder)
    expect(said).toContain('PATH=')
    expect(said).not.toMatch(/a secret|HEADFRAME/)
  })

  it.each([
    ['missing', null, 0o755],
    ['empty', '', 0o755],
    ['not executable', '#!/bin/sh\n', 0o644],
  ])("isn't started if it is %s", async (_, script, mode) => {
    expect(await run(folderWith(script, mode))).toBe(false)
  })

  it('fails if its interpreter is missing', async () => {
    expect(await run(folderWith('#!/no/such/interpreter\n'))).toBe(false)
  })
})
