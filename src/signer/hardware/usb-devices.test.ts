import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { FrameReader, framesOf, type HidLibrary, loadHidLibrary, UsbDevices } from './usb-devices'

const APDU = Uint8Array.of(0xe0, 0x06, 0, 0, 0)
const ANSWER = concatBytes(new Uint8Array(100).fill(1), Uint8Array.of(0x90, 0))
const CHANNEL = 0x0102

/** A library with one Ledger of several interfaces, with these reads and writes. */
function libraryOf(handle: Partial<Awaited<ReturnType<HidLibrary['open']>>>) {
  const seen = { opened: [] as string[], closed: 0, written: [] as number[][] }
  const library: HidLibrary = {
    devicesAsync: async (vendor) => {
      expect(vendor).toBe(0x2c97)
      return [
        { path: 'keyboard', interface: 1, usagePage: 0xf1d0 },
        { path: 'commands', interface: 0, usagePage: 0xffa0 },
      ]
    },
    open: async (path) => {
      seen.opened.push(path)
      return {
        write: async (values) => seen.written.push(values),
        read: async () => undefined,
        close: async () => {
          seen.closed += 1
        },
        ...handle,
      }
    },
  }
  return { seen, library }
}

function devicesOf(library: HidLibrary, platform: NodeJS.Platform = 'linux'): UsbDevices {
  return new UsbDevices({ load: async () => library, platform, randomBytes: () => Uint8Array.of(1, 2) })
}

async function channelOf(library: HidLibrary, platform?: NodeJS.Platform) {
  const [device, ...others] = await devicesOf(library, platform).plugged()
  expect(others).toEqual([])
  if (device === undefined) throw new Error('no device')
  return device.open()
}

/** The error of `ask`, immediate or later; null if it answers. */
async function faultOf(ask: () => Promise<unknown>): Promise<string | null> {
  try {
    await ask()
    return null
  } catch (error) {
    return messageOf(error)
  }
}

describe('a Ledger on USB', () => {
  it.each(['linux', 'darwin', 'win32'] as const)('is addressed where it takes commands on %s', async (platform) => {
    const packets = [undefined, new Uint8Array(0), ...framesOf(CHANNEL, ANSWER)]
    const { seen, library } = libraryOf({ read: async () => packets.shift() })
    const channel = await channelOf(library, platform)

    expect(await channel.exchange(APDU)).toEqual(ANSWER)
    await channel.close()
    await channel.close()

    const [first] = seen.written
    expect(first?.[0]).toBe(0)
    expect(new FrameReader(CHANNEL).take(Uint8Array.from(first?.slice(1) ?? []))).toEqual(APDU)
    expect([seen.opened, seen.closed]).toEqual([['commands'], 1])
  })

  it('that goes away while it is written to or read from is lost', async () => {
    const gone = () => Promise.reject(new Error('could not read from HID device'))
    for (const handle of [{ write: gone }, { read: gone }, { read: gone, close: gone }]) {
      const channel = await channelOf(libraryOf(handle).library)
      await expect(channel.exchange(APDU)).rejects.toMatchObject({ code: 'SIGNER_DEVICE_LOST' })
      await channel.close()
    }
  })

  it('that stays silent is released when the channel is closed', async () => {
    const { library } = libraryOf({ read: () => new Promise((resolve) => setImmediate(resolve, undefined)) })
    const channel = await channelOf(library)
    const answer = expect(channel.exchange(APDU)).rejects.toMatchObject({ code: 'SIGNER_DEVICE_LOST' })
    await channel.close()

    await answer
  })

  it('that may not be opened is distinguished from one that is missing', async () => {
    const { library } = libraryOf({})
    const refusing = { ...library, open: () => Promise.reject(new Error('Permission denied')) }
    const [device] = await devicesOf(refusing).plugged()

    await expect(device?.open()).rejects.toMatchObject({ code: 'SIGNER_DEVICE_ACCESS' })
  })

  it("can't be searched for if the library doesn't load", async () => {
    const load = () => Promise.reject(new Error('libudev.so.1: cannot open shared object file'))
    const devices = new UsbDevices({ load, platform: 'linux', randomBytes: () => Uint8Array.of(1, 2) })

    await expect(devices.plugged()).rejects.toMatchObject({ code: 'SIGNER_DEVICE_DRIVER' })
  })

  it("can't be searched for if the native part, which loads with the first request, doesn't load", async () => {
    const { library } = libraryOf({})
    const fails = () => {
      throw new Error('libusb-1.0.so.0: cannot open shared object file')
    }

    await expect(devicesOf({ ...library, devicesAsync: fails }).plugged()).rejects.toMatchObject({
      code: 'SIGNER_DEVICE_DRIVER',
      data: { reason: expect.stringContaining('libusb-1.0.so.0') },
    })
  })

  it('is searched for by the real library, which has what is used of it', async ({ skip }) => {
    const library = await loadHidLibrary()
    const fault = await faultOf(() => library.devicesAsync(0x2c97, 0))
    skip(fault !== null, `USB devices cannot be listed here: ${fault}`)
    expect(Array.isArray(await library.devicesAsync(0x2c97, 0))).toBe(true)
    await expect(library.open('/no/such/device')).rejects.toThrow()
  })
})
