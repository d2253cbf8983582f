import { importKey } from '@karvon/contract/lib/import.ts'
import type { Call } from '@karvon/contract/lib/call.ts'
import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../audit/audit.ts'
import { extensionOf } from '../files/content.check.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../http/errors.ts'
import { maxImportBytes, maxImports, maxImportsOfPerson } from '../limits/limits.ts'
import { receiveFile } from '../http/multipart.ts'
import { openScanner, requireClean } from '../files/received-scan.ts'
import { serve, type Ask } from '../http/serve.ts'
import { Slots } from '../limits/slots.ts'
import { follow, type Followed } from './spreadsheets.follow.ts'
import { Progress } from './spreadsheets.progress.ts'
import type { TableFile } from './spreadsheets.read.ts'

/** Milliseconds that the scan of an imported file may take. */
const scanWithin = 30_000
const slots = new Slots('imports', 'imports', maxImports, maxImportsOfPerson)

/**
 * What one kind of file wants. `fields` are the form's text fields beside the file, `judge` checks them before
 * anything is read and answers what the audit log says of them, and what takes the file in.
 */
export interface Import {
  kind: Followed['kind']
  fields: readonly string[]
  judge: (fields: Record<string, string>) => {
    noted: Record<string, unknown>
    take: (file: TableFile, name: string) => Promise<ImportAnswer>
  }
}

/**
 * Serves an import: receives the file, takes it in and writes that into the audit log. With a `key` in the
 * form its progress can be asked for meanwhile. Errors: 409 for a used key, 413, 415, 422 also of an infected file, 503
 * where a scanner is set up that does not answer.
 */
export function serveImport(
  app: FastifyInstance,
  deps: Deps,
  call: Call,
  { kind, fields: wanted, judge }: Import,
): void {
  const { db, config, log } = deps
  const scanner = openScanner(config)
  const receive = async ({ request, person }: Ask<Call>) => {
    await using received = await receiveFile(request, {
      folder: config.dataFolder,
      maxBytes: maxImportBytes,
      fields: [...wanted, 'key'],
    })
    const { file, fields } = received
    const key = keyOf(fields.key?.trim().toLowerCase() ?? '')
    const { noted, take } = judge(fields)
    const extension = extensionOf(file.name, ['csv', 'xlsx'])
    await requireClean(scanner, file.path, scanWithin, (signature) =>
      log.warn({ user: person.userId, name: file.name, signature }, 'Refused to import an infected file'),
    )
    const work = (progress: Progress) => take({ path: file.path, extension, progress }, file.name)
    const answer =
      key === null
        ? await work(new Progress(file.size))
        : await follow(deps, { key, kind, file, person }, work)
    const { imported, updated, unchanged, skipped } = answer
    const counts = { imported, updated, unchanged, skipped }
    await audit(db, person, 'import', kind, null, null, { file: file.name, ...noted, ...counts })
    return answer
  }
  serve(app, call, (asked) => slots.hold(asked.person.userId, () => receive(asked)))
}

function keyOf(text: string): string | null {
  if (text === '') return null
  if (importKey.test(text)) return text
  throw invalid([{ field: 'key', message: 'key must be a UUID' }])
}
