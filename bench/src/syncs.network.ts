// CPA networks in a separate process, one for each account, and a control server: GET / returns their addresses,
// GET /hits the number of requests to each path since the last GET /hits.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startNetwork } from '@karvon/testkit/fakes/network.ts'
import { createSteadyStore } from './syncs.orders.ts'

const readNumber = (name: string) => Number(process.env[name])
const now = Date.now()
const networks = await Promise.all(
  Array.from({ length: readNumber('ACCOUNTS') }, (_, account) =>
    startNetwork({
      dialect: '100k',
      store: createSteadyStore(account, readNumber('ORDERS'), now),
      login: `person-${account}`,
      pass: 'bench',
      pageSize: readNumber('PAGE_SIZE'),
    }),
  ),
)

function takeHits(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const network of networks)
    for (const { path } of network.requests.splice(0)) counts[path] = (counts[path] ?? 0) + 1
  return counts
}

const server = createServer(({ url }, response) => {
  response.end(JSON.stringify(url === '/hits' ? takeHits() : networks.map((network) => network.url)))
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
