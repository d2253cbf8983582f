import { maxExports, maxExportsOfPerson } from '../limits/limits.ts'
import { Slots } from '../limits/slots.ts'

/** Exports at once, each with a connection of its own. */
export const exportSlots = new Slots('exports', 'downloads', maxExports, maxExportsOfPerson)
