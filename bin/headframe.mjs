#!/usr/bin/env node
// Plain-Node front door: checks that it can run at all, then loads the built command line. No logic of its own.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const FLOOR = [20, 19]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const entry = fileURLToPath(new URL('../out/main/cli.cjs', import.meta.url))

function refuse(line) {
  process.stderr.write(`headframe: ${line}\n`)
  process.exitCode = 2
}

if (major < FLOOR[0] || (major === FLOOR[0] && minor < FLOOR[1])) {
  refuse(`Node ${process.versions.node} is too old: install Node ${FLOOR.join('.')} or newer`)
} else if (!existsSync(entry)) {
  refuse('the program is not built yet: run npm start, or npm ci && npm run build')
} else {
  createRequire(import.meta.url)(entry)
}
