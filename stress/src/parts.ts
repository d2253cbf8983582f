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

/** All parts, in the order in which they run. */
export const parts: readonly Part[] = [
  killsPart,
  diskPart,
  failoverPart,
  patroniPart,
  processesPart,
  rollingPart,
  loadPart,
  matrixPart,
  racesPart,
  timingPart,
  guardsPart,
  resourcesPart,
  abortsPart,
  costPart,
  fuzzPart,
]
