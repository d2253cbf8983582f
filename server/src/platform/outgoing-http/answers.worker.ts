// Parses one answer of an outside system. A hostile answer can only harm this worker thread.
import { parentPort, workerData } from 'node:worker_threads'
import { parseText, type AnswerFormat } from './answers.parse.ts'

const { format, text } = workerData as { format: AnswerFormat; text: string }
parentPort?.postMessage(parseText(format, text))
