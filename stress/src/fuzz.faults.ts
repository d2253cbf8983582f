import type { Attack } from './fuzz.attack.ts'

const maxLength = 400

/** A broken promise with its request. */
export interface RequestFailure {
  what: string
  request: string
  /** The size of the whole request. The report shortens its text. */
  size?: number
}

/** Stores each kind of failure once, with the smallest request that caused it. */
export class FailureLog {
  readonly #found = new Map<string, { times: number; smallest: string; size: number }>()

  /** Returns true for the first failure of its kind. */
  add(where: string, { what, request, size = request.length }: RequestFailure): boolean {
    // Failures that differ only in ids are of one kind.
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

/** Describes a request, so that a person can repeat it. */
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
