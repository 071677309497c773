// How bytes get to a device and back: USB in the program, a recording or a simulated device in tests.

/** An open device. One exchange at a time. */
export interface DeviceChannel {
  /**
   * Sends one command and waits for its answer, for as long as the person at the device takes.
   * @param apdu command as ISO 7816-4 has it @returns data and two status bytes; foreign
   * @throws SignerError SIGNER_DEVICE_LOST when the device goes away or the channel is closed meanwhile
   */
  exchange(apdu: Uint8Array): Promise<Uint8Array>
  /** Never rejects; twice is fine. */
  close(): Promise<void>
}

/** A device that is plugged in now. */
export interface PluggedDevice {
  /** @throws SignerError SIGNER_DEVICE_ACCESS */
  open(): Promise<DeviceChannel>
}

export interface DevicePort {
  /** @throws SignerError SIGNER_DEVICE_DRIVER when this computer's devices cannot be listed */
  plugged(): Promise<readonly PluggedDevice[]>
}
