import { setTimeout as sleep } from 'node:timers/promises'
import { OutgoingError } from '../clients/outgoing.error.ts'
import type { Outgoing } from '../clients/outgoing.ts'
import type { Deps } from '../kit/deps.ts'
import type { Job } from '../kit/jobs.ts'
import { claim, note, type Due, type Ended } from './outgoing-postbacks.due.ts'
import { Pace } from './outgoing-postbacks.pace.ts'
import { renderUrl } from './outgoing-postbacks.render.ts'
import { retryAfterOf, verdict, type Came } from './outgoing-postbacks.verdict.ts'

/** Postbacks on their way at once. */
const most = 16
/** Milliseconds that a tracker has for its answer. */
const patience = 10_000

/**
 * Tells trackers of the changes of leads. One that is killed between a tracker's answer and its note sends that
 * postback again, and so does one that never saw the answer; nothing else is sent twice.
 */
export function outgoingPostbacksJob(deps: Deps): Job {
  const pace = new Pace()
  return {
    name: 'outgoing-postbacks',
    every: 5000,
    timeout: 600_000,
    alone: false,
    run: (signal) => sendDue(deps, pace, signal),
  }
}

/** Until nothing is due. What is under way when it is told to stop is waited for: cut off, it would be sent twice. */
async function sendDue(deps: Deps, pace: Pace, signal: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<void>>()
  try {
    while (!signal.aborted) {
      const free = most - underWay.size
      for (const due of free > 0 ? await claim(deps.pool, free, pace.held()) : []) {
        const sending: Promise<void> = send(deps, pace, due).finally(() => underWay.delete(sending))
        underWay.add(sending)
      }
      if (underWay.size === 0) return
      // Meanwhile others may have fallen due.
      await Promise.race([...underWay, sleep(1000, undefined, { signal }).catch(() => {})])
    }
  } finally {
    await Promise.all(underWay)
  }
}

async function send({ outgoing, pool, log }: Deps, pace: Pace, due: Due): Promise<void> {
  const id = due.template_id ?? 0
  pace.started(id)
  try {
    const ended = await attempt(outgoing, due)
    if (ended.answer === 429) pace.asked(id, ended.wait)
    else if (ended.status === 'queued') pace.failed(id)
    else if (ended.status === 'sent') pace.went(id)
    await note(pool, due.id, ended)
  } catch (error) {
    log.warn({ err: error, postback: due.id }, 'How a postback ended could not be noted; it is sent again')
  } finally {
    pace.ended(id)
  }
}

async function attempt(outgoing: Outgoing, due: Due): Promise<Ended> {
  const { attempts, template } = due
  const idle = { url: null, attempts, answer: null, wait: 0 }
  if (template === null) return { ...idle, status: 'refused', last_error: 'The template was deleted.' }
  if (due.is_active !== true)
    return { ...idle, status: 'refused', last_error: 'The template was switched off.' }
  const url = renderUrl(template, due)
  if (url === due.sent_url) return { ...idle, url, status: 'same', last_error: null }
  return { url, ...verdict(await call(outgoing, url), attempts) }
}

async function call(outgoing: Outgoing, url: string): Promise<Came> {
  try {
    const { status, headers } = await outgoing.request({
      method: 'GET',
      url,
      timeout: patience,
      statusOnly: true,
    })
    return { answer: status, retryAfter: retryAfterOf(headers) }
  } catch (error) {
    if (error instanceof OutgoingError) return { error }
    throw error
  }
}
