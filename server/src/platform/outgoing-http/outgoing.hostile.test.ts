import { request } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createLookup,
  openListener,
  requestOutcome,
  createOutgoingClients,
  type Listener,
} from '../../../test/listener.ts'
import { isPublicAddress } from './outgoing.address.ts'
import { createGuardedAgent, createGuardedLookup } from './outgoing.connect.ts'

let listener: Listener
const { open, closeAll } = createOutgoingClients()

beforeAll(async () => {
  listener = await openListener()
})
beforeEach(() => {
  listener.connectionCount = 0
})
afterEach(closeAll)
afterAll(() => listener.close())

describe('Hostile addresses', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '１２７.0.0.1',
    '127。0。0。1',
    '127.0.0.1.',
    '0.0.0.0',
    '0',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'any.localhost',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  ]
  test.each(hosts)('the host %s gets a clear error and no connection', async (host) => {
    const client = open([])
    for (const url of [`http://${host}/`, `https://${host}/`, `http://${host}:${listener.port}/`]) {
      expect(client.checkUrl(url)?.code, url).toMatch(/^url_(port_refused|not_public)$/)
      expect(await requestOutcome(client, url), url).toMatch(
        /^forbidden: The address must .*KARVON_OUTBOUND_ALLOW/,
      )
    }
    // A listener exists, and its port is allowed.
    const anyPort = open([], { ports: [listener.port] })
    expect(await requestOutcome(anyPort, `http://${host}:${listener.port}/`)).toMatch(
      /^forbidden: The address must lead to a public address, unless/,
    )
    expect(listener.connectionCount).toBe(0)
  })

  test('the connection itself refuses a private address too', async () => {
    const agent = createGuardedAgent(createLookup({}))
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])
      await expect(request(`http://${host}:${listener.port}/`, { dispatcher: agent })).rejects.toThrow(
        'leads to an address that is not public',
      )
    expect(listener.connectionCount).toBe(0)
    await agent.destroy()
  })

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://100.100.100.200/latest/meta-data/',
    'http://168.63.129.16/machine',
    'http://metadata.google.internal/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://8.8.8.8:22/',
    'http://8.8.8.8:8080/',
    'https://example.com:8443/',
    'http://user@example.com/',
    'https://user:pass@example.com/',
    'http://[fe80::1%25eth0]/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'unix:/var/run/docker.sock',
    '//example.com/',
    '/path',
    'http://',
    'http://example.com:99999/',
    '',
  ])('the address %s is refused before any lookup', async (url) => {
    const lookup = createLookup({})
    const client = open([], { lookup })
    expect(client.checkUrl(url)?.code).toMatch(/^url_/)
    expect(await requestOutcome(client, url)).toMatch(/^forbidden: The address must /)
    expect(lookup.hostnames).toEqual([])
  })

  test.each([
    'https://example.com/',
    'http://8.8.8.8/?x=1',
    'HTTPS://EXAMPLE.COM:443/x',
    'http://[2a00:1450::8]/',
  ])('the address %s is accepted', (url) => {
    expect(open([]).checkUrl(url)).toBeNull()
  })

  test('an error message holds no path, no query and no secret', async () => {
    const client = open([], { lookup: createLookup({ 'inner.example': [['10.0.0.1']] }) })
    const secret = 'canary-5f2c'
    for (const url of [
      `http://inner.example/${secret}?token=${secret}`,
      `http://user:${secret}@inner.example/`,
      `http://nowhere.example/?token=${secret}`,
      `http://127.0.0.1/?token=${secret}`,
    ])
      expect(await requestOutcome(client, url)).not.toContain(secret)
  })
})

describe('Name lookups', () => {
  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['10.0.0.5']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['fe80::1%lo']],
    [[]],
  ])('a name that leads to %j is not connected to', async (addresses) => {
    const lookup = createLookup({ 'tracker.example': [addresses] })
    const client = open([], { lookup, ports: [listener.port] })
    expect(await requestOutcome(client, `http://tracker.example:${listener.port}/`)).toBe(
      'forbidden: tracker.example leads to an address that is not public. To allow it, add its host and port to KARVON_OUTBOUND_ALLOW.',
    )
    expect(lookup.hostnames).toEqual(['tracker.example'])
    expect(listener.connectionCount).toBe(0)
  })

  test('a name is checked at every connection, even if it was public before', async () => {
    const lookup = createLookup({ 'rebind.example': [['10.0.0.1'], ['127.0.0.1']] })
    const client = open([], { lookup, ports: [listener.port] })
    for (let i = 0; i < 3; i += 1)
      expect(await requestOutcome(client, `http://rebind.example:${listener.port}/`)).toMatch(
        /^forbidden: rebind.example leads to/,
      )
    expect(lookup.hostnames).toHaveLength(3)
    expect(listener.connectionCount).toBe(0)
  })

  test('a name is looked up once for a connection, which uses the checked addresses', async () => {
    const lookup = createLookup({ 'rebind.example': [['8.8.8.8', '2606:4700::1111'], ['127.0.0.1']] })
    const result = await new Promise((resolve) => {
      createGuardedLookup(lookup)('rebind.example', { all: true }, (error, addresses) =>
        resolve(error ?? addresses),
      )
    })
    expect(result).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(lookup.hostnames).toEqual(['rebind.example'])
  })

  test('a name without an address gives an error', async () => {
    expect(await requestOutcome(open([], { lookup: createLookup({}) }), 'http://nowhere.example/')).toBe(
      'unreachable: nowhere.example gave no usable answer (ENOTFOUND).',
    )
  })
})

test('an address is public if one machine on the internet can have it', () => {
  const internet = [
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '2a00:1450:4010::8a',
    '2606:4700::1111',
  ]
  const otherAddresses = [
    '',
    'x',
    '1',
    '1.2.3',
    '8.8.8.8/24',
    '2000::/3',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    '3fff::1',
    '5f00::1',
  ]
  const reservedAddresses = [
    '4000::1',
    '100::1',
    '2001:20::1',
    '192.88.99.1',
    '192.175.48.1',
    '240.0.0.1',
    '255.255.255.255',
  ]
  expect(internet.filter((address) => !isPublicAddress(address))).toEqual([])
  expect([...otherAddresses, ...reservedAddresses].filter(isPublicAddress)).toEqual([])
})

describe('Addresses allowed by the operator', () => {
  test('an allowed host is reached only at its port, private or public', async () => {
    const client = open([
      `127.0.0.1:${listener.port}`,
      `[::1]:${listener.port}`,
      'Tracker.Example:8443',
      'plain.example:80',
    ])
    expect(await requestOutcome(client, `http://127.0.0.1:${listener.port}/`)).toBe('200')
    expect(await requestOutcome(client, `http://[::1]:${listener.port}/`)).toBe('200')
    // Another spelling of the same address is the same address.
    expect(await requestOutcome(client, `http://2130706433:${listener.port}/`)).toBe('200')
    expect(listener.connectionCount).toBe(2)
    expect(client.checkUrl('https://tracker.example:8443/x')).toBeNull()
    expect(client.checkUrl('http://plain.example/')).toBeNull()
    for (const url of [
      'http://127.0.0.1/',
      `http://localhost:${listener.port}/`,
      'https://sub.tracker.example:8443/',
    ])
      expect(client.checkUrl(url)?.code, url).toMatch(/^url_/)
    expect(client.checkUrl(`http://user@127.0.0.1:${listener.port}/`)?.code).toBe('url_with_credentials')
  })

  test('an allowed name may lead to a private address', async () => {
    const lookup = createLookup({ 'inner.example': [['127.0.0.1']] })
    const client = open([`inner.example:${listener.port}`], { lookup })
    expect(await requestOutcome(client, `http://inner.example:${listener.port}/`)).toBe('200')
    expect(await requestOutcome(client, 'http://inner.example/')).toMatch(
      /^forbidden: inner.example leads to/,
    )
    expect(listener.connectionCount).toBe(1)
  })
})
