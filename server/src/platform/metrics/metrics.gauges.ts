import { Gauge, type Registry } from 'prom-client'

export interface GaugeDefinition {
  name: string
  help: string
  labelNames: readonly string[]
}

/** Minimum time between two reads, in milliseconds. */
const readInterval = 1000

/** Registers gauges that one read of the database fills. They have no values while the database is unavailable. */
export function registerDatabaseGauges<Key extends string>(
  registry: Registry,
  definitions: Readonly<Record<Key, GaugeDefinition>>,
  read: (gauges: Readonly<Record<Key, Gauge>>) => Promise<void>,
): void {
  let reading = Promise.resolve()
  let readAt = Number.NEGATIVE_INFINITY
  const refresh = (): Promise<void> => {
    if (performance.now() - readAt < readInterval) return reading
    readAt = performance.now()
    reading = read(gauges).catch(() => {
      for (const gauge of Object.values<Gauge>(gauges)) gauge.reset()
    })
    return reading
  }
  const gauges = Object.fromEntries(
    Object.entries<GaugeDefinition>(definitions).map(([key, definition]) => [
      key,
      new Gauge({ ...definition, registers: [registry], collect: refresh }),
    ]),
  ) as Record<Key, Gauge>
}
