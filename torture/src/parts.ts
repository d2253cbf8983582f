import { matrixPart } from './access.matrix.ts'
import { racesPart } from './access.races.ts'
import { timingPart } from './access.timing.ts'
import type { Part } from './part.ts'

/** Every torture, in the order in which they run. */
export const parts: readonly Part[] = [matrixPart, racesPart, timingPart]
