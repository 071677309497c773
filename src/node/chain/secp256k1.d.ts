// The part of npm secp256k1 that the node and the signer use; the package has no types of its own.
declare module 'secp256k1' {
  interface Secp256k1 {
    /** 65 or 33 bytes. @throws when the signature belongs to no key */
    ecdsaRecover(signature: Uint8Array, recoveryId: number, hash: Uint8Array, compressed?: boolean): Uint8Array
    privateKeyVerify(privateKey: Uint8Array): boolean
    /** 65 or 33 bytes. @throws for a key that is not in range */
    publicKeyCreate(privateKey: Uint8Array, compressed?: boolean): Uint8Array
    /** RFC 6979, low s. @returns 64 bytes and the parity of R's y. @throws for a key that is not in range */
    ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { readonly signature: Uint8Array; readonly recid: number }
  }
  const secp256k1: Secp256k1
  export default secp256k1
}
