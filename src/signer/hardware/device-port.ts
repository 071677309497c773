// The transport to a device: USB in the program, a recording or a simulated device in tests.

/** An open device. One exchange at a time. */
export interface DeviceChannel {
  /**
   * Sends one command and awaits its answer, for as long as the user at the device takes.
   * @param apdu an ISO 7816-4 command @returns data and two status bytes; untrusted
   * @throws SignerError SIGNER_DEVICE_LOST when the device is unplugged or the channel closed meanwhile
   */
  exchange(apdu: Uint8Array): Promise<Uint8Array>
  /** Never rejects; idempotent. */
  close(): Promise<void>
}

export interface PluggedDevice {
  /** @throws SignerError SIGNER_DEVICE_ACCESS */
  open(): Promise<DeviceChannel>
}

export interface DevicePort {
  /** @throws SignerError SIGNER_DEVICE_DRIVER when devices can't be listed */
  plugged(): Promise<readonly PluggedDevice[]>
}
