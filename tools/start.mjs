// npm start: from any state of the folder to the running program. Arguments after `--` are the program's.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { electronForWindow } from './electron-runtime.mjs'
import { ROOT, runTool, Stopped, unwritable } from './lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from './lib/set-up.mjs'

/** With one of these nothing is shown in a window. */
const WINDOWLESS = new Set(['--headless', '--headless=true', '--help', '-h', '--version', '-v'])

/** Standard output belongs to the program (`--ready-file -`). */
const log = (line) => process.stderr.write(`${line}\n`)

await runTool(async () => {
  await ensurePackages(log)
  await nativeOrFallback()
  await ensureApp(log)
  const args = process.argv.slice(2)
  const electron = wantsWindow(args) ? electronForWindow(log) : null
  return electron === null ? startHeadless(args) : startWindow(electron, args)
})

/** Without a compiler the program still runs: it hashes in TypeScript, slowly, and says so. */
async function nativeOrFallback() {
  try {
    await ensureNative(log)
  } catch (error) {
    if (error instanceof Stopped) throw error
    log(`${unwritable(error) ?? error.message}\nContinuing without it: mining will be very slow`)
  }
}

/** Only `run` has a window, and only with a display. */
function wantsWindow(args) {
  const command = args[0] === undefined || args[0].startsWith('-') ? 'run' : args[0]
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
  return hasDisplay && command === 'run' && !args.some((word) => WINDOWLESS.has(word))
}

/** Ends with the window's exit code. A signal is handed on, so that the program stops in order. */
function startWindow({ executable, args: switches, version }, args) {
  log(`starting the window on Electron ${version ?? ''}`)
  const child = spawn(executable, [...switches, ROOT, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

async function startHeadless(args) {
  const door = join(ROOT, 'bin', 'headframe.mjs')
  process.argv = [process.execPath, door, ...args]
  await import(pathToFileURL(door).href)
  return undefined
}
