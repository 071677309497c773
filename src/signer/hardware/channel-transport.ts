// Adapts a device channel to Ledger's library.
import Transport from '@ledgerhq/hw-transport'
import type { DeviceChannel } from './device-port'

class ChannelTransport extends Transport {
  constructor(private readonly channel: DeviceChannel) {
    super()
  }

  override async exchange(apdu: Buffer): Promise<Buffer> {
    return Buffer.from(await this.channel.exchange(apdu))
  }

  override setScrambleKey(): void {
    // of devices before 2017 over U2F
  }

  override close(): Promise<void> {
    return this.channel.close()
  }
}

export function channelTransport(channel: DeviceChannel): Transport {
  return new ChannelTransport(channel)
}
