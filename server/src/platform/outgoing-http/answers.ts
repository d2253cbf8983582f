import type { Reason } from '@karvon/contract/lib/problem.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { parseText, type AnswerFormat, type ParsedAnswer } from './answers.parse.ts'

/** A shorter answer is parsed in this thread, because the start of a worker takes longer. */
const maxInlineCharacters = 32_768
/** Milliseconds. */
const parseTimeout = 10_000
const threadMemory = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

/** An answer of an outside system that cannot be parsed. */
export class AnswerError extends Error {
  readonly reason: Reason

  constructor(
    problem: Extract<ParsedAnswer, { problem: string }>['problem'] | 'too_slow',
    format: AnswerFormat,
  ) {
    const reason =
      problem === 'malformed'
        ? describeSync('answer_malformed', { format: format.toUpperCase() })
        : describeSync(`answer_${problem}`)
    super(reason.message)
    this.name = 'AnswerError'
    this.reason = reason
  }
}

let lastParse: Promise<unknown> = Promise.resolve()

/**
 * Parses an answer of an outside system, with limits of depth, parts, time and memory. Large answers are parsed in a
 * worker thread, one at a time. Throws {@link AnswerError}.
 */
export async function parseAnswer(format: AnswerFormat, text: string): Promise<unknown> {
  if (text.length <= maxInlineCharacters) return getValueOrThrow(parseText(format, text), format)
  const parse = lastParse.then(() => parseInThread(format, text))
  lastParse = parse.catch(() => {})
  return getValueOrThrow(await parse, format)
}

async function parseInThread(format: AnswerFormat, text: string): Promise<ParsedAnswer> {
  const worker = new Worker(new URL('./answers.worker.ts', import.meta.url), {
    workerData: { format, text },
    resourceLimits: threadMemory,
  })
  const resolvers = Promise.withResolvers<ParsedAnswer>()
  const fail = () => resolvers.reject(new AnswerError('too_slow', format))
  const timer = setTimeout(fail, parseTimeout)
  worker.on('message', resolvers.resolve).on('error', fail).on('exit', fail)
  try {
    return await resolvers.promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

function getValueOrThrow(parsedAnswer: ParsedAnswer, format: AnswerFormat): unknown {
  if ('problem' in parsedAnswer) throw new AnswerError(parsedAnswer.problem, format)
  return parsedAnswer.value
}

/** Parts, and milliseconds, after which other work runs. */
const turn = { parts: 1000, time: 10 }

/** Converts the parts of an answer. Other work runs in between, because an answer has up to 250,000 parts. */
export async function mapInTurns<Part, Result>(
  parts: readonly Part[],
  convert: (part: Part) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let turnStart = performance.now()
  for (const part of parts) {
    results.push(convert(part))
    if (results.length % turn.parts !== 0 && performance.now() - turnStart < turn.time) continue
    await setImmediate()
    turnStart = performance.now()
  }
  return results
}
