#!/usr/bin/env node
// Plain-Node front door: checks that it can run at all, then loads the built command line. No logic of its own.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const FLOOR = [20, 19]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const entry = fileURLToPath(new URL('../out/main/cli.cjs', import.meta.url))

/** A package that waits beside the program (headframe update) takes its place before a start, by a process that is gone then. */
function placeUpdate() {
  const waiting = `${fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')}.update`
  const [word = 'run'] = process.argv.slice(2)
  const isStart = ['run', 'node', 'miner', 'signer'].includes(word) || word.startsWith('-')
  if (!isStart || !existsSync(waiting)) return
  const place = fileURLToPath(new URL('../out/main/place-update.cjs', import.meta.url))
  spawnSync(process.execPath, [place], { stdio: ['ignore', 'ignore', 'inherit'] })
}

function refuse(line) {
  process.stderr.write(`headframe: ${line}\n`)
  process.exitCode = 2
}

if (major < FLOOR[0] || (major === FLOOR[0] && minor < FLOOR[1])) {
  refuse(`Node ${process.versions.node} is too old: install Node ${FLOOR.join('.')} or newer`)
} else if (!existsSync(entry)) {
  refuse('the program is not built yet: run npm start, or npm ci && npm run build')
} else {
  placeUpdate()
  createRequire(import.meta.url)(entry)
}
