// Loaded before the program by npm run test:windows: wine can't send Ctrl-Break to a program without a console window, so the signal
// is raised inside, once the file is there that BREAK_FILE names.
const { existsSync } = require('node:fs')

const POLL_MS = 100
const file = process.env.BREAK_FILE
const timer = setInterval(() => {
  if (!existsSync(file)) return
  clearInterval(timer)
  process.emit('SIGBREAK', 'SIGBREAK')
}, POLL_MS)
timer.unref()
