// Builds and runs the C++ tests without Node: with cmake where it is installed, else with the compiler alone.
// Usage: node tools/test-native.mjs [--only WORD] [--bench] [--sanitize | --sanitize-thread]
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { builtObjects } from './build-native.mjs'

const native = join(dirname(dirname(fileURLToPath(import.meta.url))), 'native')

/**
 * @param {{ only?: string, sanitize?: 'address' | 'thread' | null, log?: (line: string) => void }} [options]
 * @returns {Promise<{ passed: number, failed: number, skipped: number, notes: string[] }>}
 * A machine without a compiler skips them (skipped 1, with a note); a compile error counts as one failure.
 */
export async function testNative({ only = '', sanitize = null, log = () => {} } = {}) {
  if (compiler() === null) {
    return { passed: 0, failed: 0, skipped: 1, notes: ['C++ tests skipped: no C++ compiler here; install g++'] }
  }
  const built = buildProgram('native_test', sanitize)
  if (built.error !== null) return { passed: 0, failed: 1, skipped: 0, notes: [built.error] }
  const run = spawnSync(built.path, only === '' ? [] : ['--only', only], { encoding: 'utf8' })
  log(run.stdout + run.stderr)
  const counts = /(\d+) passed, (\d+) failed\s*$/.exec(run.stdout)
  if (counts === null) {
    const how = run.signal === null ? `exit ${run.status}` : run.signal
    return { passed: 0, failed: 1, skipped: 0, notes: [`the C++ test program ended early: ${how}`] }
  }
  const failures = run.stdout.split('\n').filter((line) => line.startsWith('FAIL'))
  const clean = run.status === 0 || failures.length > 0 ? [] : [`the C++ test program ended with ${run.status}`]
  return {
    passed: Number(counts[1]),
    failed: Number(counts[2]) + clean.length,
    skipped: 0,
    notes: [...failures, ...clean],
  }
}

/**
 * Builds one of the programs of native/CMakeLists.txt.
 * @param {'native_test' | 'native_bench' | 'gpu_bench'} name
 * @param {'address' | 'thread' | null} sanitize
 * @returns {{ path: string, error: string | null }}
 */
export function buildProgram(name, sanitize) {
  const dir = join(native, 'build', sanitize === null ? 'test' : `test-${sanitize}`)
  mkdirSync(dir, { recursive: true })
  const steps = runs('cmake') ? cmakeSteps(dir, name, sanitize) : compilerSteps(dir, name, sanitize)
  for (const [command, args] of steps) {
    const result = spawnSync(command, args, { cwd: dir, encoding: 'utf8' })
    if (result.status === 0) continue
    const output = `${result.stderr}\n${result.stdout}`
    const first = output.split('\n').find((line) => /error/i.test(line)) ?? `${command} failed`
    return { path: '', error: `C++ tests do not build: ${first.trim()}` }
  }
  return { path: join(dir, name), error: null }
}

function cmakeSteps(dir, name, sanitize) {
  const options = [
    `-DHEADFRAME_OBJECTS=${objectsFor(sanitize) ?? ''}`,
    `-DHEADFRAME_SANITIZE=${sanitize === 'address' ? 'ON' : 'OFF'}`,
    `-DHEADFRAME_SANITIZE_THREAD=${sanitize === 'thread' ? 'ON' : 'OFF'}`,
  ]
  return [
    ['cmake', ['-S', native, '-B', dir, '-DCMAKE_BUILD_TYPE=Release', ...options]],
    ['cmake', ['--build', dir, '--target', name, '--parallel', String(cpus().length)]],
  ]
}

const CORE = [
  'src/xhash',
  'src/xhash/keccak',
  'src/xhash/kernels',
  'src/xhash/system',
  'src/farm',
  'src/gpu',
  'src/gpu/opencl',
  'src/gpu/cuda',
]

/** What native/CMakeLists.txt says, for computers without cmake. */
function compilerSteps(dir, name, sanitize) {
  const cppIn = (folder, wanted = isCpp) =>
    readdirSync(join(native, folder))
      .filter(wanted)
      .map((file) => join(native, folder, file))
  const objects = objectsFor(sanitize)
  const core = CORE.flatMap((path) => cppIn(path)).map((source) =>
    objects === null ? source : join(objects, relative(native, source).replace(/cpp$/, 'o')),
  )
  const flags = ['-std=c++20', '-O3', '-Wall', '-Wextra', '-pthread']
  if (sanitize !== null) flags.push('-g', `-fsanitize=${sanitize === 'address' ? 'address,undefined' : 'thread'}`)
  const program = (...parts) => [compiler(), [...flags, ...core, ...parts, '-ldl', '-o', join(dir, name)]]
  if (name === 'native_bench') return [program(join(native, 'test', 'bench.cpp'))]
  if (name === 'gpu_bench') return [program(join(native, 'test', 'gpu_bench.cpp'), ...cppIn('src/sensors'))]
  if (!testsCuda) return [program(join(native, 'test', 'main.cpp'), ...cppIn('test', isTest))]
  const host = cppIn('test/cuda-host')
  const library = (file, ...parts) => [compiler(), [...flags, '-shared', '-fPIC', ...parts, '-o', join(dir, file)]]
  const defines = [
    `-DHEADFRAME_FAKE_CUDA="${join(dir, 'libfake_cuda.so')}"`,
    `-DHEADFRAME_OLD_CUDA="${join(dir, 'libold_cuda.so')}"`,
    `-DHEADFRAME_CUDA_RESOURCES="${join(native, '..', 'resources', 'cuda')}"`,
    `-DHEADFRAME_VECTORS="${join(native, '..', 'test', 'vectors')}"`,
  ]
  return [
    library('libfake_cuda.so', '-fvisibility=hidden', join(native, 'test/fake-cuda/fake_cuda.cpp'), ...host),
    library('libold_cuda.so', join(native, 'test/fake-cuda/old_driver.cpp')),
    program(...defines, join(native, 'test', 'main.cpp'), ...cppIn('test', isTest), ...host),
  ]
}

/** The addon's own objects, which hold no checks of a sanitizer: what is tested is what is shipped. */
function objectsFor(sanitize) {
  return sanitize === null && process.platform === 'linux' ? builtObjects() : null
}

const isCpp = (file) => file.endsWith('.cpp')
const testsCuda = process.platform === 'linux'
const isTest = (file) => file.endsWith('_test.cpp') && (testsCuda || !file.startsWith('cuda_'))

function compiler() {
  const candidates = process.env.CXX === undefined ? ['c++', 'g++', 'clang++'] : [process.env.CXX]
  return candidates.find(runs) ?? null
}

function runs(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const args = process.argv.slice(2)
  const log = (text) => process.stdout.write(text)
  if (args.includes('--bench')) {
    const built = buildProgram('native_bench', null)
    if (built.error === null) spawnSync(built.path, [], { stdio: 'inherit' })
    else log(`${built.error}\n`)
    process.exitCode = built.error === null ? 0 : 1
  } else {
    const sanitize = args.includes('--sanitize-thread') ? 'thread' : args.includes('--sanitize') ? 'address' : null
    const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '') : ''
    const { passed, failed, skipped, notes } = await testNative({ only, sanitize, log })
    log(`native: ${passed} passed, ${failed} failed, ${skipped} skipped\n${notes.map((n) => `  ${n}\n`).join('')}`)
    process.exitCode = failed === 0 ? 0 : 1
  }
}
