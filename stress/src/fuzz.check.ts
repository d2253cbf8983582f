import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { Attack } from './fuzz.attack.ts'
import type { Operation, Schema } from './fuzz.operations.ts'
import type { AttackAnswer } from './fuzz.send.ts'

// The plugin is CommonJS. Its types describe another shape of the default export.
const addFormats = formats as unknown as typeof formats.default

/** Statuses of refusals before authentication: malformed, too large or too frequent requests. */
const earlyRefusals: ReadonlySet<number> = new Set([400, 408, 413, 414, 417, 429, 431])

/** Compares answers with the OpenAPI document. A check returns null if the answer conforms. */
export class AnswerChecker {
  readonly #ajv = new Ajv({ strict: false, allErrors: false, multipleOfPrecision: 6, logger: false })
  readonly #validators = new Map<Schema, ValidateFunction>()
  readonly #documented: readonly { method: string; path: RegExp }[]

  constructor(operations: readonly Operation[]) {
    addFormats(this.#ajv)
    this.#documented = operations.map(({ method, path }) => ({
      method,
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    }))
  }

  check(attack: Attack, answer: AttackAnswer): string | null {
    const { status, body } = answer
    // The probe answers so if the database needs two seconds, which happens on a busy machine.
    const isSlowProbe =
      status === 503 && attack.operation.id === 'app.readyz' && body.includes('"database_not_ready"')
    if (status >= 500 && !isSlowProbe) return `answered ${status}`
    if (!attack.reachesOperation || earlyRefusals.has(status)) return null
    const { operation, method, role } = attack
    if (!this.#isDocumented(attack))
      // The media type is checked before the method.
      return status === 405 || status === 415
        ? null
        : `answered ${status} to the method ${method}, which is not documented`
    if (method !== operation.method) return null
    const expected = getGuardStatus(operation, role)
    if (expected !== null)
      return status === expected ? null : `answered ${status} to ${role} instead of ${expected}`
    return this.#checkDocumentedAnswer(operation, answer)
  }

  /** Whether any operation documents the method and path. For example, /leads/import matches /leads/{id} too. */
  #isDocumented({ method, path }: Attack): boolean {
    const requestMethod = method === 'HEAD' ? 'GET' : method
    const [address = ''] = path.split('?')
    return this.#documented.some(
      (documentedCall) => documentedCall.method === requestMethod && documentedCall.path.test(address),
    )
  }

  #checkDocumentedAnswer({ answers }: Operation, { status, type, body }: AttackAnswer): string | null {
    const schemas = answers[String(status)] ?? answers[`${Math.floor(status / 100)}XX`]
    if (schemas === undefined) return `answered ${status}, which is not documented`
    if (schemas === null) return null
    const mediaType = type.split(';')[0]?.trim() ?? ''
    const schema = schemas[mediaType]
    if (schema === undefined)
      return `answered ${status} as ${mediaType || 'nothing'}, which is not documented`
    if (schema === null || mediaType !== 'application/json') return null
    const validate = this.#validators.get(schema) ?? this.#ajv.compile(schema)
    this.#validators.set(schema, validate)
    try {
      if (validate(JSON.parse(body))) return null
    } catch {
      return `answered ${status} with invalid JSON`
    }
    return `answered ${status} with an undocumented body: ${this.#ajv.errorsText(validate.errors)}`
  }
}

/** The status by which the guard refuses this role. Null if the role may make the call. */
function getGuardStatus({ isSecured, path }: Operation, role: Attack['role']): number | null {
  if (!isSecured) return null
  if (role === 'anonymous') return 401
  return role !== 'admin' && path.startsWith('/api/admin/') ? 403 : null
}
