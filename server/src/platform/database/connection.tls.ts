import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import type { TlsSettings } from '../../config.database-url.ts'
import { UnsuitableConnectionError } from './connection.check.ts'

/**
 * The TLS options to try for a host, in libpq's order; `false` is a connection without TLS. As in libpq, the server's
 * certificate chain is verified if a root certificate is given, and the server's name only with `verify-full`. Errors:
 * those of reading the files.
 */
export function buildTlsAttempts(tls: TlsSettings): (ConnectionOptions | false)[] {
  if (tls.mode === 'disable') return [false]
  const encryptedOptions = buildTlsOptions(tls)
  if (tls.mode === 'allow') return [false, encryptedOptions]
  return tls.mode === 'prefer' ? [encryptedOptions, false] : [encryptedOptions]
}

function buildTlsOptions({ mode, rootCertificate, certificate, key }: TlsSettings): ConnectionOptions {
  return {
    rejectUnauthorized: rootCertificate !== undefined,
    ...(rootCertificate !== undefined &&
      rootCertificate !== 'system' && { ca: readFileSync(rootCertificate, 'utf8') }),
    ...(certificate !== undefined && { cert: readFileSync(certificate, 'utf8') }),
    ...(key !== undefined && { key: readFileSync(key, 'utf8') }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}

const tlsErrorCodes = /^(?:ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/
// Messages of the driver.
const tlsErrorMessages = /SSL connection/

/** A failed handshake as an error that names the settings to correct; all other errors unchanged. */
export function fromTlsError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const { code = '', message }: NodeJS.ErrnoException = error
  if (!tlsErrorCodes.test(code) && !tlsErrorMessages.test(message)) return error
  return new UnsuitableConnectionError(`TLS failed (${message}): correct sslmode or the certificates`, {
    cause: error,
  })
}
