// What every kind of data is reduced to before the user is asked: the bytes to hash, the hash, and the display.

/** One line of the UI API's `messages`; a value with members is nested. */
export interface DisplayEntry {
  readonly name: string
  readonly value: string | readonly DisplayEntry[]
  readonly type: string
}

export type DataForm = 'text' | 'validator' | 'clique' | 'typed'

export interface SignableData {
  readonly form: DataForm
  /** As parsed from the caller's; `data/typed` for typed data. */
  readonly contentType: string
  /** What is hashed, prefix included. */
  readonly hashed: Uint8Array
  /** keccak256 of `hashed`, 32 bytes */
  readonly hash: Uint8Array
  /** For a text: its bytes without the prefix; null for other forms. */
  readonly text: Uint8Array | null
  /** The same as a person reads it; null for bytes that nobody can read, and for other forms. */
  readonly readable: string | null
  readonly messages: readonly DisplayEntry[]
  /** A clique header as it was given: RLP, with what isn't hashed. Missing for other forms. */
  readonly header?: Uint8Array
  /** Members of a document that its types don't declare, so that nothing of them is signed; up to 21. */
  readonly unsigned?: readonly string[]
  /** 27 except for clique headers, whose seal holds the bare parity. */
  readonly parityOffset: 0 | 27
}
