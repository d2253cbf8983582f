import { listAudit } from '@karvon/contract/audit/audit.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../kit/deps.ts'
import { answerList } from '../kit/lists/lists.answer.ts'
import { serve } from '../kit/serve.ts'
import { auditListText } from './audit.sql.ts'

export function auditRoutes(app: FastifyInstance, { pool }: Deps): void {
  serve(app, listAudit, ({ query }) => answerList(pool, query, (span) => auditListText(query, span)))
}
