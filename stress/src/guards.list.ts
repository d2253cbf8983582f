import { boundaryGuards } from './guards.boundaries.ts'
import type { Guard } from './guards.define.ts'
import { accessGuards } from './guards.access.ts'
import { dataGuards } from './guards.data.ts'

/** All guards. A run removes one at a time. */
export const guards: readonly Guard[] = [...accessGuards, ...dataGuards, ...boundaryGuards]
