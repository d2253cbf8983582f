import { sendOrThrow, send } from './client.ts'
import { startProcesses, type ProductProcesses } from './access.processes.ts'
import { readOperations, type Operation, type Schema } from './fuzz.operations.ts'
import type { PartResult, Part } from './part.ts'
import { signIn } from './product.ts'

/**
 * `parcels`: parcels of one person. `seconds`: how long the slowest requests are repeated. `searches`: texts that most
 * rows contain, and texts that an index does not support.
 */
const extents = {
  long: {
    parcels: 300_000,
    seconds: 60,
    enforcesLimits: true,
    searches: ['a', '0', '00', 'an', '%', '_', 'Aziza', 'zzz'],
  },
  short: { parcels: 10_000, seconds: 3, enforcesLimits: false, searches: ['a'] },
} as const
/** Longest time of an answer. */
const maxMilliseconds = 5000
const connections = 24
const slowestCount = 5
const credentials = { username: 'collector', password: 'seven-blue-lanterns' }

interface TimedRequest {
  path: string
  milliseconds: number
  status: number
}

/** Creates a person with parcels whose texts the searches find. Returns the person's token. */
async function createPerson(
  product: ProductProcesses,
  url: string,
  admin: string,
  parcels: number,
): Promise<string> {
  const { rows } = await product.query(`select id from roles where code = 'user'`, [])
  const json = { ...credentials, name: 'Collector', email: 'c@example.uz', role_id: Number(rows[0]?.['id']) }
  await sendOrThrow(url, admin, { method: 'POST', path: '/api/admin/users/', json })
  await product.query(
    `insert into parcels (orderno, owner_id, day, status_code, status_title, eventtime, person, phone, address, town, company)
     select 'A' || n, u.id, current_date - (n % 700)::int, (array['NEW', 'DELIVERED', 'COURIER'])[1 + n % 3], 'title',
            now() - make_interval(mins => n), 'Aziza ' || md5(n::text), '+99890' || lpad(n::text, 7, '0'),
            'Amir Temur ' || n, 'Andijan', 'Anor'
     from generate_series(1, $1::int) n, users u where u.username = $2`,
    [parcels, credentials.username],
  )
  await product.query('analyze parcels', [])
  return signIn(url, credentials)
}

const getEnumValues = (schema: Schema): unknown[] => schema.enum ?? schema.anyOf?.flatMap(getEnumValues) ?? []

/** Paths of an operation with one expensive parameter: each sort, the searches, the last page, the largest page. */
function listCostlyPaths(
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
  // The time of a download depends on its reader. Other tests cover downloads.
  const pairs = query
    .filter(({ name }) => name !== 'format')
    .flatMap(({ name, schema }) =>
      (values[name] ?? getEnumValues(schema)).map((value) => [name, String(value)] as const),
    )
  const searchPairs = pairs.filter(([name]) => name === 'search')
  const sortPairs = pairs.filter(([name]) => name === 'sort')
  const combinedPairs = searchPairs.flatMap((word) => sortPairs.map((sort) => [word, sort]))
  return [[], ...pairs.map((pair) => [pair]), ...combinedPairs].map((combination) => {
    const text = new URLSearchParams(
      combination.map(([name, value]): [string, string] => [name, value]),
    ).toString()
    return text === '' ? path : `${path}?${text}`
  })
}

async function measureRequest(url: string, token: string, path: string): Promise<TimedRequest> {
  const startedAt = performance.now()
  const { status } = await send(url, token, { method: 'GET', path })
  return { path, milliseconds: performance.now() - startedAt, status }
}

async function run(extent: 'long' | 'short', log: (line: string) => void): Promise<PartResult> {
  const { parcels, seconds, enforcesLimits } = extents[extent]
  await using product = await startProcesses(1)
  const url = product.processes[0]?.url ?? ''
  const admin = await signIn(url)
  const token = await createPerson(product, url, admin, parcels)
  const operations = (await readOperations(url, admin)).filter(
    ({ method, path }) => method === 'GET' && !path.includes('{') && path.startsWith('/api/'),
  )
  const requests: TimedRequest[] = []
  for (const operation of operations) {
    const first = await measureRequest(url, token, operation.path)
    // A refused request costs nothing.
    if (first.status === 403) continue
    for (const path of listCostlyPaths(operation, extents[extent]))
      requests.push(await measureRequest(url, token, path))
  }
  const sortedRequests = requests.toSorted((a, b) => b.milliseconds - a.milliseconds)
  for (const { path, milliseconds, status } of sortedRequests.slice(0, slowestCount))
    log(`${Math.round(milliseconds)} ms, ${status}: ${path}`)
  const failedRequests = requests.filter(({ status }) => status >= 500 || status === 0)
  const slow = enforcesLimits ? requests.filter(({ milliseconds }) => milliseconds > maxMilliseconds) : []

  const paths = sortedRequests.slice(0, slowestCount).map(({ path }) => path)
  const until = performance.now() + seconds * 1000
  let repeatCount = 0
  const repeat = async () => {
    while (performance.now() < until)
      await measureRequest(url, token, paths[repeatCount++ % paths.length] ?? '/')
  }
  const adminRequests: TimedRequest[] = []
  const sendAdminRequests = async () => {
    while (performance.now() < until)
      adminRequests.push(await measureRequest(url, admin, '/api/parcel/parcels/all'))
  }
  await Promise.all([...Array.from({ length: connections }, repeat), sendAdminRequests()])
  const refusedRequests = adminRequests.filter(({ status }) => status !== 200)
  const longest = Math.max(...adminRequests.map(({ milliseconds }) => milliseconds))
  return {
    figures: {
      parcels,
      requests: requests.length,
      'slowest request': `${Math.round(sortedRequests[0]?.milliseconds ?? 0)} ms, ${sortedRequests[0]?.path ?? ''}`,
      'requests repeated on 24 connections': repeatCount,
      'admin requests during the repeats': adminRequests.length,
      'slowest admin request': `${Math.round(longest)} ms`,
      'refused admin requests': refusedRequests.length,
    },
    failures: [
      ...failedRequests.map(({ path, status }) => `${path} answered ${status}`),
      ...slow.map(({ path, milliseconds }) => `${path} took ${Math.round(milliseconds)} ms`),
      ...(refusedRequests.length > 0 ? [`An admin was refused ${refusedRequests.length} times`] : []),
      ...(enforcesLimits && longest > maxMilliseconds ? [`An admin waited ${Math.round(longest)} ms`] : []),
    ],
  }
}

export const costPart: Part = {
  name: 'cost',
  description:
    'The most expensive requests of a person with 300,000 parcels are answered in 5 s, and so are other requests during them.',
  run,
}
