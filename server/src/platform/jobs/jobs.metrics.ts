import { Gauge, Histogram, type Registry } from 'prom-client'

export interface JobMetrics {
  /** Measures a run. `wasStopped`: whether the stop of the process aborted the run. Such a run is not counted. */
  measure<Result>(name: string, run: () => Promise<Result>, wasStopped: () => boolean): Promise<Result>
}

export function createJobMetrics(registry: Registry): JobMetrics {
  const durations = new Histogram({
    name: 'karvon_job_run_duration_seconds',
    help: 'Runs of jobs in this process, by how they ended',
    labelNames: ['name', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers: [registry],
  })
  const lastSuccess = new Gauge({
    name: 'karvon_job_last_success_timestamp_seconds',
    help: 'When the last run without a failure ended in this process, in seconds since 1970',
    labelNames: ['name'],
    registers: [registry],
  })
  return {
    async measure(name, run, wasStopped) {
      const startedAt = performance.now()
      const observe = (outcome: 'done' | 'failed') =>
        durations.observe({ name, outcome }, (performance.now() - startedAt) / 1000)
      try {
        const result = await run()
        observe('done')
        lastSuccess.set({ name }, Date.now() / 1000)
        return result
      } catch (error) {
        if (!wasStopped()) observe('failed')
        throw error
      }
    },
  }
}
