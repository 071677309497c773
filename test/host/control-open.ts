// What a file of control-port tests opens; closed again after each of its tests.
import { afterEach } from 'vitest'
import { type ControlFixture, type FixtureOptions, startControl, Wire } from './control-fixture'

export interface ControlOpener {
  start(options?: FixtureOptions): Promise<ControlFixture>
  wire(tcpPort: number): Wire
}

/** Call once at the top of a test file. */
export function controlOpener(): ControlOpener {
  const open: { stop(): Promise<void> }[] = []
  const wires: Wire[] = []
  afterEach(async () => {
    for (const wire of wires.splice(0)) wire.destroy()
    for (const each of open.splice(0)) await each.stop()
  })
  return {
    async start(options) {
      const fixture = await startControl(options)
      open.push(fixture)
      return fixture
    },
    wire(tcpPort) {
      const made = new Wire(tcpPort)
      wires.push(made)
      return made
    },
  }
}

/** One line of the line protocol. */
export function requestLine(id: unknown, method: string, params?: unknown): string {
  return `${JSON.stringify({ id, jsonrpc: '2.0', method, params })}\n`
}

export function errorAnswer(code: number, message: string, id: unknown = 1) {
  return { id, jsonrpc: '2.0', error: { code, message } }
}

export function doneAnswer(result: unknown, id: unknown = 1) {
  return { id, jsonrpc: '2.0', result }
}
