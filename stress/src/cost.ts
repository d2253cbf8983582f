import { must, send } from './client.ts'
import { openAccessDesk, type AccessDesk } from './access.desk.ts'
import { readOperations, type Operation, type Schema } from './hostile.operations.ts'
import type { Outcome, Part } from './part.ts'
import { signIn } from './product.ts'

/**
 * Parcels of one person, and seconds for which they repeat their dearest requests. `searches`: letters that most rows
 * have, digits that all have, and what an index cannot help with.
 */
const extents = {
  long: {
    parcels: 300_000,
    seconds: 60,
    judges: true,
    searches: ['a', '0', '00', 'an', '%', '_', 'Aziza', 'zzz'],
  },
  short: { parcels: 10_000, seconds: 3, judges: false, searches: ['a'] },
} as const
/** Milliseconds within which everybody is answered. */
const most = 5000
const connections = 24
const dearest = 5
const person = { username: 'collector', password: 'seven-blue-lanterns' }

interface Asked {
  path: string
  milliseconds: number
  status: number
}

/** A person with that many parcels, each with words that searches find. */
async function makePerson(desk: AccessDesk, url: string, admin: string, parcels: number): Promise<string> {
  const { rows } = await desk.query(`select id from roles where code = 'user'`, [])
  const json = { ...person, name: 'Collector', email: 'c@example.uz', role_id: Number(rows[0]?.['id']) }
  await must(url, admin, { method: 'POST', path: '/api/admin/users/', json })
  await desk.query(
    `insert into parcels (orderno, owner_id, day, status_code, status_title, eventtime, person, phone, address, town, company)
     select 'A' || n, u.id, current_date - (n % 700)::int, (array['NEW', 'DELIVERED', 'COURIER'])[1 + n % 3], 'title',
            now() - make_interval(mins => n), 'Aziza ' || md5(n::text), '+99890' || lpad(n::text, 7, '0'),
            'Amir Temur ' || n, 'Andijan', 'Anor'
     from generate_series(1, $1::int) n, users u where u.username = $2`,
    [parcels, person.username],
  )
  await desk.query('analyze parcels', [])
  return signIn(url, person)
}

const enumOf = (schema: Schema): unknown[] => schema.enum ?? schema.anyOf?.flatMap(enumOf) ?? []

/** Addresses of an operation that cost the most by one parameter each: every sort, searches, the last page, the largest page. */
function costlyPaths(
  { path, query }: Operation,
  { parcels, searches }: (typeof extents)['long' | 'short'],
): string[] {
  const values: Record<string, readonly unknown[]> = {
    search: searches,
    page: [2, Math.floor(parcels / 200), 1_000_000],
    skip: [parcels - 1],
    per_page: [200],
    limit: [200],
    date_from: ['2000-01-01'],
    start_date: ['2000-01-01'],
  }
  // A download of every row lasts as long as its reader; it has tests of its own.
  const pairs = query
    .filter(({ name }) => name !== 'format')
    .flatMap(({ name, schema }) =>
      (values[name] ?? enumOf(schema)).map((value) => [name, String(value)] as const),
    )
  const words = pairs.filter(([name]) => name === 'search')
  const sorts = pairs.filter(([name]) => name === 'sort')
  const both = words.flatMap((word) => sorts.map((sort) => [word, sort]))
  return [[], ...pairs.map((pair) => [pair]), ...both].map((each) => {
    const text = new URLSearchParams(each.map(([name, value]): [string, string] => [name, value])).toString()
    return text === '' ? path : `${path}?${text}`
  })
}

async function ask(url: string, token: string, path: string): Promise<Asked> {
  const began = performance.now()
  const { status } = await send(url, token, { method: 'GET', path })
  return { path, milliseconds: performance.now() - began, status }
}

async function run(extent: 'long' | 'short', say: (line: string) => void): Promise<Outcome> {
  const { parcels, seconds, judges } = extents[extent]
  await using desk = await openAccessDesk(1)
  const url = desk.processes[0]?.url ?? ''
  const admin = await signIn(url)
  const token = await makePerson(desk, url, admin, parcels)
  const operations = (await readOperations(url, admin)).filter(
    ({ method, path }) => method === 'GET' && !path.includes('{') && path.startsWith('/api/'),
  )
  const asked: Asked[] = []
  for (const operation of operations) {
    const first = await ask(url, token, operation.path)
    // What a regular person is refused costs nothing.
    if (first.status === 403) continue
    for (const path of costlyPaths(operation, extents[extent])) asked.push(await ask(url, token, path))
  }
  const sorted = asked.toSorted((a, b) => b.milliseconds - a.milliseconds)
  for (const { path, milliseconds, status } of sorted.slice(0, dearest))
    say(`${Math.round(milliseconds)} ms, ${status}: ${path}`)
  const failed = asked.filter(({ status }) => status >= 500 || status === 0)
  const slow = judges ? asked.filter(({ milliseconds }) => milliseconds > most) : []

  const paths = sorted.slice(0, dearest).map(({ path }) => path)
  const until = performance.now() + seconds * 1000
  let repeated = 0
  const repeat = async () => {
    while (performance.now() < until) await ask(url, token, paths[repeated++ % paths.length] ?? '/')
  }
  const others: Asked[] = []
  const work = async () => {
    while (performance.now() < until) others.push(await ask(url, admin, '/api/parcel/parcels/all'))
  }
  await Promise.all([...Array.from({ length: connections }, repeat), work()])
  const refused = others.filter(({ status }) => status !== 200)
  const longest = Math.max(...others.map(({ milliseconds }) => milliseconds))
  return {
    figures: {
      parcels,
      'requests of one parameter': asked.length,
      'the dearest': `${Math.round(sorted[0]?.milliseconds ?? 0)} ms, ${sorted[0]?.path ?? ''}`,
      'repeated by 24 connections': repeated,
      'answers of an admin meanwhile': others.length,
      'the longest of them': `${Math.round(longest)} ms`,
      refused: refused.length,
    },
    faults: [
      ...failed.map(({ path, status }) => `${path} answered ${status}`),
      ...slow.map(({ path, milliseconds }) => `${path} took ${Math.round(milliseconds)} ms`),
      ...(refused.length > 0 ? [`An admin was refused ${refused.length} times`] : []),
      ...(judges && longest > most ? [`An admin waited ${Math.round(longest)} ms`] : []),
    ],
  }
}

export const costPart: Part = {
  name: 'cost',
  about:
    'the dearest requests of a person with 300,000 parcels are answered in 5 s, and so is everybody else meanwhile',
  run,
}
