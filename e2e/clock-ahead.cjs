// Loaded into a program under test ahead of its own code: at SIGUSR2 its clocks go on by the milliseconds in the file that
// CLOCK_AHEAD_FILE names.
const { readFileSync } = require('node:fs')

const { now } = Date
const run = performance.now.bind(performance)
process.on('SIGUSR2', () => {
  const { wallMs, runMs } = JSON.parse(readFileSync(process.env.CLOCK_AHEAD_FILE, 'utf8'))
  Date.now = () => now() + wallMs
  performance.now = () => run() + runMs
})
