// The part of npm secp256k1 that the node uses; the package has no types of its own.
declare module 'secp256k1' {
  interface Secp256k1 {
    /** 65 or 33 bytes. @throws when the signature belongs to no key */
    ecdsaRecover(signature: Uint8Array, recoveryId: number, hash: Uint8Array, compressed?: boolean): Uint8Array
  }
  const secp256k1: Secp256k1
  export default secp256k1
}
