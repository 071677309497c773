// The certificate authorities that pools are checked with: the system's, from where it keeps them, not Node's own list.
import * as tls from 'node:tls'
import { textOrNull } from '../../files/text-or-null'

/** Where Linux distributions and BSDs keep their bundle; the first that exists is used. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
  '/usr/local/etc/ssl/cert.pem',
] as const

const PEM = '-----BEGIN CERTIFICATE-----'

/** What is read; tests supply their own. */
interface AuthoritySources {
  /** PEM texts that replace the system's: `--ssl-cert-file`, `SSL_CERT_FILE`; absent or null: none */
  readonly instead?: string | null
  readonly platform: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly bundles?: readonly string[]
}

/**
 * PEM texts of the trusted authorities; null where none are found: Node's own list then. Windows and macOS fetch some of
 * theirs only when needed, so Node's own are added there. `NODE_EXTRA_CA_CERTS` is added everywhere.
 */
export function trustedAuthorities({
  instead = null,
  platform,
  environment,
  bundles = BUNDLES,
}: AuthoritySources): string | null {
  const extra = pemFile(environment.NODE_EXTRA_CA_CERTS ?? '') ?? ''
  if (instead !== null) return `${instead}\n${extra}`
  if (platform !== 'win32' && platform !== 'darwin') {
    for (const bundle of bundles) {
      const text = pemFile(bundle)
      if (text !== null) return `${text}\n${extra}`
    }
    return null
  }
  const system = storedAuthorities()
  return system === null ? null : [...system, ...tls.rootCertificates, extra].join('\n')
}

/** Of Windows or macOS; null where this version of Node can't read them. */
function storedAuthorities(): readonly string[] | null {
  const read: unknown = Reflect.get(tls, 'getCACertificates')
  if (typeof read !== 'function') return null
  try {
    const found: unknown = read('system')
    const texts = Array.isArray(found) ? found.filter((text): text is string => typeof text === 'string') : []
    return texts.length === 0 ? null : texts
  } catch {
    return null // the store can't be read: Node's own list is used, as before
  }
}

function pemFile(path: string): string | null {
  const text = textOrNull(path)
  return text?.includes(PEM) === true ? text : null
}
