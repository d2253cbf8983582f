import type { EnvironmentReader } from './config.reader.ts'

const samplers = [
  'parentbased_always_on',
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** How OpenTelemetry selects traces. The exporter itself reads the other standard variables. */
export interface TracingSettings {
  sampler: (typeof samplers)[number]
  /** From 0 to 1. */
  ratio: number
  /** Headers of a request to the collector as `key=value` pairs, separated by commas. A secret. */
  headers: string
}

/** The headers of all exporters, and those of traces, which take precedence. They often hold a key of the collector. */
export const headerSettings = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'] as const

/** Reads the standard variables of OpenTelemetry; undefined: no traces are sent. */
export function readTracingSettings(reader: EnvironmentReader): TracingSettings | undefined {
  const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].filter(
    (name) => reader.readHttpUrl(name) !== undefined,
  )
  if (endpoints.length === 0 || reader.readChoice('OTEL_SDK_DISABLED', ['false', 'true']) === 'true')
    return undefined
  if (reader.readChoice('OTEL_TRACES_EXPORTER', ['otlp', 'none']) === 'none') return undefined
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'])
    reader.readChoice(name, ['http/json'])
  const sampler = reader.readChoice('OTEL_TRACES_SAMPLER', samplers)
  const ratio = reader.readMatching('OTEL_TRACES_SAMPLER_ARG', {
    pattern: /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/,
    description: 'a share from 0 to 1, such as 0.1',
  })
  const headers = headerSettings.flatMap((name) => reader.readSecret(name, 4000) ?? []).join(',')
  return { sampler, ratio: Number(ratio ?? 1), headers }
}
