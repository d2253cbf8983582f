import { costPart } from './cost.ts'
import { matrixPart } from './access.matrix.ts'
import { racesPart } from './access.races.ts'
import { timingPart } from './access.timing.ts'
import { diskPart } from './disk.ts'
import { failoverPart } from './failover.ts'
import { guardsPart } from './guards.ts'
import { fuzzPart } from './fuzz.ts'
import { killsPart } from './kills.ts'
import { loadPart } from './load.ts'
import type { Part } from './part.ts'
import { resourcesPart } from './resources.ts'
import { patroniPart } from './patroni.ts'
import { processesPart } from './processes.ts'
import { rollingPart } from './rolling.ts'
import { abortsPart } from './aborts.ts'

/** Parts with faults, kills and floods. */
export const faultParts: readonly Part[] = [
  killsPart,
  diskPart,
  failoverPart,
  patroniPart,
  processesPart,
  rollingPart,
  loadPart,
  guardsPart,
  resourcesPart,
  abortsPart,
  fuzzPart,
]

/** Parts about access, races, time and cost of single calls. Tests of the server check most of it in each `npm test`. */
export const callPromiseParts: readonly Part[] = [matrixPart, racesPart, timingPart, costPart]

/** All parts, in the order in which they run. */
export const parts: readonly Part[] = [...faultParts, ...callPromiseParts]
