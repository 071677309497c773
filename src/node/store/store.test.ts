import { describe, expect, it } from 'vitest'
import { MemoryStore, StoreLayer } from './store'

const key = Uint8Array.of(1)

describe('StoreLayer', () => {
  it('reads through any number of forgotten layers', async () => {
    const store = new MemoryStore()
    let layer = new StoreLayer(store)
    for (let batch = 0; batch < 50_000; batch++) {
      layer.put(key, Uint8Array.of(batch & 0xff))
      const next = new StoreLayer(layer)
      await store.write(layer.changes())
      layer.forget()
      layer = next
    }

    expect(layer.get(key)).toEqual(Uint8Array.of(49_999 & 0xff))
    expect(layer.get(Uint8Array.of(2))).toBeUndefined()
    expect(await layer.keysWithPrefix(key)).toEqual([key])
  })

  it('reads the layer below until that one is forgotten', async () => {
    const store = new MemoryStore()
    const below = new StoreLayer(store)
    const layer = new StoreLayer(below)
    below.put(key, Uint8Array.of(1))
    expect(layer.get(key)).toEqual(Uint8Array.of(1))

    below.forget()

    expect(layer.get(key)).toBeUndefined()
  })
})
