import { maxPostbackUrl } from '@karvon/contract/lib/limits.ts'
import { OutgoingError } from '../../platform/outgoing-http/outgoing.error.ts'
import { parseRetryAfter } from '../../platform/outgoing-http/retry-after.ts'
import type { Outgoing } from '../../platform/outgoing-http/outgoing.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { queueJob } from '../../platform/queue/queue.job.ts'
import {
  leasePostbacks,
  postbackWorkDelay,
  recordAttempt,
  type LeasedPostback,
  type AttemptResult,
} from './outgoing-postbacks.lease.queries.ts'
import { TemplatePacing } from './outgoing-postbacks.pacing.ts'
import { renderUrl } from './outgoing-postbacks.render.ts'
import { decideAttemptResult, switchedOffReason, type TrackerResponse } from './outgoing-postbacks.outcome.ts'

/** Requests that one process sends at the same time. */
const maxConcurrent = 16
/** Milliseconds that a tracker has to answer. */
const requestTimeout = 10_000

/**
 * Sends the changes of leads to trackers. A postback is sent twice only if the answer is lost, or if the process is
 * killed before it stores the answer. A stopping process waits for the running requests.
 */
export function outgoingPostbacksJob(deps: Deps): Job {
  const pacing = new TemplatePacing()
  return queueJob({
    name: 'outgoing-postbacks',
    interval: 5000,
    workDelay: postbackWorkDelay,
    concurrency: maxConcurrent,
    lease: (limit) => leasePostbacks(deps.pool, limit, pacing.getLoad()),
    handle: (postback) => send(deps, pacing, postback),
  })
}

async function send(
  { outgoing, pool, log }: Deps,
  pacing: TemplatePacing,
  postback: LeasedPostback,
): Promise<void> {
  const template = postback.template_id ?? 0
  pacing.countStart(template)
  try {
    const result = await attempt(outgoing, postback)
    if (result.answer === 429) pacing.pause(template, result.retryIn)
    else if (result.status === 'queued') pacing.countFailure(template)
    else if (result.status === 'sent') pacing.resetFailures(template)
    await recordAttempt(pool, postback.id, result)
  } catch (error) {
    log.warn(
      { err: error, postback: postback.id },
      'The outcome of a postback was not stored; it is sent again',
    )
  } finally {
    pacing.countFinish(template)
  }
}

async function attempt(outgoing: Outgoing, postback: LeasedPostback): Promise<AttemptResult> {
  const { attempts, template } = postback
  const emptyResult = { url: null, attempts, answer: null, retryIn: 0 }
  if (template === null) return { ...emptyResult, status: 'refused', lastError: 'The template was deleted.' }
  if (postback.is_active !== true) return { ...emptyResult, status: 'refused', lastError: switchedOffReason }
  const url = renderUrl(template, postback)
  if (url.length > maxPostbackUrl) {
    const lastError = `The address with the values of the lead has more than ${maxPostbackUrl} characters.`
    return { ...emptyResult, status: 'refused', lastError }
  }
  if (url === postback.sent_url) return { ...emptyResult, url, status: 'same', lastError: null }
  return { url, ...decideAttemptResult(await request(outgoing, url), attempts) }
}

async function request(outgoing: Outgoing, url: string): Promise<TrackerResponse> {
  try {
    const { status, headers } = await outgoing.request({
      method: 'GET',
      url,
      timeout: requestTimeout,
      isStatusOnly: true,
    })
    return { answer: status, retryAfter: parseRetryAfter(headers) }
  } catch (error) {
    if (error instanceof OutgoingError) return { error }
    throw error
  }
}
