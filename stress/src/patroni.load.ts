import { setTimeout as sleep } from 'node:timers/promises'
import { send, type ClientAnswer } from './client.ts'
import type { WriterSetup } from './writers.requests.ts'
import { Writers } from './writers.ts'

/** Milliseconds. A request waits 5 s for a connection, and a silent connection is closed after 10 s. */
const maxRequest = 12_000

interface TimedAnswer {
  status: number
  startedAt: number
  endedAt: number
  isChange: boolean
}

/** Writers and a reader of one web. They record each answer. */
export class WebLoad {
  readonly url: string
  readonly writers: Writers
  readonly answers: TimedAnswer[] = []
  /** Sentences about answers that a failover must not cause. */
  readonly failures: string[] = []
  readonly #token: string
  #isStopped = false
  #reading: Promise<void> | undefined

  constructor(url: string, setup: WriterSetup) {
    this.url = url
    this.#token = setup.token
    const onAnswer = (answer: ClientAnswer) => this.#record(answer, true)
    this.writers = new Writers(() => [url], setup, 0, onAnswer)
  }

  async start(): Promise<void> {
    await this.writers.start(3)
    this.#reading = this.#read()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([this.writers.stop(), this.#reading])
  }

  /** Milliseconds from a moment to the first successful change after it. Throws after a minute. */
  async measureReturn(moment: number): Promise<number> {
    for (;;) {
      const change = this.#changes.find(({ endedAt }) => endedAt > moment)
      if (change !== undefined) return change.endedAt - moment
      if (performance.now() - moment > 60_000) throw new Error(`${this.url} made no change for a minute`)
      await sleep(5)
    }
  }

  /** Statuses other than 503 of requests that began after the first 503 since a moment, and ended before another moment. */
  findOthersThan503(from: number, to: number): number[] {
    const refusedAt =
      this.answers.find(({ status, startedAt }) => status === 503 && startedAt > from)?.endedAt ?? to
    return this.answers
      .filter(({ status, startedAt, endedAt }) => status !== 503 && startedAt > refusedAt && endedAt < to)
      .map(({ status }) => status)
  }

  /** The longest time between two successful changes, in milliseconds. */
  get longestPause(): number {
    const times = this.#changes.map(({ endedAt }) => endedAt)
    return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)))
  }

  get slowestAnswer(): number {
    return Math.max(...this.answers.map(({ startedAt, endedAt }) => endedAt - startedAt))
  }

  get #changes(): TimedAnswer[] {
    return this.answers.filter(({ status, isChange }) => isChange && status >= 200 && status <= 299)
  }

  async #read(): Promise<void> {
    const paths = ['/readyz', '/parcel/auth/me', '/api/admin/offers/?per_page=1']
    for (let index = 0; !this.#isStopped; index += 1) {
      const path = paths[index % paths.length] ?? ''
      const answer = await send(this.url, this.#token, { method: 'GET', path })
      this.#record(answer, false)
      if (![0, 200, 503].includes(answer.status))
        this.failures.push(`${path} answered ${answer.status} ${answer.text}`)
      await sleep(20)
    }
  }

  #record({ status, text, retryAfter, milliseconds }: ClientAnswer, isChange: boolean): void {
    const endedAt = performance.now()
    this.answers.push({ status, startedAt: endedAt - milliseconds, endedAt, isChange })
    const duration = Math.round(milliseconds)
    if (status === 503 && retryAfter === null) this.failures.push(`503 without Retry-After: ${text}`)
    if (status === 0) this.failures.push(`A request had no answer for ${duration} ms`)
    else if (duration > maxRequest)
      this.failures.push(`A request was answered ${status} after ${duration} ms`)
  }
}
