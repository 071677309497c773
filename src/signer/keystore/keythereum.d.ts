// Types of the parts of keythereum 2.0.0 that the keystore uses; the package ships none.
declare module 'keythereum' {
  interface KeythereumOptions {
    readonly kdf: 'scrypt' | 'pbkdf2'
    readonly cipher: 'aes-128-ctr'
    readonly kdfparams: Readonly<Record<string, number | string>>
  }

  interface KeythereumFile {
    readonly address: string
    readonly crypto: Readonly<Record<string, unknown>>
    readonly id: string
    readonly version: number
  }

  interface Keythereum {
    marshal(
      derivedKey: Buffer,
      privateKey: Buffer,
      salt: Buffer,
      iv: Buffer,
      options: KeythereumOptions,
    ): KeythereumFile
    dump(password: Buffer, privateKey: Buffer, salt: Buffer, iv: Buffer, options: KeythereumOptions): KeythereumFile
    recover(password: Buffer, file: KeythereumFile): Buffer
  }

  const keythereum: Keythereum
  export default keythereum
}
