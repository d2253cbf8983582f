import { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { Ajv } from 'ajv'

const check = new Ajv({ allErrors: true, strict: false }).compile<ConnectorDescription>(ConnectorDescription)

/** The first problem of a description as a sentence; null for a valid description. */
export function findDescriptionProblem(description: unknown): string | null {
  if (check(description)) return findHeaderProblem(description) ?? findZoneProblem(description)
  const [firstError] = check.errors ?? []
  const at = firstError?.instancePath.replaceAll('/', '.').replace(/^\./, '')
  return `${at === undefined || at === '' ? 'The description' : at} ${firstError?.message ?? 'is not right'}`
}

/**
 * Headers that decide who gets a request and where it ends. With another `Host`, a server of several networks could give
 * the secrets of an account to another network.
 */
const refusedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** The characters of a name and of a value (RFC 9110, 5.6.2 and 5.5). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

function findHeaderProblem(description: ConnectorDescription): string | null {
  const parts = [['', description] as const, ...Object.entries(description)]
  for (const [part, member] of parts) {
    const { headers = {} } = (typeof member === 'object' ? member : {}) as {
      headers?: Record<string, string>
    }
    for (const [name, value] of Object.entries(headers)) {
      const at = part === '' ? 'headers' : `${part}.headers`
      if (refusedHeaders.has(name.toLowerCase())) return `${at} must not have ${name}`
      if (!headerName.test(name) || !headerValue.test(value))
        return `${at} has a character in "${name}" that HTTP does not allow`
    }
  }
  return null
}

function findZoneProblem({ time }: ConnectorDescription): string | null {
  const zone = time?.zone
  if (zone === undefined) return null
  try {
    Intl.DateTimeFormat('en', { timeZone: zone })
    return null
  } catch {
    return `time.zone "${zone}" is not a time zone`
  }
}
