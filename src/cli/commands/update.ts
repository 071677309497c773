// headframe update: checks for a newer version, or takes one from a file, and keeps it for the next start.
import { join } from 'node:path'
import { createLogger } from '../../base/logger'
import { systemClock } from '../../base/time'
import { conflict } from '../../config/errors'
import { requireFile } from '../../host/release/regular-file'
import { ownPackage } from '../../host/update/own-package'
import { Updates } from '../../host/update/updates'
import type { WaitingUpdate } from '../../host/update/waiting-update'
import type { CliCall, CliWorld } from '../call'
import { EXIT_DONE } from '../exit-codes'
import { configOf } from '../load-config'
import { untilSignal } from '../stop-signals'
import { expectNoWords } from '../words'

/** @throws ConfigError, HostError HOST_UPDATE_..., HOST_RELEASE_... */
export async function runUpdate(call: CliCall): Promise<number> {
  const { parsed, world } = call
  expectNoWords(parsed)
  if (parsed.forget && parsed.from !== null) throw conflict('--forget and --from exclude each other: use one')
  if (parsed.older && parsed.from === null)
    throw conflict('--older is for --from FILE: what an update address announces is always newer')
  const { platform } = world
  const { app, update } = configOf(call)
  const clock = systemClock()
  const quiet = createLogger('', { minLevel: 'error', now: clock.now, sink: { write: () => undefined } })
  const own = ownPackage(platform.projectRoot)
  const { version: running } = platform
  const updates = new Updates({ ...update, running, own, dataDir: app.dataDir }, { clock, log: quiet })
  const say = parsed.json ? () => undefined : platform.standardOutput
  const result = (found: string | null, waiting: WaitingUpdate | null): number => {
    if (parsed.json) platform.standardOutput(JSON.stringify({ running, found, waiting, folder: updates.folder }))
    return EXIT_DONE
  }
  if (parsed.forget) {
    updates.forget()
    say('no update is waiting for the next start')
    return result(null, null)
  }
  if (parsed.from !== null) {
    await requireFile(parsed.from)
    const waiting = await updates.takeFrom(parsed.from, parsed.older)
    say(waitsLine(updates, waiting))
    return result(waiting.version, waiting)
  }
  return untilSignal(world, (signal) => lookAndFetch(updates, { running, say, result, signal }))
}

interface Talk {
  readonly running: string
  readonly say: CliWorld['platform']['standardOutput']
  readonly result: (found: string | null, waiting: WaitingUpdate | null) => number
  readonly signal: AbortSignal
}

async function lookAndFetch(updates: Updates, { running, say, result, signal }: Talk): Promise<number> {
  const notice = await updates.look(signal)
  if (notice === null) {
    say(`Headframe ${running} is the latest version`)
    return result(null, updates.waiting)
  }
  say(`Headframe ${notice.version} is available; this is ${running}. What changed:`)
  for (const line of notice.changes) say(`  - ${line}`)
  const waiting = await updates.fetch(notice, signal)
  say(waitsLine(updates, waiting))
  return result(notice.version, waiting)
}

function waitsLine({ folder, isAutomatic }: Updates, { version, file }: WaitingUpdate): string {
  const place = join(folder, file)
  if (isAutomatic) return `Headframe ${version} is verified and will be installed at the next start`
  if (file.endsWith('.deb')) return `Headframe ${version} is verified: install it with sudo apt install ${place}`
  if (file.endsWith('.exe')) return `Headframe ${version} is verified: stop Headframe, then run ${place}`
  return `Headframe ${version} is verified and saved as ${place}`
}
