// Writes a small asar archive, and holds what a stock Electron has in its default one: load the app of the command line.
import { writeFileSync } from 'node:fs'

/** @param {string} file @param {Record<string, string>} files texts by name, all at the top level */
export function writeAsar(file, files) {
  const bodies = Object.entries(files).map(([name, text]) => ({ name, body: Buffer.from(text) }))
  const tree = { files: {} }
  let offset = 0
  for (const { name, body } of bodies) {
    tree.files[name] = { size: body.length, offset: String(offset) }
    offset += body.length
  }
  const json = Buffer.from(JSON.stringify(tree))
  const padded = Math.ceil(json.length / 4) * 4
  const head = Buffer.alloc(16 + padded)
  for (const [index, value] of [4, 8 + padded, 4 + padded, json.length].entries()) head.writeUInt32LE(value, 4 * index)
  json.copy(head, 16)
  writeFileSync(file, Buffer.concat([head, ...bodies.map(({ body }) => body)]))
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

/** The files of that archive. */
export const DEFAULT_APP = {
  'package.json': JSON.stringify({ name: 'electron', productName: 'Electron', main: 'main.js' }),
  'main.js': DEFAULT_APP_MAIN,
}
