import { maxBalanceCurrencies } from '@karvon/contract/lib/limits.ts'
import type { BotReader } from '../domains/notices/notices.bot.answers.ts'
import { findParcels } from '../domains/parcels/parcels.find.queries.ts'
import { readBalanceSnapshot } from '../domains/payouts/payouts.balance.ts'
import { readEarnedToday } from '../domains/ledger/ledger.earned.queries.ts'
import { buildTodayStatement, type TodayLeads } from '../domains/reports/reports.today.queries.ts'
import { withStatementTimeout } from '../platform/database/statement-timeout.ts'
import type { Deps } from '../platform/deps.ts'
import { personStatementTimeout } from '../platform/limits/limits.ts'
import { queryOneRow } from '../resources/lists.answer.ts'

/** Parcels with the same order number in one answer. Only admins can see several. */
const maxFoundParcels = 5

/** What the bot answers, each with the scope of the calls for the same data. */
export function createBotReader({ db, pool, config }: Deps): BotReader {
  const withLimit = <T>(read: () => Promise<T>) => withStatementTimeout(personStatementTimeout, read)
  return {
    readToday: (person) =>
      withLimit(async () => ({
        leads: await queryOneRow<TodayLeads>(pool, buildTodayStatement(person.isAdmin ? null : person)),
        earned: (await readEarnedToday(pool, person.isAdmin ? null : person.userId)).slice(
          0,
          maxBalanceCurrencies,
        ),
      })),
    readBalances: (person) =>
      withLimit(async () => {
        const balanceOf = { userId: person.userId, mainCurrency: config.currency }
        return (await readBalanceSnapshot(db, balanceOf)).slice(0, maxBalanceCurrencies)
      }),
    findParcels: (person, orderno) =>
      withLimit(() =>
        findParcels(pool, orderno, {
          ownerId: person.isAdmin ? null : person.userId,
          limit: maxFoundParcels,
        }),
      ),
    currency: config.currency,
    timeZone: config.timeZone,
    moneyUrl: config.publicUrl === undefined ? null : `${config.publicUrl}/money`,
  }
}
