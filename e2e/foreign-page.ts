// An empty page of another origin, like one that an attacker has open in the same browser.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function serveForeignPage(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>foreign</title>')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}/`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
