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
    const knownFailure = this.#found.get(key)
    this.#found.set(key, {
      ...(knownFailure === undefined || size < knownFailure.size
        ? { smallest: request, size }
        : knownFailure),
      times: (knownFailure?.times ?? 0) + 1,
    })
    return knownFailure === undefined
  }

  list(): string[] {
    return [...this.#found].map(
      ([description, { times, smallest }]) => `${description} (${times} times). Smallest: ${smallest}`,
    )
  }
}

export const sizeOf = ({ path, headers, body }: Attack): number =>
  path.length + JSON.stringify(headers).length + (body?.length ?? 0)

/** Describes a request, so that a person can repeat it. */
export function describeAttack({ role, method, path, headers, body }: Attack): string {
  const headerEntries = Object.entries(headers)
  const lines = [
    `${method} ${path}`,
    `as ${role}`,
    ...(headerEntries.length > 0 ? [JSON.stringify(headerEntries)] : []),
    ...(body === null ? [] : [JSON.stringify(body.toString('latin1'))]),
  ]
  return lines.map((line) => (line.length > maxLength ? `${line.slice(0, maxLength)}…` : line)).join(' ')
}
