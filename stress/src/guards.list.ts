import { guardsOfEdges } from './guards.edges.ts'
import type { Guard } from './guards.guard.ts'
import { guardsOfPeople } from './guards.people.ts'
import { guardsOfRows } from './guards.rows.ts'

/** Guards that are taken out in turn. */
export const guards: readonly Guard[] = [...guardsOfPeople, ...guardsOfRows, ...guardsOfEdges]
