import { Type, type Static, type TBoolean } from 'typebox'
import { call } from '../lib/call.ts'
import { featureNames, features, type Feature } from '../lib/features.ts'

const announcedFeatures = Object.fromEntries(
  featureNames.map((name) => [name, Type.Boolean({ description: features[name] })]),
) as Record<Feature, TBoolean>

/** The settings and features of this installation. A host without this call has the default settings and no feature. */
export const AppSettings = Type.Object({
  registration: Type.Union([Type.Literal('simulated'), Type.Literal('live')]),
  password_reset: Type.Union([Type.Literal('simulated'), Type.Literal('live')]),
  bulk_users: Type.Union([Type.Literal('log'), Type.Literal('live')]),
  time_zone: Type.String({
    description: 'The IANA name of the time zone in which the days of requests and answers begin',
  }),
  currency: Type.String(),
  upload_max_bytes: Type.Integer(),
  ...announcedFeatures,
})
export type AppSettings = Static<typeof AppSettings>

export const appSettings = call({
  id: 'app.settings',
  summary: 'Read the settings and features of the installation',
  method: 'GET',
  path: '/api/app/settings',
  guard: 'public',
  answer: AppSettings,
})

export const healthz = call({
  id: 'app.healthz',
  summary: 'Check that the process runs',
  method: 'GET',
  path: '/healthz',
  guard: 'public',
  answer: Type.Object({ status: Type.String() }),
})
export const readyz = call({
  id: 'app.readyz',
  summary:
    'Check that the process can serve requests: 200 when the database answers, its migrations are applied and the data folder belongs to it; otherwise, and during a shutdown, 503',
  method: 'GET',
  path: '/readyz',
  guard: 'public',
  answer: Type.Object({
    status: Type.String(),
    clock_seconds_ahead: Type.Integer({
      description:
        'Seconds by which the clock of the process is ahead of the database’s; more than 30 is logged',
    }),
  }),
})
export const metrics = call({
  id: 'app.metrics',
  summary: 'Read the metrics as Prometheus text',
  method: 'GET',
  path: '/metrics',
  guard: 'public',
  mediaType: 'text/plain',
})

export const appCalls = [appSettings, healthz, readyz, metrics]
