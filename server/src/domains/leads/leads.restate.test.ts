import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lead, openIntake, type Intake } from '../../../test/intake.ts'
import { takeIn } from './leads.intake.ts'
import { restate } from './leads.restate.ts'

let intake: Intake

beforeAll(async () => {
  intake = await openIntake()
})

afterAll(() => intake.close())

const source = { origin: 'connector' } as const
const courier = { origin: 'parcel', reason: 'Parcel a' } as const
const day = (n: number) => `2026-11-${n}T10:00:00Z`
const sold = (external_id: string, at: string | null = day(25)) =>
  ({ external_id, column: 'sold', at }) as const

async function newLead(word = 'sent', at = day(20)): Promise<number> {
  const id = await intake.newSource()
  await takeIn(intake.db, id, [lead('a', { word, updated_at: at })], source)
  return id
}

const history = async (id: number) =>
  (
    await intake.pool.query<{ origin: string; code: string }>(
      `select h.origin, st.code from lead_history h join leads l on l.id = h.lead_id
       left join statuses s on s.id = h.status_id left join status_types st on st.id = s.type_id
       where l.source_id = $1 order by h.id`,
      [id],
    )
  ).rows.map(({ origin, code }) => `${origin} ${code}`)

describe('a state that a parcel or an admin says', () => {
  test('counts from then on, with its history, and the word stays what the source said', async () => {
    const id = await newLead()
    expect(await restate(intake.db, [{ ...sold('a'), source_id: id }], courier)).toMatchObject([
      { old_status_id: await intake.status('Sent'), status_id: await intake.status('Sold') },
    ])
    expect(await intake.stored(id)).toMatchObject([
      { word: 'sent', column: 'sold', by_word: false, updated_at: day(25) },
    ])
    expect(await history(id)).toEqual(['connector send', 'parcel sold'])
  })

  test('stands when the source repeats what it said, or touches the lead without another word', async () => {
    const id = await newLead()
    await restate(intake.db, [{ ...sold('a'), source_id: id }], courier)
    for (const at of [day(20), day(25), day(26)]) {
      await takeIn(intake.db, id, [lead('a', { word: 'sent', updated_at: at })], source)
      expect(await intake.stored(id)).toMatchObject([{ column: 'sold', by_word: false }])
    }
    // Another word of an earlier time is no news either.
    await takeIn(intake.db, id, [lead('a', { word: 'trash', updated_at: day(24) })], source)
    expect(await history(id)).toEqual(['connector send', 'parcel sold'])
  })

  test('gives way to a newer word of the source, and does not come back when it is said once more', async () => {
    const id = await newLead()
    await restate(intake.db, [{ ...sold('a'), source_id: id }], courier)
    await takeIn(intake.db, id, [lead('a', { word: 'client_returned', updated_at: day(27) })], source)
    const after = [{ word: 'client_returned', column: 'returned', by_word: true, updated_at: day(27) }]
    expect(await intake.stored(id)).toMatchObject(after)
    expect(await restate(intake.db, [{ ...sold('a'), source_id: id }], courier)).toEqual([])
    expect(await intake.stored(id)).toMatchObject(after)
    expect(await history(id)).toEqual(['connector send', 'parcel sold', 'connector returned'])
  })

  test('that is not the word of any status can be said of a lead, too', async () => {
    const id = await newLead('not_delivered')
    expect(await intake.stored(id)).toMatchObject([{ column: null, by_word: true }])
    await restate(intake.db, [{ external_id: 'a', source_id: id, column: 'returned', at: null }], courier)
    expect(await intake.stored(id)).toMatchObject([{ word: 'not_delivered', column: 'returned' }])
  })

  test('never takes the time of a lead back', async () => {
    const id = await newLead('sent', day(28))
    await restate(intake.db, [{ ...sold('a', day(21)), source_id: id }], courier)
    expect(await intake.stored(id)).toMatchObject([{ column: 'sold', updated_at: day(28) }])
  })

  test('leaves a lead that counts in the column already as it is', async () => {
    const { type_id } = await intake.db
      .selectFrom('statuses')
      .select('type_id')
      .where('name', '=', 'Sold')
      .executeTakeFirstOrThrow()
    const { id: status_id } = await intake.db
      .insertInto('statuses')
      .values({ name: 'Sold twice', type_id })
      .returning('id')
      .executeTakeFirstOrThrow()
    const id = await newLead()
    await intake.db
      .updateTable('source_statuses')
      .set({ status_id })
      .where('source_id', '=', id)
      .where('source_name', '=', 'completed')
      .execute()
    await takeIn(intake.db, id, [lead('a', { word: 'completed', updated_at: day(21) })], source)
    expect(await restate(intake.db, [{ ...sold('a'), source_id: id }], courier)).toEqual([])
    expect(await intake.stored(id)).toMatchObject([{ word: 'completed', by_word: true }])
  })

  test('is one for each lead: the latest; and finds leads at every source unless one is named', async () => {
    const [one, two] = [await newLead(), await newLead()]
    const rename = async (id: number) =>
      intake.db
        .updateTable('leads')
        .set({ external_id: 'shared' })
        .where('source_id', '=', id)
        .returning('id')
        .executeTakeFirstOrThrow()
    await rename(one)
    const { id } = await rename(two)
    const told = [
      { external_id: 'shared', column: 'returned', at: day(27) } as const,
      { ...sold('shared'), at: day(26) },
      { id, status_id: await intake.status('Hold'), at: day(28) },
      { external_id: 'nowhere', column: 'sold', at: day(28) } as const,
    ]
    expect(await restate(intake.db, told, courier)).toHaveLength(2)
    expect(await intake.stored(one)).toMatchObject([{ column: 'returned', updated_at: day(27) }])
    expect(await intake.stored(two)).toMatchObject([{ column: 'hold', updated_at: day(28) }])
  })
})

describe('trackers that wait for a change', () => {
  test('hear of each change of a lead of their stream, of the state they asked for', async () => {
    const id = await intake.newSource()
    const told = (word: string, at: string) =>
      lead('a', { word, updated_at: at, stream: 'Reels', stream_extra_id: '1', subs: { sub1: 'x' } })
    await takeIn(intake.db, id, [told('new', day(20))], source)
    const { id: stream_id } = await intake.db
      .selectFrom('streams')
      .select('id')
      .where('source_id', '=', id)
      .executeTakeFirstOrThrow()
    const template = (name: string, state: string | null, is_active = true) => ({
      name,
      stream_id,
      state,
      is_active,
      url: 'https://tracker.example/{status}',
    })
    await intake.db
      .insertInto('postback_templates')
      .values([template('every', null), template('sold', 'sold'), template('off', null, false)])
      .execute()
    await takeIn(intake.db, id, [told('accepted', day(21)), lead('b', { stream: 'Other' })], source)
    await takeIn(intake.db, id, [told('accepted', day(22))], source)
    await restate(intake.db, [{ ...sold('a'), source_id: id }], courier)
    await restate(intake.db, [{ ...sold('a'), source_id: id }], courier)
    const { rows } = await intake.pool.query(
      `select t.name, o.word, o.state, o.payout::text, o.status from outgoing_postbacks o
       join postback_templates t on t.id = o.template_id order by o.id`,
    )
    const due = { payout: '10.00', status: 'queued' }
    expect(rows).toEqual([
      { name: 'every', word: 'accepted', state: 'accepted', ...due },
      { name: 'every', word: 'accepted', state: 'sold', ...due },
      { name: 'sold', word: 'accepted', state: 'sold', ...due },
    ])
    expect(await intake.stored(id)).toMatchObject([{ subs: { sub1: 'x' } }, { subs: null }])
  })
})
