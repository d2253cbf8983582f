import type { Db } from '../../platform/database/pool.ts'

/** The number of the next update to ask Telegram for. */
export async function readNextUpdate(db: Db, bot: string): Promise<number> {
  const row = await db
    .selectFrom('telegram_bots')
    .select('next_update')
    .where('bot', '=', bot)
    .executeTakeFirst()
  return row?.next_update ?? 0
}

export async function saveNextUpdate(db: Db, bot: string, next_update: number): Promise<void> {
  await db
    .insertInto('telegram_bots')
    .values({ bot, next_update })
    .onConflict((on) => on.column('bot').doUpdateSet({ next_update }))
    .execute()
}
