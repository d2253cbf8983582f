import { expect, test } from 'vitest'
import { AppError } from '../http/errors.ts'
import { getRefusalCounts } from '../http/refusals.ts'
import { ConcurrencyLimit, getThird } from './concurrency-limit.ts'

const createKeyError = (retryAfter: number) => new AppError('address_busy', {}, { retryAfter })
const createTotalError = (retryAfter: number) => new AppError('server_busy', {}, { retryAfter })

const readCode = (error: unknown) => (error instanceof AppError ? error.code : error)
const readRejectionCode = (work: Promise<unknown>) => work.then(() => 'no error', readCode)
const readThrownCode = (work: () => unknown) => {
  try {
    work()
    return 'no error'
  } catch (error) {
    return readCode(error)
  }
}

test('a concurrency limit refuses with 429 at the limit of a key, and with 503 at the limit of all keys', () => {
  const limit = new ConcurrencyLimit<string>({
    perKey: { max: 1, reason: 'probes', createError: createKeyError },
    total: { max: 2, reason: 'probes', createError: createTotalError },
  })
  const release = limit.acquire('a')
  expect(readThrownCode(() => limit.acquire('a'))).toBe('address_busy')
  limit.acquire('b')
  expect(readThrownCode(() => limit.acquire('c'))).toBe('server_busy')
  release()
  release()
  expect(limit.inUse).toBe(1)
  limit.acquire('c')
})

test('a few keys never take all slots of a shared concurrency limit', () => {
  const limit = new ConcurrencyLimit<number>({
    perKey: { max: 16, getMax: getThird, reason: 'uploads', createError: createKeyError },
    total: { max: 64, reason: 'uploads', createError: createTotalError },
  })
  const acquireAll = (key: number) => {
    for (let count = 0; ; count += 1)
      if (readThrownCode(() => limit.acquire(key)) !== 'no error') return count
  }
  expect(acquireAll(1)).toBe(16)
  for (let key = 2; key <= 10; key += 1) expect(acquireAll(key)).toBeGreaterThan(0)
  for (let key = 11; limit.inUse < 64; key += 1) expect(acquireAll(key)).toBe(1)
  expect(readThrownCode(() => limit.acquire(0))).toBe('server_busy')
})

test('a key has fewer slots while its smaller bound holds, and its waiters start together afterwards', async () => {
  let maxNow = 1
  const limit = new ConcurrencyLimit<string>({
    perKey: { max: 4, getMax: () => maxNow, reason: 'tasks_of_person', createError: createKeyError },
    maxQueuedPerKey: 9,
  })
  const release = await limit.wait('a')
  const waiting = Array.from({ length: 5 }, () => limit.wait('a'))
  expect(limit.inUse).toBe(1)
  maxNow = 4
  release()
  await Promise.all(waiting.slice(0, 4))
  expect(limit.inUse).toBe(4)
})

test('a new caller does not overtake a waiter whose bound has grown since a slot was freed', async () => {
  let maxNow = 2
  const limit = new ConcurrencyLimit<string>({
    perKey: { max: 2, getMax: () => maxNow, reason: 'tasks_of_person', createError: createKeyError },
    maxQueuedPerKey: 9,
  })
  const [releaseFirst, releaseSecond] = await Promise.all([limit.wait('a'), limit.wait('a')])
  const startedNames: string[] = []
  const run = (name: string) => limit.run('a', async () => void startedNames.push(name))
  const waiting = run('waiter')
  maxNow = 1
  releaseFirst()
  maxNow = 2
  await Promise.all([waiting, run('new caller')])
  expect(startedNames).toEqual(['waiter', 'new caller'])
  releaseSecond()
})

test('a concurrency limit counts several slots of one caller', () => {
  const limit = new ConcurrencyLimit<string>({
    perKey: { max: 10, reason: 'probes', createError: createKeyError },
  })
  const release = limit.acquire('a', 7)
  expect(readThrownCode(() => limit.acquire('a', 4))).toBe('address_busy')
  limit.acquire('a', 3)
  release()
  expect(limit.inUse).toBe(3)
})

test('a concurrency limit gives a free slot to the first waiter that may run, and refuses when the queue of a key is full', async () => {
  const limit = new ConcurrencyLimit<string>({
    perKey: { max: 1, reason: 'probes', createError: createKeyError },
    maxQueuedPerKey: 2,
  })
  const startedNames: string[] = []
  const wait = async (key: string, name: string) => {
    const release = await limit.wait(key)
    startedNames.push(name)
    return release
  }
  const [releaseA, releaseB] = await Promise.all([wait('a', 'a1'), wait('b', 'b1')])
  const waiting = [wait('a', 'a2'), wait('a', 'a3'), wait('b', 'b2')]
  expect(await readRejectionCode(limit.wait('a'))).toBe('address_busy')
  releaseB()
  const releaseB2 = await waiting[2]
  expect(startedNames).toEqual(['a1', 'b1', 'b2'])
  releaseA()
  const releaseA2 = await waiting[0]
  releaseA2?.()
  const releaseA3 = await waiting[1]
  expect(startedNames).toEqual(['a1', 'b1', 'b2', 'a2', 'a3'])
  releaseA3?.()
  releaseB2?.()
  expect(limit.inUse).toBe(0)
})

test('a concurrency limit ends a wait after its timeout and when its signal aborts, and keeps no slot for it', async () => {
  const limit = new ConcurrencyLimit<'all'>({
    total: { max: 1, reason: 'workbooks', createError: createTotalError },
    maxQueuedPerKey: 5,
  })
  const release = limit.acquire('all')
  const before = getRefusalCounts().get('workbooks') ?? 0
  expect(await readRejectionCode(limit.wait('all', { timeout: 1 }))).toBe('server_busy')
  const createTimeoutError = () => new AppError('invalid')
  expect(await readRejectionCode(limit.wait('all', { timeout: 1, createTimeoutError }))).toBe('invalid')
  expect(getRefusalCounts().get('workbooks')).toBe(before + 2)
  const end = new AbortController()
  const abortCode = readRejectionCode(limit.wait('all', { signal: end.signal }))
  end.abort(new AppError('connection_ended'))
  expect(await abortCode).toBe('connection_ended')
  expect(await readRejectionCode(limit.wait('all', { signal: end.signal }))).toBe('connection_ended')
  release()
  expect(limit.inUse).toBe(0)
})

test('a waiter that gives up or starts leaves its place in the queue of its key', async () => {
  const limit = new ConcurrencyLimit<'all'>({
    total: { max: 1, reason: 'probes', createError: createTotalError },
    maxQueuedPerKey: 1,
  })
  const createTimeoutError = () => new AppError('invalid')
  const release = limit.acquire('all')
  for (let i = 0; i < 2; i += 1)
    expect(await readRejectionCode(limit.wait('all', { timeout: 1, createTimeoutError }))).toBe('invalid')
  const next = limit.wait('all')
  expect(await readRejectionCode(limit.wait('all', { timeout: 1, createTimeoutError }))).toBe('server_busy')
  release()
  const releaseNext = await next
  expect(await readRejectionCode(limit.wait('all', { timeout: 1, createTimeoutError }))).toBe('invalid')
  releaseNext()
  expect(limit.inUse).toBe(0)
})

test('a concurrency limit frees a slot when its work fails, and when it is held too long', async () => {
  const limit = new ConcurrencyLimit<'all'>({
    total: { max: 1, reason: 'probes', createError: createTotalError },
    holdTimeout: 5,
  })
  await expect(limit.run('all', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(limit.inUse).toBe(0)
  limit.acquire('all')
  await expect.poll(() => limit.inUse).toBe(0)
})
