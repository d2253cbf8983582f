import {
  getSettlementDifference,
  listSettlementDifferences,
  updateSettlementDifference,
} from '@karvon/contract/settlements/differences.ts'
import {
  getOwnSettlement,
  getSettlement,
  importSettlements,
  listOwnSettlementLines,
  listOwnSettlements,
  listSettlementLines,
  listSettlements,
  voidSettlement,
} from '@karvon/contract/settlements/settlements.ts'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { hasRow } from '../../platform/database/rows.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import { invalid, notFound } from '../../platform/http/errors.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { readFormId, serveImport } from '../../platform/spreadsheets/spreadsheets.serve.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { changeDifference } from './settlements.differences.ts'
import { buildDifferenceList, readDifference } from './settlements.differences.queries.ts'
import { importActFile } from './settlements.import.ts'
import { buildActList, buildLineList, readAct } from './settlements.lists.queries.ts'
import { voidAct } from './settlements.void.ts'
import { buildOwnActList, buildOwnLineList, hasOwnLine, readOwnAct } from './settlements.own.queries.ts'

export function settlementsRoutes(app: FastifyInstance, deps: Deps): void {
  actRoutes(app, deps)
  ownActRoutes(app, deps)
  differenceRoutes(app, deps)
  importRoute(app, deps)
}

function actRoutes(app: FastifyInstance, { db, pool }: Deps): void {
  serve(app, listSettlements, ({ query }) => answerList(pool, query, buildActList(query)))

  serve(app, getSettlement, async ({ params }) => new RawJson(requireRow(await readAct(db, params.id))))

  serve(app, listSettlementLines, async ({ params, query }) => {
    if (!(await hasRow(db, 'settlement_acts', params.id))) throw notFound('settlement act')
    return answerList(pool, query, buildLineList(params.id, query))
  })

  serve(app, voidSettlement, ({ params: { id }, body: { reason }, person }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      await voidAct(trx, { id, reason, person })
      return new RawJson(requireRow(await readAct(trx, id)))
    }),
  )
}

function ownActRoutes(app: FastifyInstance, { pool }: Deps): void {
  serve(app, listOwnSettlements, ({ query, person }) =>
    answerList(pool, query, buildOwnActList(query, person.userId)),
  )

  serve(
    app,
    getOwnSettlement,
    async ({ params, person }) => new RawJson(requireRow(await readOwnAct(pool, params.id, person.userId))),
  )

  // An act without own parcels gives the same 404 as an unknown one.
  serve(app, listOwnSettlementLines, async ({ params, query, person }) => {
    const ownAct = { actId: params.id, personId: person.userId }
    if (!(await hasOwnLine(pool, ownAct.actId, ownAct.personId))) throw notFound('settlement act')
    return answerList(pool, query, buildOwnLineList(query, ownAct))
  })
}

function differenceRoutes(app: FastifyInstance, { db, pool, config: { currency } }: Deps): void {
  serve(app, listSettlementDifferences, ({ query }) =>
    answerList(pool, query, buildDifferenceList(query, currency)),
  )

  serve(
    app,
    getSettlementDifference,
    async ({ params }) =>
      new RawJson(requireRow(await readDifference(db, params.id, currency), 'settlement difference')),
  )

  serve(app, updateSettlementDifference, ({ params: { id }, body, person }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      await changeDifference(trx, { id, body, person })
      return new RawJson(requireRow(await readDifference(trx, id, currency), 'settlement difference'))
    }),
  )
}

function importRoute(app: FastifyInstance, deps: Deps): void {
  const { db, config } = deps
  serveImport(app, deps, {
    call: importSettlements,
    kind: 'settlement-acts',
    fields: ['courier_account_id'],
    otherExtensions: ['xls'],
    prepare: (fields) => {
      const accountId = readFormId(fields, 'courier_account_id', 'Courier account')
      return {
        auditDetails: { courier_account_id: accountId },
        importFile: async (file) => {
          if (!(await hasRow(db, 'courier_accounts', accountId)))
            throw invalid([
              fieldError('courier_account_id', 'reference_missing', { label: 'Courier account' }),
            ])
          return importActFile(db, file, { accountId, currency: config.currency })
        },
      }
    },
  })
}

/** Errors: 404 for null. */
function requireRow(row: string | null, noun = 'settlement act'): string {
  if (row === null) throw notFound(noun)
  return row
}
