import { OutgoingError } from '../../platform/outgoing-http/outgoing.error.ts'
import type { Outgoing } from '../../platform/outgoing-http/outgoing.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { queueJob } from '../../platform/queue/queue.job.ts'
import {
  leasePostbacks,
  recordPostback,
  type LeasedPostback,
  type PostbackOutcome,
} from './outgoing-postbacks.lease.queries.ts'
import { TemplatePacing } from './outgoing-postbacks.pacing.ts'
import { renderUrl } from './outgoing-postbacks.render.ts'
import { outcomeOf, retryAfterOf, type TrackerAnswer } from './outgoing-postbacks.outcome.ts'

/** Postbacks that one process sends at once. */
const concurrency = 16
/** Milliseconds that a tracker has for its answer. */
const answerWithin = 10_000

/**
 * Sends the changes of leads to trackers. A postback is sent twice only if the process is killed between the tracker's
 * answer and the note of it, or if the answer is lost. What is being sent when the process stops is waited for.
 */
export function outgoingPostbacksJob(deps: Deps): Job {
  const pacing = new TemplatePacing()
  return queueJob({
    name: 'outgoing-postbacks',
    every: 5000,
    concurrency,
    lease: (limit) => leasePostbacks(deps.pool, limit, pacing.heldTemplates()),
    handle: (postback) => send(deps, pacing, postback),
  })
}

async function send(
  { outgoing, pool, log }: Deps,
  pacing: TemplatePacing,
  postback: LeasedPostback,
): Promise<void> {
  const template = postback.template_id ?? 0
  pacing.start(template)
  try {
    const outcome = await attempt(outgoing, postback)
    if (outcome.answer === 429) pacing.wait(template, outcome.retryIn)
    else if (outcome.status === 'queued') pacing.countFailure(template)
    else if (outcome.status === 'sent') pacing.forgetFailures(template)
    await recordPostback(pool, postback.id, outcome)
  } catch (error) {
    log.warn(
      { err: error, postback: postback.id },
      'The outcome of a postback was not stored; it is sent again',
    )
  } finally {
    pacing.finish(template)
  }
}

async function attempt(outgoing: Outgoing, postback: LeasedPostback): Promise<PostbackOutcome> {
  const { attempts, template } = postback
  const notSent = { url: null, attempts, answer: null, retryIn: 0 }
  if (template === null) return { ...notSent, status: 'refused', lastError: 'The template was deleted.' }
  if (postback.is_active !== true)
    return { ...notSent, status: 'refused', lastError: 'The template was switched off.' }
  const url = renderUrl(template, postback)
  if (url === postback.sent_url) return { ...notSent, url, status: 'same', lastError: null }
  return { url, ...outcomeOf(await request(outgoing, url), attempts) }
}

async function request(outgoing: Outgoing, url: string): Promise<TrackerAnswer> {
  try {
    const { status, headers } = await outgoing.request({
      method: 'GET',
      url,
      timeout: answerWithin,
      statusOnly: true,
    })
    return { answer: status, retryAfter: retryAfterOf(headers) }
  } catch (error) {
    if (error instanceof OutgoingError) return { error }
    throw error
  }
}
