import type { Part } from './part.ts'

/** Every torture, in the order in which they run. */
export const parts: readonly Part[] = []
