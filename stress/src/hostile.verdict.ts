import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { Attack } from './hostile.attack.ts'
import type { Operation, Schema } from './hostile.operations.ts'
import type { Answer } from './hostile.send.ts'

// The plugin is CommonJS; its types put the function one step too deep for a module.
const addFormats = formats as unknown as typeof formats.default

/** Refusals that come before anybody is asked who they are: what cannot be read, is too much, or comes too often. */
const before: ReadonlySet<number> = new Set([400, 408, 413, 414, 417, 429, 431])

/** Judges answers by what the document says of them; null where nothing is wrong. */
export class Judge {
  readonly #ajv = new Ajv({ strict: false, allErrors: false, multipleOfPrecision: 6, logger: false })
  readonly #checks = new Map<Schema, ValidateFunction>()
  readonly #documented: readonly { method: string; path: RegExp }[]

  constructor(operations: readonly Operation[]) {
    addFormats(this.#ajv)
    this.#documented = operations.map(({ method, path }) => ({
      method,
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    }))
  }

  judge(attack: Attack, answer: Answer): string | null {
    const { status } = answer
    if (status >= 500) return `answered ${status}`
    if (!attack.addressed || before.has(status)) return null
    const { operation, method, who } = attack
    if (!this.#isDocumented(attack))
      // What a body is of is seen before it is known that nobody takes it.
      return status === 405 || status === 415
        ? null
        : `answered ${status} to the method ${method}, which is not documented`
    if (method !== operation.method) return null
    const expected = guarded(operation, who)
    if (expected !== null)
      return status === expected ? null : `answered ${status} to ${who}, who should get ${expected}`
    return this.#documentedAnswer(operation, answer)
  }

  /** By this or by another operation, as /leads/import is a lead's address too. */
  #isDocumented({ method, path }: Attack): boolean {
    const asked = method === 'HEAD' ? 'GET' : method
    const [address = ''] = path.split('?')
    return this.#documented.some((each) => each.method === asked && each.path.test(address))
  }

  #documentedAnswer({ answers }: Operation, { status, type, body }: Answer): string | null {
    const told = answers[String(status)] ?? answers[`${Math.floor(status / 100)}XX`]
    if (told === undefined) return `answered ${status}, which is not documented`
    if (told === null) return null
    const media = type.split(';')[0]?.trim() ?? ''
    const schema = told[media]
    if (schema === undefined) return `answered ${status} as ${media || 'nothing'}, which is not documented`
    if (schema === null || media !== 'application/json') return null
    const check = this.#checks.get(schema) ?? this.#ajv.compile(schema)
    this.#checks.set(schema, check)
    try {
      if (check(JSON.parse(body))) return null
    } catch {
      return `answered ${status} with JSON that cannot be read`
    }
    return `answered ${status} otherwise than documented: ${this.#ajv.errorsText(check.errors)}`
  }
}

/** What the guard answers to somebody who may not make the call; null for who may. */
function guarded({ secured, path }: Operation, who: Attack['who']): number | null {
  if (!secured) return null
  if (who === 'nobody') return 401
  return who !== 'admin' && path.startsWith('/api/admin/') ? 403 : null
}
