// Loaded into a program under test ahead of its own code: at SIGUSR2 its wall clock goes on by the milliseconds in the file that
// CLOCK_AHEAD_FILE names.
const { readFileSync } = require('node:fs')

const { now } = Date
process.on('SIGUSR2', () => {
  const ahead = Number(readFileSync(process.env.CLOCK_AHEAD_FILE, 'utf8'))
  Date.now = () => now() + ahead
})
