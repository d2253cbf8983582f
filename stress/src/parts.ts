import { costPart } from './cost.ts'
import { matrixPart } from './access.matrix.ts'
import { racesPart } from './access.races.ts'
import { timingPart } from './access.timing.ts'
import { diskPart } from './disk.ts'
import { failoverPart } from './failover.ts'
import { guardsPart } from './guards.ts'
import { hostile } from './hostile.ts'
import { killsPart } from './kills.ts'
import { mixedPart } from './mixed.ts'
import type { Part } from './part.ts'
import { resourcesPart } from './resources.ts'
import { severalPart } from './several.ts'
import { tornPart } from './torn.ts'

/** Every stress, in the order in which they run. */
export const parts: readonly Part[] = [
  killsPart,
  diskPart,
  failoverPart,
  severalPart,
  mixedPart,
  matrixPart,
  racesPart,
  timingPart,
  guardsPart,
  resourcesPart,
  tornPart,
  costPart,
  hostile,
]
