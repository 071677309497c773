// First import of every host-side entry: supplies from Node's own modules what the oldest supported runtime lacks.
// That runtime is the Node 16 inside Electron 22; on newer ones every line here is without effect.
import { webcrypto } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'

function supply(name: string, value: unknown): void {
  if (name in globalThis) return
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

// @noble's key and nonce helpers ask for it.
supply('crypto', webcrypto)
supply('structuredClone', (value: unknown): unknown => deserialize(serialize(value)))
