import { afterAll, beforeEach, expect, test } from 'vitest'
import { dailySchedule, openScheduledViews } from '../../../test/scheduled-views.ts'

const views = await openScheduledViews('/leads')
afterAll(() => views.close())
beforeEach(() => views.reset())
const { product, query, create, send, run, messages, telegram, smtp, lola } = views

/** Loses the next connection to the database after the fakes have received `parts` parts of messages. Answers how many were lost. */
function loseConnectionAfter(parts: number) {
  const { pool } = product.deps
  const connect = pool.connect.bind(pool)
  let lostConnections = 0
  const connectOrFail = (callback?: (error: Error) => void): unknown => {
    const received = telegram.messages.length + telegram.files.length + smtp.accepted.length
    if (received < parts || lostConnections > 0)
      return Reflect.apply(connect, undefined, callback === undefined ? [] : [callback])
    lostConnections += 1
    const error = new Error('Connection terminated unexpectedly')
    return callback === undefined ? Promise.reject(error) : callback(error)
  }
  Object.assign(pool, { connect: connectOrFail })
  return {
    count: () => lostConnections,
    restore: () => Object.assign(pool, { connect }),
  }
}

test.each([
  ['mail', 1],
  ['telegram', 1],
  ['telegram', 2],
])('a view by %s is not sent twice when the database restarts after its part %i', async (channel, parts) => {
  const { id } = await create(lola, { ...dailySchedule, channel })
  await send(lola, id)
  const loss = loseConnectionAfter(parts)
  try {
    // A run that lost the outcome fails.
    await run('view-messages').catch(() => {})
  } finally {
    loss.restore()
  }
  await query(
    `update view_messages set leased_until = now() - interval '1 second' where leased_until is not null`,
  )
  await run('view-messages')
  expect(loss.count()).toBe(1)
  expect(await messages()).toMatchObject([{ status: 'sent', reason: null }])
  expect(smtp.accepted).toHaveLength(channel === 'mail' ? 1 : 0)
  expect(telegram.messages).toHaveLength(channel === 'mail' ? 0 : 1)
  expect(telegram.files).toHaveLength(channel === 'mail' ? 0 : 1)
})
