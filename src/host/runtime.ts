// First import of every host-side entry: polyfills from Node's own modules what the oldest supported runtime lacks.
// That runtime is the Node 16 inside Electron 22; on newer ones this has no effect.
import { webcrypto } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'

function supply(name: string, value: unknown): void {
  if (name in globalThis) return
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

// Required by @noble's key and nonce helpers.
supply('crypto', webcrypto)
supply('structuredClone', (value: unknown): unknown => deserialize(serialize(value)))
