import type { Call } from '@karvon/contract/lib/call.ts'

/** The path without a slash at its end. */
export const trimSlash = (path: string): string => path.replace(/\/$/, '') || '/'

/** The path of a call with `id` in place of each parameter. By default no row has it. */
export const fillPath = (call: Call, id = '999999'): string => call.path.replaceAll(/:\w+/g, id)
