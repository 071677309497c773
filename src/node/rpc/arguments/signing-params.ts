// Arguments to be signed: texts and EIP-712 documents.
import { fail, ok } from '../../codec/result'
import { dataParam, type Param } from './params'

/** Maximum characters of a document; nesting is limited by the signer. */
const MAX_DOCUMENT_TEXT = 1024 * 1024

/** Bytes as hex, or, as web pages send it, text that doesn't begin with 0x. */
export const messageParam: Param<Uint8Array> = {
  absent: null,
  read: (value) =>
    typeof value === 'string' && !/^0x/i.test(value) ? ok(new TextEncoder().encode(value)) : dataParam.read(value),
}

/** An EIP-712 document: the object, or its JSON text as sent by some libraries. */
export const documentParam: Param<object> = {
  absent: null,
  read: (value) => {
    const given = typeof value === 'string' ? parsed(value) : value
    if (Array.isArray(given))
      return fail('a list of values is the first version of typed data; accepted: an EIP-712 document')
    if (typeof given === 'object' && given !== null) return ok(given)
    return fail('not an EIP-712 document, as an object or its JSON text')
  },
}

function parsed(text: string): unknown {
  if (text.length > MAX_DOCUMENT_TEXT) return null
  try {
    return JSON.parse(text)
  } catch {
    return null // reported by the caller
  }
}
