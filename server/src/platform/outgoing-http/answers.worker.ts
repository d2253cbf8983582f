// Parses one answer of an outside system in a thread of its own, so that a hostile answer costs this thread alone.
import { parentPort, workerData } from 'node:worker_threads'
import { parseText, type AnswerFormat } from './answers.parse.ts'

const { format, text } = workerData as { format: AnswerFormat; text: string }
parentPort?.postMessage(parseText(format, text))
