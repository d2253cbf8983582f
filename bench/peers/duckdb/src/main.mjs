// Answers statements over one database file: a line of JSON in (the SQL), a line of JSON out ({ms, rows} or {error}).
import { createInterface } from 'node:readline'
import { DuckDBInstance } from '@duckdb/node-api'

const instance = await DuckDBInstance.create(process.argv[2])
const connection = await instance.connect()

for await (const line of createInterface({ input: process.stdin })) {
  try {
    const start = performance.now()
    const reader = await connection.runAndReadAll(JSON.parse(line))
    const rows = reader.getRowObjectsJson()
    console.log(JSON.stringify({ ms: performance.now() - start, rows }))
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }))
  }
}
