// Every class is reached by its facts, and what is in no list has a class too.
import { describe, expect, it } from 'vitest'
import {
  type ConnectionFacts,
  connectionTrouble,
  httpTrouble,
  loginTrouble,
  rejectionTrouble,
  TROUBLE_WORDS,
  troubleText,
} from './pool-trouble'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const facts = (change: Partial<ConnectionFacts>): ConnectionFacts => ({
  tls: false,
  isReached: false,
  isOpen: false,
  heard: new Uint8Array(),
  code: '',
  ...change,
})

describe('a connection', () => {
  it.each([
    [{ code: 'ENOTFOUND' }, 'dns'],
    [{ code: 'EAI_AGAIN' }, 'dns'],
    [{ code: 'EHOSTUNREACH' }, 'no-route'],
    [{ code: 'ENETUNREACH' }, 'no-route'],
    [{ code: 'EPROXYUNREACHED' }, 'proxy-unreached'],
    [{ code: 'EPROXYLOGIN' }, 'proxy-login'],
    [{ code: 'EPROXYTARGET' }, 'proxy-target'],
    [{ code: 'ECONNREFUSED' }, 'connection-refused'],
    [{}, 'connect-timeout'],
    [{ code: 'ETIMEDOUT' }, 'connect-timeout'],
    [{ isReached: true, isOpen: true }, 'connection-lost'],
    [{ isReached: true, isOpen: true, code: 'ECONNRESET' }, 'connection-lost'],
    [{ isReached: true, isOpen: true, heard: bytes('HTTP/1.1 400 Bad Request\r\n') }, 'http-port'],
    [{ isReached: true, isOpen: true, heard: bytes('<html>') }, 'http-port'],
    [{ isReached: true, isOpen: true, heard: bytes('<!DOCTYPE html>') }, 'http-port'],
    [{ isReached: true, isOpen: true, heard: Uint8Array.of(0x15, 3, 3, 0, 2, 2, 70) }, 'tls-port'],
    [{ isReached: true, isOpen: true, heard: Uint8Array.of(0x16, 3, 1, 0, 2) }, 'tls-port'],
    [{ tls: true, isReached: true }, 'plain-port'],
    [{ tls: true, isReached: true, code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'plain-port'],
    [{ tls: true, isReached: true, code: 'EPROTO' }, 'plain-port'],
    [{ tls: true, isReached: true, code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' }, 'tls-refused'],
    [{ tls: true, isReached: true, code: 'ERR_SSL_UNSUPPORTED_PROTOCOL' }, 'tls-refused'],
    [{ tls: true, isReached: true, code: 'CERT_HAS_EXPIRED' }, 'certificate-expired'],
    [{ tls: true, isReached: true, code: 'CERT_NOT_YET_VALID' }, 'certificate-clock'],
    [{ tls: true, isReached: true, code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'certificate-name'],
    [{ tls: true, isReached: true, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'certificate-authority'],
    [{ tls: true, isReached: true, code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'certificate-authority'],
    [{ tls: true, isReached: true, code: 'CERT_REVOKED' }, 'certificate-authority'],
    [{ isReached: true, isOpen: true, code: 'ESOMETHINGNEW' }, 'connection-lost'],
  ] as const)('with %j is %s', (change, trouble) => {
    expect(connectionTrouble(facts(change))).toBe(trouble)
  })
})

describe('a rejected share', () => {
  it.each([
    ['Unauthorized worker', null, 'share-unauthorized'],
    ['unauthorized', 24, 'share-unauthorized'],
    ['Not subscribed', 25, 'share-unauthorized'],
    ['worker not found', null, 'share-unauthorized'],
    ['User is not logged in', null, 'share-unauthorized'],
    ['Share above target', 23, 'share-difficulty'],
    ['Low difficulty share', 23, 'share-difficulty'],
    ['low difficulty', null, 'share-difficulty'],
    ['difficulty too low', null, 'share-difficulty'],
    ['High-hash', null, 'share-difficulty'],
    ["hash doesn't meet target", null, 'share-difficulty'],
    ['share is weaker than target', null, 'share-difficulty'],
    ['Job not found', 21, 'share-stale'],
    ['Stale share', null, 'share-stale'],
    ['unknown-work', null, 'share-stale'],
    ['invalid job id', null, 'share-stale'],
    ['Duplicate share', 22, 'share-duplicate'],
    ['already submitted', null, 'share-duplicate'],
    ['invalid mix hash', null, 'share-invalid'],
    ['Provided PoW solution is invalid', null, 'share-invalid'],
    ['error 23', 23, 'share-difficulty'],
    ['error 404', 404, 'share-stale'],
    ['', null, 'share-rejected'],
    ['\u{62d2}\u{7edd}', null, 'share-rejected'],
    ['the pool said no without a reason', null, 'share-rejected'],
  ] as const)('"%s" with code %s is %s', (text, code, trouble) => {
    expect(rejectionTrouble(text, code)).toBe(trouble)
  })
})

it.each([
  ['Invalid wallet address', 'login-address'],
  ['Bad payout address checksum', 'login-address'],
  ['Wrong password', 'login-password'],
  ['You are banned', 'login-banned'],
  ['too many connections, try again later', 'login-banned'],
  ['Unauthorized worker', 'login-refused'],
  ['', 'login-refused'],
] as const)('a login refused with "%s" is %s', (text, trouble) => {
  expect(loginTrouble(text)).toBe(trouble)
})

it.each([
  [401, 'login-refused'],
  [403, 'login-refused'],
  [404, 'other-protocol'],
  [503, 'no-work'],
] as const)('HTTP %i is %s', (status, trouble) => {
  expect(httpTrouble(status)).toBe(trouble)
})

it('says what is wrong, in whose words, and what to do', () => {
  expect(troubleText({ trouble: 'login-password', answer: 'Wrong password' })).toBe(
    'The pool refuses the password: Wrong password. Check the password.',
  )
  for (const { action } of Object.values(TROUBLE_WORDS)) expect(action).not.toBe('')
})
