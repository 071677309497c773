// Loaded before Electron's installer, whose fetch asks a proxy that hangs up again and again, and waits for one that is silent.
const { subscribe } = require('node:diagnostics_channel')

const ATTEMPTS = 5
const SILENT_MS = 60_000

let failed = 0
subscribe('undici:client:connectError', ({ error }) => {
  failed += 1
  if (failed === ATTEMPTS) end(`no connection in ${ATTEMPTS} attempts: ${error.message}`)
})
const silence = setTimeout(() => end(`no answer in ${SILENT_MS / 1_000} s`), SILENT_MS)
silence.unref()
subscribe('undici:request:headers', () => clearTimeout(silence))

function end(reason) {
  const proxy = process.env.ELECTRON_GET_USE_PROXY === undefined ? undefined : process.env.HTTPS_PROXY
  // A proxy's address may hold a password.
  const through = URL.canParse(proxy) ? ` through the proxy ${new URL(proxy).host}` : ''
  process.stderr.write(`error: ${reason}${through}\n`)
  process.exit(1)
}
