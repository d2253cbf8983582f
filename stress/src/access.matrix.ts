import { makeCallers } from '../../server/test/access.callers.ts'
import { brokenCells, matrixCells } from '../../server/test/access.cells.ts'
import { operations, unlisted } from '../../server/test/access.operations.ts'
import { pathCells } from '../../server/test/access.paths.ts'
import { openSender } from '../../server/test/access.send.ts'
import { openAccessDesk } from './access.desk.ts'
import type { Extent, Outcome, Part } from './part.ts'

/** The cells that the server's tests hold the built app to, against a process that production's start made. */
export const matrixPart: Part = {
  name: 'matrix',
  about:
    'Every operation lets in whom a hand-written table says and answers all others 401 or 403, whatever else is wrong with the request and however its address is spelled.',
  async run(extent: Extent, say): Promise<Outcome> {
    await using desk = await openAccessDesk(1)
    const sender = openSender(desk.processes[0]?.url ?? '')
    try {
      const { send } = sender
      const callers = await makeCallers({ send, admin: desk.admin, query: desk.query })
      const matrix = await matrixCells(send, callers)
      say(`${matrix.cells} cells of the matrix, ${matrix.wrong.length} wrong`)
      const denied = extent === 'long' ? callers : callers.filter(({ name }) => name === 'anonymous')
      const broken = await brokenCells(send, denied)
      say(`${broken.cells} broken requests, ${broken.wrong.length} wrong`)
      const few = ['anonymous', 'regular']
      const paths =
        extent === 'long'
          ? await pathCells(
              send,
              callers.filter(({ name }) => few.includes(name)),
            )
          : { cells: 0, wrong: [] }
      return {
        figures: {
          operations: operations.length,
          callers: callers.length,
          'cells of the matrix': matrix.cells,
          'wrong cells': matrix.wrong.length,
          'broken requests by who may not': broken.cells,
          'of them answered wrongly': broken.wrong.length,
          ...(extent === 'long' && {
            'other spellings of addresses': paths.cells,
            'of them let through': paths.wrong.length,
          }),
        },
        faults: [...unlisted, ...matrix.wrong, ...broken.wrong, ...paths.wrong],
      }
    } finally {
      sender.close()
    }
  },
}
