// Another local program that opens many connections, for tests of per-caller limits.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Opens them in sequence; prints `open` once all were tried, and the number of open ones when asked. */
const SCRIPT = `
const { connect } = require('node:net')
const [port, count, text] = process.argv.slice(1)
const open = new Set()
let tried = 0
const next = () => {
  if (tried++ >= Number(count)) return console.log('open')
  const socket = connect(Number(port), '127.0.0.1')
  let went = false
  const go = () => { if (!went) { went = true; next() } }
  socket.on('connect', () => { open.add(socket); socket.write(text, go) })
  socket.on('error', () => undefined)
  socket.on('close', () => { open.delete(socket); go() })
}
next()
process.stdin.on('data', () => console.log(open.size))
`

/** A child process with many connections. */
export class Crowd {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when all connections were tried. @param text that each sends */
  static async open(port: number, count: number, text: string): Promise<Crowd> {
    const crowd = new Crowd(
      spawn(process.execPath, ['-e', SCRIPT, String(port), String(count), text], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    )
    await crowd.#line()
    return crowd
  }

  /** Connections still open. */
  async size(): Promise<number> {
    this.child.stdin?.write('?')
    return Number(await this.#line())
  }

  async leave(): Promise<void> {
    const gone = once(this.child, 'exit')
    this.child.kill()
    await gone
  }

  async #line(): Promise<string> {
    const { stdout } = this.child
    if (stdout === null) throw new RangeError('the crowd has no output')
    const [chunk] = await once(stdout, 'data')
    return String(chunk).trim()
  }
}
