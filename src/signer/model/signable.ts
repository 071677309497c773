// What every kind of data comes to before anybody is asked: the bytes that are hashed, the hash, and how a person
// sees it.

/** One line of the UI API's `messages`; a value with members is nested. */
export interface DisplayEntry {
  readonly name: string
  readonly value: string | readonly DisplayEntry[]
  readonly type: string
}

export type DataForm = 'text' | 'validator' | 'clique' | 'typed'

export interface SignableData {
  readonly form: DataForm
  /** As parsed from the caller's; `data/typed` for documents. */
  readonly contentType: string
  /** What is hashed, prefix included. */
  readonly hashed: Uint8Array
  /** keccak256 of `hashed`, 32 bytes */
  readonly hash: Uint8Array
  /** Of a text: its bytes without the prefix; null for other forms. */
  readonly text: Uint8Array | null
  readonly messages: readonly DisplayEntry[]
  /** 27 for everything but clique headers, whose seal holds the bare parity. */
  readonly parityOffset: 0 | 27
}
