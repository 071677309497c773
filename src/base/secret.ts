// Text that must not be printed: every ordinary conversion to a string yields `***`.

const HIDDEN = '***'

/** Wraps a password or token. Only `reveal()` gives the text; logs, JSON and templates show `***`. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }
}
