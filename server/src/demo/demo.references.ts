import { randomBytes } from 'node:crypto'
import type { Db } from '../platform/database/pool.ts'
import { passwordCost } from '../config.passwords.ts'
import { PasswordHasher } from '../platform/security/passwords.ts'
import type { LocalClock } from './demo.clock.ts'
import type { SeededRandom } from './demo.random.ts'
import {
  channels,
  goods,
  moreGoods,
  people,
  roles,
  shownUsernames,
  sources,
  stores,
  variants,
} from './demo.data.ts'
import type { DemoParts } from './demo.parts.ts'

export interface SignIn {
  username: string
  password: string
  /** The role's name. */
  role: string
}

/** A stream with its offer. */
export interface DemoStream {
  name: string
  extraId: string
  offer: { name: string; extraId: string; fee: number }
}

export interface DemoReferences {
  signIns: SignIn[]
  /** The owners of parcels. Owners with more parcels are in the list several times. */
  owners: number[]
  streams: ReadonlyMap<number, DemoStream[]>
  firstLead: ReadonlyMap<number, number>
}

/** What each part of the demo is made of. */
export interface DemoContext {
  parts: DemoParts
  references: DemoReferences
  clock: LocalClock
  random: SeededRandom
}

/** Creates the people, roles, sources, offers and streams of the demo. */
export async function createReferences(
  trx: Db,
  parts: DemoParts,
  random: SeededRandom,
): Promise<DemoReferences> {
  const sourceIds = await createSources(trx, parts)
  const users = await createPeople(trx, await createRoles(trx, sourceIds))
  const offers = await createOffers(trx, sourceIds, random)
  const buyers = [...users].flatMap(([username, { id, sources }]) =>
    sources.length > 0 ? [{ username, id, sources }] : [],
  )
  const streams = new Map<number, DemoStream[]>()
  const rows = []
  for (const [at, offer] of offers
    .filter(({ active }) => active)
    .slice(0, 24)
    .entries()) {
    const buyer = buyers.filter(({ sources }) => sources.includes(offer.source))[at % 3] ?? buyers[0]
    const stream = {
      name: `${channels[at % channels.length]} · ${offer.name}`,
      extraId: String(7301 + at * 17),
      offer,
    }
    streams.set(offer.source, [...(streams.get(offer.source) ?? []), stream])
    rows.push({
      name: stream.name,
      url: `https://example.uz/go/${stream.extraId}`,
      offer_name: offer.name,
      offer_id: offer.id,
      extra_id: stream.extraId,
      source_id: offer.source,
      // Some streams have no owner. Their leads are in no person's own reports.
      user_id: at % 8 === 7 ? null : (buyer?.id ?? null),
      is_active: at % 9 !== 8,
    })
  }
  await trx.insertInto('streams').values(rows).execute()
  return {
    signIns: [...users.values()].flatMap(({ signIn }) => (signIn === null ? [] : [signIn])),
    owners: people.flatMap(({ username, parcels }) =>
      Array<number>(parcels).fill(users.get(username)?.id ?? 0),
    ),
    streams,
    firstLead: new Map(sources.map(({ name, firstLead }) => [sourceIds.get(name) ?? 0, firstLead])),
  }
}

async function createSources(trx: Db, parts: DemoParts): Promise<Map<string, number>> {
  const createdSources = await trx
    .insertInto('cpa_sources')
    .values(sources.map(({ name, url, description }) => ({ name, url, description })))
    .returning(['id', 'name'])
    .execute()
  for (const { id } of createdSources) await parts.seedDefaultMappings(trx, id)
  return new Map(createdSources.map(({ id, name }) => [name, id]))
}

interface DemoRole {
  id: number
  name: string
  sources: number[]
}

async function createRoles(trx: Db, sourceIds: Map<string, number>): Promise<Map<string, DemoRole>> {
  const createdRoles = new Map<string, DemoRole>()
  for (const { code, name, description, sources } of roles) {
    const { id } = await trx
      .insertInto('roles')
      .values({ code, name, description })
      .returning('id')
      .executeTakeFirstOrThrow()
    const allowedSourceIds = sources.flatMap((source) => sourceIds.get(source) ?? [])
    if (allowedSourceIds.length > 0) {
      await trx
        .insertInto('role_source_access')
        .values(allowedSourceIds.map((source_id) => ({ role_id: id, source_id })))
        .execute()
    }
    createdRoles.set(code, { id, name, sources: allowedSourceIds })
  }
  return createdRoles
}

/** Creates people with random passwords. Only the passwords of {@link shownUsernames} are shown. */
async function createPeople(trx: Db, createdRoles: Map<string, DemoRole>) {
  const users = new Map<string, { id: number; sources: number[]; signIn: SignIn | null }>()
  const passwords = new PasswordHasher(passwordCost)
  for (const { username, name, role: code } of people) {
    const role = createdRoles.get(code)
    if (role === undefined) throw new Error(`The demo has no role ${code}`)
    const password = randomBytes(9).toString('base64url')
    const { id } = await trx
      .insertInto('users')
      .values({
        username,
        name,
        email: `${username}@example.uz`,
        password_hash: await passwords.hash(password),
        role_id: role.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const isShown = shownUsernames.some((shownUsername) => shownUsername === username)
    users.set(username, {
      id,
      sources: role.sources,
      signIn: isShown ? { username, password, role: role.name } : null,
    })
  }
  return users
}

async function createOffers(trx: Db, sourceIds: Map<string, number>, random: SeededRandom) {
  const statuses = await createOfferStatuses(trx)
  const variantGoods = variants.flatMap((variant) =>
    moreGoods.map(([name, price]) => {
      const status = random.pickEarly(['Active', 'Active', 'Paused', 'Draft'])
      const source = random.pickEarly(['100k.uz', 'sotuvchi.com'])
      const fullPrice = price + variants.indexOf(variant) * 20_000
      return [
        `${name}${variant}`,
        fullPrice,
        Math.round(fullPrice / 6000) * 1000,
        random.pick(stores),
        status,
        source,
      ] as const
    }),
  )
  const allGoods = [...variantGoods, ...goods.toReversed()]
  const rows = allGoods.map(([name, price, affiliate_fee, store_name, status, source], at) => ({
    name,
    price,
    affiliate_fee,
    store_name,
    status_id: statuses.get(status) ?? null,
    source_id: sourceIds.get(source) ?? 0,
    extra_id: String(1204 + at * 3),
  }))
  const ids = await trx.insertInto('offers').values(rows).returning(['id', 'extra_id']).execute()
  const idOf = new Map(ids.map(({ id, extra_id }) => [extra_id, id]))
  return rows.toReversed().map((row, at) => ({
    id: idOf.get(row.extra_id) ?? 0,
    name: row.name,
    extraId: row.extra_id,
    fee: row.affiliate_fee,
    source: row.source_id,
    active: allGoods[allGoods.length - 1 - at]?.[4] === 'Active',
  }))
}

async function createOfferStatuses(trx: Db): Promise<Map<string, number>> {
  const type = await trx
    .insertInto('status_types')
    .values({ name: 'Offer', description: 'Where an offer stands', code: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const createdStatuses = await trx
    .insertInto('statuses')
    .values(['Active', 'Paused', 'Draft'].map((name) => ({ name, type_id: type.id })))
    .returning(['id', 'name'])
    .execute()
  return new Map(createdStatuses.map(({ id, name }) => [name, id]))
}
