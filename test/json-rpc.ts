// JSON-RPC over HTTP as tests call it. Not by fetch, which takes compressed answers: of thousands of small ones both together
// take half a file's CPU time.
import { Agent, request } from 'node:http'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at member by member
export type Json = any

const agent = new Agent({ keepAlive: true })

/** The whole answer to one call. @param headers besides the content type */
export function ask(
  url: string,
  method: string,
  params: readonly unknown[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const all = { 'content-type': 'application/json', ...headers }
  return new Promise((done, fail) => {
    const asked = request(url, { agent, method: 'POST', headers: all }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', fail)
      answer.on('end', () => done(JSON.parse(Buffer.concat(parts).toString('utf8'))))
    })
    // A kept connection may have been closed meanwhile: then the call was never read.
    const isStale = (error: NodeJS.ErrnoException): boolean => asked.reusedSocket && error.code === 'ECONNRESET'
    asked.on('error', (error) => (isStale(error) ? ask(url, method, params, headers).then(done, fail) : fail(error)))
    asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  })
}
