// What a stock Electron has as its default app: it loads the app of the command line.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from './project.mjs'

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

/** Writes `default_app.asar` into the folder. Throws an Error with what the archiver said. @param {string} resources */
export function writeDefaultApp(resources) {
  const work = join(resources, 'default_app')
  mkdirSync(work)
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(work, name), text)
  const words = [packageFile('@electron/asar', 'bin/asar.js'), 'pack', work, `${work}.asar`]
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  rmSync(work, { recursive: true })
  if (status !== 0) throw new Error(`the default app could not be packed: ${stderr.trim()}`)
}
