// NVIDIA's assembler and disassembler: those on the path, else from Python wheels with pinned hashes, kept in .cache.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CACHE, ToolError } from '../../lib/project.mjs'
import { wheelMember } from '../../lib/python-wheel.mjs'

const WHEELS = {
  ptxas: {
    requirement: 'nvidia-cuda-nvcc-cu12==12.9.86',
    wheelSha256: '5d6a0d32fdc7ea39917c20065614ae93add6f577d840233237ff08e9a38f58f0',
    pipPlatform: 'manylinux2010_x86_64',
  },
  nvdisasm: {
    requirement: 'nvidia-cuda-nvdisasm==13.5.37',
    wheelSha256: 'd3fdbdd49fa53e2e4aacd3db8259d052bd2b049ececdcb69e92e083c6728e7ca',
    pipPlatform: 'manylinux2014_x86_64',
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
  mkdirSync(dirname(path), { recursive: true })
  const work = mkdtempSync(join(CACHE, 'nvidia', '.tmp-'))
  try {
    const unpacked = join(work, name)
    writeFileSync(unpacked, wheelMember(wheel, `/bin/${name}`, { dir: work, log }), { mode: 0o755 })
    renameSync(unpacked, path)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return path
}
