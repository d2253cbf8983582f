import { createCallers } from '../../server/test/access.callers.ts'
import { checkMalformedRequests, checkMatrix } from '../../server/test/access.cells.ts'
import { operations, tableProblems } from '../../server/test/access.operations.ts'
import { checkPaths } from '../../server/test/access.paths.ts'
import { openSender } from '../../server/test/access.send.ts'
import { startProcesses } from './access.processes.ts'
import type { Extent, PartResult, Part } from './part.ts'

/** Runs the access matrix of the server's tests against a process that starts as in production. */
export const matrixPart: Part = {
  name: 'matrix',
  description:
    'Every operation admits the callers of a hand-written table and answers all others 401 or 403, for malformed requests and other spellings of the path too.',
  async run(extent: Extent, log): Promise<PartResult> {
    await using product = await startProcesses(1)
    const sender = openSender(product.processes[0]?.url ?? '')
    try {
      const { send } = sender
      const callers = await createCallers({ send, admin: product.admin, query: product.query })
      const matrix = await checkMatrix(send, callers)
      log(`${matrix.cells} cells of the matrix, ${matrix.failures.length} wrong`)
      const deniedCallers = extent === 'long' ? callers : callers.filter(({ name }) => name === 'anonymous')
      const malformedResult = await checkMalformedRequests(send, deniedCallers)
      log(`${malformedResult.cells} malformed requests, ${malformedResult.failures.length} wrong`)
      const pathCallers = ['anonymous', 'regular']
      const paths =
        extent === 'long'
          ? await checkPaths(
              send,
              callers.filter(({ name }) => pathCallers.includes(name)),
            )
          : { cells: 0, failures: [] }
      return {
        figures: {
          operations: operations.length,
          callers: callers.length,
          'matrix cells': matrix.cells,
          'wrong cells': matrix.failures.length,
          'malformed requests without the right': malformedResult.cells,
          'wrong answers to malformed requests': malformedResult.failures.length,
          ...(extent === 'long' && {
            'other spellings of paths': paths.cells,
            'other spellings that were admitted': paths.failures.length,
          }),
        },
        failures: [...tableProblems, ...matrix.failures, ...malformedResult.failures, ...paths.failures],
      }
    } finally {
      sender.close()
    }
  },
}
