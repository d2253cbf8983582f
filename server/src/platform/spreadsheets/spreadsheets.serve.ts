import { randomUUID } from 'node:crypto'
import { importKey } from '@karvon/contract/lib/import.ts'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import type { Call } from '@karvon/contract/lib/call.ts'
import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../audit/audit.ts'
import { getExtension } from '../files/content.check.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../http/errors.ts'
import { maxImportBytes, maxImports, maxImportsPerPerson } from '../limits/limits.ts'
import { receiveFile } from '../http/multipart.ts'
import { openScanner, requireClean } from '../files/received-scan.ts'
import { serve, type CallContext } from '../http/serve.ts'
import { createHeavyTaskLimit } from '../limits/heavy-task-limit.ts'
import { describeImportError, runTrackedImport, type TrackedImport } from './spreadsheets.tracking.ts'
import { ImportProgress } from './spreadsheets.progress.ts'
import type { SheetFile } from './spreadsheets.read.ts'

/** Milliseconds for the virus scan of a file. */
const scanTimeout = 30_000
const importLimit = createHeavyTaskLimit({
  kind: 'imports',
  noun: 'imports',
  max: maxImports,
  maxPerPerson: maxImportsPerPerson,
})

/**
 * How one kind of file is imported. `fields`: the text fields of the form. `prepare` checks them before the file is
 * read, and returns their details for the audit log and the function that imports the file.
 */
export interface ImportDefinition {
  call: Call
  kind: TrackedImport['kind']
  fields: readonly string[]
  /** Types of files besides csv and xlsx. */
  otherExtensions?: readonly 'xls'[]
  prepare: (fields: Record<string, string>) => {
    auditDetails: Record<string, unknown>
    importFile: (file: SheetFile, name: string) => Promise<ImportAnswer>
  }
}

/**
 * Serves an import: receives the file, imports it and writes an audit entry, also for an import that failed after it
 * stored rows. A job writes the entry if the process ends. With a `key` in the form, clients can read its progress. Errors: 409
 * for a used key, 413, 415, 422 (also for an infected file), 503 when the configured scanner does not answer.
 */
export function serveImport(
  app: FastifyInstance,
  deps: Deps,
  { call, kind, fields: fieldNames, otherExtensions = [], prepare }: ImportDefinition,
): void {
  const { db, config, log } = deps
  const scanner = openScanner(config)
  const receive = async ({ request, person }: CallContext<Call>) => {
    await using form = await receiveFile(request, {
      folder: config.dataFolder,
      maxBytes: maxImportBytes,
      fields: [...fieldNames, 'key'],
    })
    const { file, fields } = form
    const key = readImportKey(fields.key?.trim().toLowerCase() ?? '') ?? randomUUID()
    const { auditDetails, importFile } = prepare(fields)
    const extension = getExtension(file.name, ['csv', 'xlsx', ...otherExtensions])
    await requireClean(scanner, file.path, {
      milliseconds: scanTimeout,
      onInfected: (signature) =>
        log.warn({ user: person.userId, name: file.name, signature }, 'Refused to import an infected file'),
    })
    const progress = new ImportProgress(file.size)
    const work = () => importFile({ path: file.path, extension, progress }, file.name)
    const writeAudit = (result: Record<string, unknown>) =>
      audit(db, {
        person,
        action: 'import',
        resource: kind,
        after: { file: file.name, ...auditDetails, ...result },
      })
    let answer: ImportAnswer
    try {
      answer = await runTrackedImport(
        deps,
        { key, kind, details: auditDetails, file, person, progress },
        work,
      )
    } catch (error) {
      // The rows that were stored before the error stay.
      if (hasStoredRows(progress))
        await writeAudit({ ...getCounts(progress), error: describeImportError(error) }).catch(
          (err: unknown) =>
            log.error({ err, user: person.userId }, 'The audit entry of a failed import was not stored'),
        )
      throw error
    }
    await writeAudit(getCounts(answer))
    return answer
  }
  serve(app, call, (context) => importLimit.run(context.person.userId, () => receive(context)))
}

const getCounts = ({ imported, updated, unchanged, skipped }: Omit<ImportAnswer, 'errors'>) => ({
  imported,
  updated,
  unchanged,
  skipped,
})

const hasStoredRows = ({ imported, updated }: ImportProgress): boolean => imported + updated > 0

/** Reads the id of a row from a form. Errors: 422 for a missing or malformed one. */
export function readFormId(fields: Readonly<Record<string, string>>, key: string, label: string): number {
  const text = fields[key]?.trim() ?? ''
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  throw invalid([fieldError(key, text === '' ? 'required' : 'must_be_id', { label })])
}

function readImportKey(text: string): string | null {
  if (text === '') return null
  if (importKey.test(text)) return text
  throw invalid([fieldError('key', 'must_be_uuid', { label: 'key' })])
}
