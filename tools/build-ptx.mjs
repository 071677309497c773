// Makes the .ptx files of resources/cuda/ from xhash.cu with clang 15, which needs no SDK of NVIDIA's for it.
// Usage: node tools/build-ptx.mjs. What it writes is part of the repository; users need no compiler.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './lib/project.mjs'

export const CUDA_FOLDER = join(ROOT, 'resources', 'cuda')
/** Other versions produce other text, so the files name the version. */
export const CLANG_VERSION = '15.0.6'
const CLANG = 'clang-15'
const SOURCES = ['xhash.cu', 'machine.cuh']

/**
 * sm_60 runs on every card from Pascal on, sm_61 (with byte-wise dot products) on all of them but the P100, sm_80 (with
 * hints for the caches) from Ampere on. PTX 6.0 has shuffles that name their lanes, which newer cards demand; drivers
 * from 2017 on take it. The hints need 7.4: drivers from 2021 on.
 */
export const PTX_BUILDS = [
  { file: 'xhash.sm_60.ptx', arch: 'sm_60', version: '6.0', defines: [] },
  { file: 'xhash.sm_61.ptx', arch: 'sm_61', version: '6.0', defines: ['-DXHASH_DOT=1'] },
  { file: 'xhash.sm_80.ptx', arch: 'sm_80', version: '7.4', defines: ['-DXHASH_DOT=1', '-DXHASH_CACHE_HINTS=1'] },
]

/** @returns {boolean} whether the compiler is here that gives the text of the repository */
export function hasPtxCompiler() {
  const { stdout } = spawnSync(CLANG, ['--version'], { encoding: 'utf8' })
  return stdout?.includes(`version ${CLANG_VERSION}`) ?? false
}

/** First line of a file that was made from the sources as they are now. */
export function ptxHeading() {
  const hash = createHash('sha256')
  for (const name of SOURCES) hash.update(readFileSync(join(CUDA_FOLDER, name)))
  return `// Made by tools/build-ptx.mjs with clang ${CLANG_VERSION} from sources of sha256 ${hash.digest('hex')}`
}

/**
 * @param {{ arch: string, version: string, defines: string[] }} build one of PTX_BUILDS
 * @returns {string} the file's text. Throws with the compiler's first error.
 */
export function makePtx({ arch, version, defines }) {
  const args = ['-x', 'cuda', '--cuda-device-only', `--cuda-gpu-arch=${arch}`, '-nocudainc', '-nocudalib', '-std=c++17']
  const ptx = `+ptx${version.replace('.', '')}`
  args.push('-Xclang', '-target-feature', '-Xclang', ptx, '-O3', '-Wall', '-Wextra', '-Werror', ...defines)
  args.push('--cuda-path-ignore-env') // an NVIDIA toolkit in PATH would change the output
  const result = spawnSync(CLANG, [...args, '-S', 'xhash.cu', '-o', '-'], {
    cwd: CUDA_FOLDER,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (result.error !== undefined) throw new Error(`${CLANG} does not run: ${result.error.message}`)
  if (result.status !== 0)
    throw new Error(result.stderr.split('\n').find((line) => /error/.test(line)) ?? result.stderr)
  return `${ptxHeading()}\n${result.stdout}`
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (hasPtxCompiler()) {
    for (const build of PTX_BUILDS) {
      writeFileSync(join(CUDA_FOLDER, build.file), makePtx(build))
      console.log(`resources/cuda/${build.file}`)
    }
  } else {
    console.error(`${CLANG} ${CLANG_VERSION} is needed (Debian 12: apt install ${CLANG})`)
    process.exitCode = 1
  }
}
