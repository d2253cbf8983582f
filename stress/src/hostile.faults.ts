import type { Attack } from './hostile.attack.ts'

const longest = 400

/** What went wrong, each kind once, with the first request that did it. */
export class Faults {
  readonly #found = new Map<string, { times: number; first: string }>()

  add(where: string, what: string, first: string): void {
    // Ids and texts differ from request to request, and the fault is the same.
    const key = `${where} ${what.replaceAll(/\d{4,}/g, '…')}`
    const found = this.#found.get(key)
    if (found === undefined) this.#found.set(key, { times: 1, first })
    else found.times += 1
  }

  sentences(): string[] {
    return [...this.#found].map(([what, { times, first }]) => `${what} (${times} times). First: ${first}`)
  }
}

/** A request so that it can be made again by hand. */
export function repeatable({ who, method, path, headers, body }: Attack): string {
  const told = Object.entries(headers).filter(([name]) => name !== 'x-forwarded-for')
  const shown = [
    `${method} ${path}`,
    `as ${who}`,
    ...(told.length > 0 ? [JSON.stringify(told)] : []),
    ...(body === null ? [] : [JSON.stringify(body.toString('latin1'))]),
  ]
  return shown.map((each) => (each.length > longest ? `${each.slice(0, longest)}…` : each)).join(' ')
}
