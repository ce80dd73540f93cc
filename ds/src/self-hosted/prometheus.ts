/** Metrics for Prometheus, on Node. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Metrics } from '../ports.ts'

export function createPrometheusMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'cardwire_ds_requests_total',
    help: 'Requests answered',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'cardwire_ds_request_duration_seconds',
    help: 'Time to the head of the answer',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  return {
    observe({ method, route, status, seconds }) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, seconds)
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}
