// Parses one answer of an outside system in a worker thread, so that a malicious answer harms only this thread.
import { parentPort, workerData } from 'node:worker_threads'
import { parseText, type AnswerFormat } from './answers.parse.ts'

const { format, text } = workerData as { format: AnswerFormat; text: string }
parentPort?.postMessage(parseText(format, text))
