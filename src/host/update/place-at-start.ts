// Entry that runs, and is waited for, before a start when a package waits beside the program.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { printLine } from '../../files/print-line'
import { pathExchange } from '../../native/system/system-calls'
import { ownPackage } from './own-package'
import { placeWaiting } from './place-update'

/** Built into `out/main`. */
const root = dirname(dirname(import.meta.dirname))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

void placeWaiting(ownPackage(root), {
  running: version,
  exchange: pathExchange(root),
  say: (line) => printLine(process.stderr, `headframe: ${line}`),
})
