import { Worker } from 'node:worker_threads'
import { parseText, type AnswerFormat, type ParsedAnswer } from './answers.parse.ts'

/** Characters of an answer that is parsed at once: a thread of its own would take longer to start. */
const small = 32_768
/** Milliseconds and memory that a larger one may take. */
const patience = 10_000
const memory = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

const problems = {
  malformed: (name: string) => `is not ${name}, or was cut off.`,
  doctype: () => 'has a document type, which is not read.',
  too_deep: () => 'is nested too deeply.',
  too_many: () => 'holds more than is read at once.',
  too_slow: () => 'took too long or too much memory to read.',
} as const

/** An answer of an outside system that is not read; the message follows what the answer is called. */
export class AnswerError extends Error {
  constructor(problem: keyof typeof problems, format: AnswerFormat) {
    super(problems[problem](format.toUpperCase()))
    this.name = 'AnswerError'
  }
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Parses an answer of an outside system, capped in depth, parts, time and memory. A large one is parsed outside of the
 * event loop, one at a time. Throws {@link AnswerError}.
 */
export async function parseAnswer(format: AnswerFormat, text: string): Promise<unknown> {
  if (text.length <= small) return valueOf(parseText(format, text), format)
  const parsed = last.then(() => parseInThread(format, text))
  last = parsed.catch(() => {})
  return valueOf(await parsed, format)
}

async function parseInThread(format: AnswerFormat, text: string): Promise<ParsedAnswer> {
  const worker = new Worker(new URL('./answers.worker.ts', import.meta.url), {
    workerData: { format, text },
    resourceLimits: memory,
  })
  const parsed = Promise.withResolvers<ParsedAnswer>()
  const fail = () => parsed.reject(new AnswerError('too_slow', format))
  const timer = setTimeout(fail, patience)
  worker.on('message', parsed.resolve).on('error', fail).on('exit', fail)
  try {
    return await parsed.promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

function valueOf(parsed: ParsedAnswer, format: AnswerFormat): unknown {
  if ('problem' in parsed) throw new AnswerError(parsed.problem, format)
  return parsed.value
}
