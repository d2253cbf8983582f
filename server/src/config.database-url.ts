import { isPercentEncoded, portPattern } from './config.reader.ts'

// The address of a database as libpq reads it: postgresql://user:password@host:port,host:port/database?sslmode=require

/** The state that a host must have, `target_session_attrs`. The first one is the default. */
const targetAttributes = ['any', 'read-write', 'primary'] as const
export type TargetAttributes = (typeof targetAttributes)[number]

/** Values of `sslmode`. The first one is the default. */
const tlsModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type TlsMode = (typeof tlsModes)[number]

/** Paths of PEM files. `rootCertificate` is `system` for the authorities that Node trusts. */
export interface TlsSettings {
  mode: TlsMode
  rootCertificate: string | undefined
  certificate: string | undefined
  key: string | undefined
}

interface DatabaseAddress {
  /** One URL for each host, in order, without the parameters that the fields below hold. */
  hostUrls: string[]
  attributes: TargetAttributes
  tls: TlsSettings
}

const maxHosts = 10
const hostPattern = new RegExp(String.raw`^(?:\[[\da-f:.%]+\]|[^\s:[\]]*)(?::${portPattern})?$`, 'i')
const portOnly = new RegExp(`^${portPattern}$`)
const urlPattern = /^(\w+:\/\/(?:[^/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/s

/** Throws an Error that names the wrong parameter, without the address, which may hold a password. */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  // libpq knows no fragment. The driver would refuse a password with this sign.
  const [, start = url, authority = '', path = '', query = ''] =
    urlPattern.exec(url.replaceAll('#', '%23')) ?? []
  // The driver reads a % without two digits as a part of the text.
  if (!isPercentEncoded(start.replaceAll(/%(?![\da-f]{2})/gi, '%25')))
    throw new Error('a % in the user or the password must be written as %25')
  const parameters = new URLSearchParams(query)
  const remove = (name: string) => {
    const value = parameters.get(name)
    parameters.delete(name)
    return value || undefined
  }
  const tls = readTlsParameters(remove)
  const attributes = findChoice('target_session_attrs', remove('target_session_attrs'), targetAttributes)
  const hosts = remove('host')?.split(',')
  const ports = remove('port')?.split(',') ?? []
  if (
    !authority.split(',').every((host) => hostPattern.test(host)) ||
    !ports.every((port) => portOnly.test(port))
  )
    throw new Error('a host must look like db1 or db1:5432, with a port up to 65535')
  const hostUrls = (hosts ?? authority.split(',')).map((host, index) => {
    const hostParameters = new URLSearchParams(parameters)
    const port = ports[index] ?? ports[0]
    if (hosts !== undefined) hostParameters.set('host', host)
    if (port !== undefined) hostParameters.set('port', port)
    const address = `${start}${hosts === undefined ? host : authority}${path}`
    return hostParameters.size === 0 ? address : `${address}?${hostParameters.toString()}`
  })
  if (hostUrls.length > maxHosts) throw new Error(`it names more than ${maxHosts} hosts`)
  return { hostUrls, attributes, tls }
}

function readTlsParameters(remove: (name: string) => string | undefined): TlsSettings {
  const rootCertificate = remove('sslrootcert')
  const certificate = remove('sslcert')
  const key = remove('sslkey')
  const sslMode = remove('sslmode')
  // A parameter of Node's driver. Without an error a connection would lose its encryption.
  if (remove('ssl') !== undefined) throw new Error('ssl is no parameter of libpq: use sslmode')
  const defaultMode = rootCertificate === 'system' ? 'verify-full' : 'disable'
  const mode = findChoice('sslmode (PGSSLMODE)', sslMode ?? defaultMode, tlsModes)
  if (mode.startsWith('verify') && rootCertificate === undefined)
    throw new Error(`sslmode=${mode} needs sslrootcert (PGSSLROOTCERT): the path of a certificate, or system`)
  if (rootCertificate === 'system' && mode !== 'verify-full')
    throw new Error('sslrootcert=system needs sslmode=verify-full')
  if ((certificate === undefined) !== (key === undefined))
    throw new Error('sslcert (PGSSLCERT) and sslkey (PGSSLKEY) need each other')
  return { mode, rootCertificate, certificate, key }
}

function findChoice<T extends string>(name: string, value: string | undefined, choices: readonly T[]): T {
  const match = choices.find((choice) => choice === (value ?? choices[0]))
  if (match !== undefined) return match
  throw new Error(`${name} must be one of ${choices.join(', ')}`)
}

/** The URL with parameters that it does not have yet. */
export function addParameters(url: string, parameters: readonly (readonly [string, string])[]): string {
  const [address = '', ...query] = url.split('?')
  const queryParameters = new URLSearchParams(query.join('?'))
  const missingParameters = parameters.filter(([name]) => !queryParameters.has(name))
  for (const [name, value] of missingParameters) queryParameters.set(name, value)
  return missingParameters.length === 0 ? url : `${address}?${queryParameters.toString()}`
}
