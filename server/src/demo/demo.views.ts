import { getViewScreen, normaliseViewAddress } from '@karvon/contract/saved-views/address.ts'
import type { Db } from '../platform/database/pool.ts'
import type { DemoParts } from './demo.parts.ts'

const views = [
  {
    name: 'Campaigns of the week',
    address:
      '/explore?compare=previous_period&metrics=leads,approve_rate,profit&period=last_7_days&rows=sub1',
    time: '09:00',
    weekdays: [1],
  },
  {
    name: 'Leads on hold',
    address: '/leads?column=hold&period=last_30_days',
    time: '09:30',
    weekdays: [1, 2, 3, 4, 5],
  },
] as const

/** Creates a view of Explore and one of a list, shared with the buyers and sent to them and to the first admin. */
export async function createViews(trx: Db, parts: DemoParts): Promise<void> {
  const roles = await trx.selectFrom('roles').select(['id', 'code']).execute()
  const owner = await trx
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select('users.id')
    .where('roles.code', '=', 'admin')
    .orderBy('users.id')
    .executeTakeFirst()
  if (owner === undefined) return
  const buyers = roles.filter(({ code }) => code.startsWith('buyer'))
  for (const { name, address: addressText, time, weekdays } of views) {
    const address = normaliseViewAddress(addressText)
    if (address === null) throw new Error(`${addressText} is no address of a view`)
    const { id } = await trx
      .insertInto('saved_views')
      .values({ user_id: owner.id, name, screen: getViewScreen(address), address })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('saved_view_roles')
      .values(buyers.map((role) => ({ view_id: id, role_id: role.id })))
      .execute()
    await parts.scheduleView(trx, id, {
      channel: 'telegram',
      time,
      weekdays: [...weekdays],
      month_days: null,
      includes_roles: true,
      is_active: true,
    })
  }
}
