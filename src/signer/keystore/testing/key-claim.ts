/** Text that a scan takes for a key file; never opened. @param address hex digits, with or without 0x */
export function keyClaim(address: string): string {
  return JSON.stringify({
    address,
    version: 3,
    crypto: {
      cipher: 'aes-128-ctr',
      ciphertext: '00'.repeat(32),
      cipherparams: { iv: '00'.repeat(16) },
      mac: '00'.repeat(32),
      kdf: 'scrypt',
      kdfparams: { n: 2, r: 8, p: 1, dklen: 32, salt: '00' },
    },
  })
}
