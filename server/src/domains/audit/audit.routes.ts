import { listAudit } from '@karvon/contract/audit/audit.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { serve } from '../../platform/http/serve.ts'
import { buildAuditList } from './audit.queries.ts'

export function auditRoutes(app: FastifyInstance, { pool }: Deps): void {
  serve(app, listAudit, ({ query }) => answerList(pool, query, buildAuditList(query)))
}
