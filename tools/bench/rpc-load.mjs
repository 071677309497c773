// The load of `npm run bench -- --rpc`: a process of its own that keeps some connections busy with one request at a time each.
// Input: one JSON line on standard input {host, port, connections, seconds, bodies}; output: one JSON line with the figures.
import { connect } from 'node:net'

const LF = 10
/** In a body: 16 hexadecimal digits that are replaced by the number of the request. */
export const NUMBER_OF_REQUEST = 'feed0123456789ab'

/**
 * Sends `bodies` in turn over kept-alive connections, each awaiting its answer.
 * @param {{ host: string, port: number, connections: number, seconds: number, bodies: readonly string[], first: number }} input
 * `first`: number of the first request
 */
export async function load({ host, port, connections, seconds, bodies, first }) {
  const requests = bodies.map((body) => {
    const bytes = Buffer.from(
      `POST / HTTP/1.1\r\nHost: ${host}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    return { bytes, at: bytes.indexOf(NUMBER_OF_REQUEST) }
  })
  const times = []
  const state = { turn: first, bytes: 0, errors: 0, until: performance.now() + seconds * 1_000 }
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, () => client({ host, port, requests, times, state })))
  const elapsed = (performance.now() - started) / 1_000
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return {
    perSecond: times.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    requests: times.length,
    errors: state.errors,
    megabytes: state.bytes / 1e6,
  }
}

function client({ host, port, requests, times, state }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    let sentAt = 0
    let answer = new AnswerReader()
    const next = () => {
      if (performance.now() > state.until) {
        socket.destroy()
        return resolve()
      }
      answer = new AnswerReader()
      sentAt = performance.now()
      socket.write(numbered(requests[state.turn % requests.length], state.turn++))
    }
    socket.on('connect', next)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      if (!answer.push(chunk)) return
      times.push(performance.now() - sentAt)
      state.bytes += answer.bytes
      if (answer.isError) state.errors += 1
      next()
    })
  })
}

/** @param request its bytes, and where they hold the request's number, or -1 */
function numbered({ bytes, at }, number) {
  if (at < 0) return bytes
  const copy = Buffer.from(bytes)
  copy.latin1Write(number.toString(16).padStart(NUMBER_OF_REQUEST.length, '0'), at)
  return copy
}

/** Detects the end of an HTTP answer: by its length, or by the last chunk. */
class AnswerReader {
  bytes = 0
  isError = false
  #head = Buffer.alloc(0)
  #left = -1
  #isChunked = false
  #tail = Buffer.alloc(0)

  push(chunk) {
    this.bytes += chunk.length
    if (this.#left < 0 && !this.#isChunked) return this.#readHead(chunk)
    return this.#readBody(chunk)
  }

  #readHead(chunk) {
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
    const end = this.#head.indexOf('\r\n\r\n')
    if (end < 0) return false
    const head = this.#head.toString('latin1', 0, end).toLowerCase()
    const length = /\r\ncontent-length: (\d+)/.exec(head)
    this.#isChunked = length === null
    this.#left = length === null ? -1 : Number(length[1])
    const body = this.#head.subarray(end + 4)
    this.isError = !head.startsWith('http/1.1 200') || body.subarray(0, 120).includes('"error":{')
    return this.#readBody(body)
  }

  #readBody(part) {
    if (!this.#isChunked) {
      this.#left -= part.length
      return this.#left <= 0
    }
    this.#tail = Buffer.concat([this.#tail, part.subarray(-7)]).subarray(-7)
    return this.#tail.at(-1) === LF && this.#tail.toString('latin1').endsWith('\r\n0\r\n\r\n')
  }
}

if (process.argv[2] === 'run') {
  let input = ''
  for await (const part of process.stdin) input += part
  console.log(JSON.stringify(await load(JSON.parse(input))))
}
