import { expect, test } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE } from '../../../test/database.ts'
import { openDb, openPool } from '../../platform/database/pool.ts'
import { withStatementTimeout } from '../../platform/database/statement-timeout.ts'
import { answerQuestion } from './explore.ts'

test('a question that takes too long is refused with a reason', async () => {
  const database = await createTestDatabase()
  const pool = openPool(database.url, { timezone: TEST_TIMEZONE, max: 2 })
  const client = await pool.connect()
  try {
    await client.query('begin; lock table leads, lead_segments in access exclusive mode')
    const answer = withStatementTimeout(200, () => answerQuestion(openDb(pool), { rows: 'hour' }, null))
    await expect(answer).rejects.toMatchObject({ code: 'question_too_large', status: 422 })
  } finally {
    await client.query('rollback')
    client.release()
    await pool.end()
    await database.drop()
  }
})
