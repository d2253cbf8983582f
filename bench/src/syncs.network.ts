// CPA networks in a process of their own, one an account, and a server that tells of them: GET / their addresses,
// GET /hits how many requests came to each path since it was last asked.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startNetwork } from '@karvon/testkit/fakes/network.ts'
import { steadyBook } from './syncs.book.ts'

const given = (name: string) => Number(process.env[name])
const now = Date.now()
const networks = await Promise.all(
  Array.from({ length: given('ACCOUNTS') }, (_, account) =>
    startNetwork({
      dialect: '100k',
      store: steadyBook(account, given('ORDERS'), now),
      login: `person-${account}`,
      pass: 'bench',
      pageSize: given('PAGE_SIZE'),
    }),
  ),
)

function hits(): Record<string, number> {
  const counted: Record<string, number> = {}
  for (const network of networks)
    for (const { path } of network.requests.splice(0)) counted[path] = (counted[path] ?? 0) + 1
  return counted
}

const server = createServer(({ url }, response) => {
  response.end(JSON.stringify(url === '/hits' ? hits() : networks.map((network) => network.url)))
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
