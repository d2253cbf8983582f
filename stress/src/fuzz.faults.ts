import type { Attack } from './fuzz.attack.ts'

const maxLength = 400

/** A broken promise and the request that broke it. */
export interface RequestFailure {
  what: string
  request: string
  /** Of the whole request, because its text is cut for the report. */
  size?: number
}

/** Every kind of fault once, with the smallest request that caused it. */
export class FailureLog {
  readonly #found = new Map<string, { times: number; smallest: string; size: number }>()

  /** Whether this is the first fault of its kind. */
  add(where: string, { what, request, size = request.length }: RequestFailure): boolean {
    // Ids and texts differ from request to request, and the fault is the same.
    const key = `${where} ${what.replaceAll(/\d{4,}/g, '…')}`
    const found = this.#found.get(key)
    this.#found.set(key, {
      ...(found === undefined || size < found.size ? { smallest: request, size } : found),
      times: (found?.times ?? 0) + 1,
    })
    return found === undefined
  }

  list(): string[] {
    return [...this.#found].map(
      ([what, { times, smallest }]) => `${what} (${times} times). Smallest: ${smallest}`,
    )
  }
}

export const sizeOf = ({ path, headers, body }: Attack): number =>
  path.length + JSON.stringify(headers).length + (body?.length ?? 0)

/** A request so that it can be made again by hand. */
export function describeAttack({ role, method, path, headers, body }: Attack): string {
  const named = Object.entries(headers)
  const shown = [
    `${method} ${path}`,
    `as ${role}`,
    ...(named.length > 0 ? [JSON.stringify(named)] : []),
    ...(body === null ? [] : [JSON.stringify(body.toString('latin1'))]),
  ]
  return shown.map((each) => (each.length > maxLength ? `${each.slice(0, maxLength)}…` : each)).join(' ')
}
