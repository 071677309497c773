// A self-signed certificate for 127.0.0.1 and a name, in hand-written DER: tests need no openssl.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

const DAY_MS = 86_400_000

/** @param now UTC milliseconds, the middle of its validity */
export function selfSigned(commonName: string, now: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(0x30, oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2))
  const name = der(0x30, der(0x31, der(0x30, oid(0x55, 4, 3), der(12, Buffer.from(commonName)))))
  const names = der(0x30, der(0x82, Buffer.from(commonName)), der(0x87, Buffer.from([127, 0, 0, 1])))
  const body = der(
    0x30,
    der(0xa0, der(2, Buffer.from([2]))),
    der(2, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    der(0x30, date(now - DAY_MS), date(now + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, der(0x30, oid(0x55, 0x1d, 0x11), der(4, names)))),
  )
  const whole = der(0x30, body, algorithm, der(3, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)])))
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n')
  const cert = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function oid(...bytes: readonly number[]): Buffer {
  return der(6, Buffer.from(bytes))
}

function date(time: number): Buffer {
  const text = new Date(time).toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${text}Z`))
}
