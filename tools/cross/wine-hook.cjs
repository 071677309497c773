// Loaded before the program by npm run test:windows, for what wine can't do:
// - send Ctrl-Break to a program without a console window: the signal is raised inside, once the file BREAK_FILE is there;
// - always pass the exit code on: wine ends the threads of an exiting program by SIGQUIT, and sometimes its process with them, so the
//   code is written to EXIT_FILE.
const { existsSync, writeFileSync } = require('node:fs')

const POLL_MS = 100
const { BREAK_FILE, EXIT_FILE } = process.env

if (BREAK_FILE !== undefined) {
  const timer = setInterval(() => {
    if (!existsSync(BREAK_FILE)) return
    clearInterval(timer)
    process.emit('SIGBREAK', 'SIGBREAK')
  }, POLL_MS)
  timer.unref()
}
if (EXIT_FILE !== undefined) process.on('exit', (code) => writeFileSync(EXIT_FILE, String(code)))
