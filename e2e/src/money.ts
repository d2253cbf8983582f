import type { Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { Api } from './api.ts'

/** A person who has earned money, with a signed-in client. */
interface Earner {
  id: number
  name: string
  api: Api
}

/** Creates a person with an amount that is available. */
export async function newEarner(api: Api, username: string, amount: number): Promise<Earner> {
  const { id, password } = await api.newPerson(username)
  await api.call('POST', '/api/admin/ledger/adjustments/', {
    account_id: `person-${id}-UZS`,
    // What we owe is negative.
    amount: -amount,
    reason: 'Opening balance',
  })
  return { id, name: `Name of ${username}`, api: await Api.signIn(api.url, username, password) }
}

/** Requests a withdrawal and returns its id. */
export async function askForWithdrawal({ api }: Earner, amount: number, details: string): Promise<number> {
  const { id } = await api.call<Withdrawal>('POST', '/api/user/withdrawals/', {
    currency: 'UZS',
    amount,
    details,
  })
  return id
}
