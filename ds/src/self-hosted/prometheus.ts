/** Metrics for Prometheus, on Node. */
import { applicationToken, issueToken, syncDevice } from '@cardwire/protocol'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Inventory, type Metrics, storageFaultKinds, waitEnds } from '../ports.ts'

/** Seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** The operations whose success is a new token. */
const tokenKinds: Readonly<Record<string, string>> = {
  [applicationToken.path]: 'application',
  [issueToken.path]: 'administrator',
}

export function createPrometheusMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'cardwire_ds_requests_total',
    help: 'Requests that got a response',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'cardwire_ds_request_duration_seconds',
    help: 'Time to the head of the response',
    labelNames: ['method', 'route'],
    buckets,
    registers,
  })
  const synchronizations = new Histogram({
    name: 'cardwire_ds_synchronization_duration_seconds',
    help: 'Time to respond to a sync: accepted, refused (4xx) or failed (5xx)',
    labelNames: ['outcome'],
    buckets,
    registers,
  })
  const tokens = new Counter({
    name: 'cardwire_ds_tokens_issued_total',
    help: 'Tokens issued, by kind: application or administrator',
    labelNames: ['kind'],
    registers,
  })
  const refusals = new Counter({
    name: 'cardwire_ds_registrations_refused_total',
    help: 'Registrations of devices that were refused, by the code of the problem',
    labelNames: ['reason'],
    registers,
  })
  const halts = new Counter({
    name: 'cardwire_ds_rollout_halts_total',
    help: 'Rollouts that this node has halted, because the version fails on too many devices',
    registers,
  })
  const waits = new Gauge({
    name: 'cardwire_ds_waits',
    help: 'Devices that wait for news at this node',
    registers,
  })
  const answeredWaits = new Counter({
    name: 'cardwire_ds_waits_answered_total',
    help: 'Waits that ended, by reason: news, time, replaced by another of the device, gone, stopping, full (no place), or not-offered',
    labelNames: ['reason'],
    registers,
  })
  const statements = new Histogram({
    name: 'cardwire_ds_database_duration_seconds',
    help: 'Time of a statement of the database, or of several that are stored together',
    buckets,
    registers,
  })
  const storageFaults = new Counter({
    name: 'cardwire_ds_database_faults_total',
    help: 'Statements that failed because of the database: full, read-only, damaged, busy, or unreachable',
    labelNames: ['reason'],
    registers,
  })
  // Without a first value of 0, an alert would not see the first one.
  for (const reason of waitEnds) answeredWaits.inc({ reason }, 0)
  for (const reason of storageFaultKinds) storageFaults.inc({ reason }, 0)
  const webhooks = new Counter({
    name: 'cardwire_ds_webhook_deliveries_total',
    help: 'Requests to webhooks, by outcome: delivered or failed',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of ['delivered', 'failed']) webhooks.inc({ outcome }, 0)
  const setInventory = createInventoryGauges(registry)
  return {
    observe({ method, route, status, seconds }) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, seconds)
      if (route === syncDevice.path)
        synchronizations.observe({ outcome: toOutcome(status) }, seconds)
      const kind = tokenKinds[route]
      if (kind !== undefined && status === 200) tokens.inc({ kind })
    },
    countRefusal: (reason) => refusals.inc({ reason }),
    countHalt: () => halts.inc(),
    countWait: (reason) => answeredWaits.inc({ reason }),
    observeDatabase: (seconds) => statements.observe(seconds),
    countStorageFault: (reason) => storageFaults.inc({ reason }),
    countWebhookDelivery: (outcome) => webhooks.inc({ outcome }),
    showWaits: (devices) => waits.set(devices),
    async render(inventory) {
      setInventory(inventory)
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

/** What is counted in the database: adding up the nodes would count it several times. */
const sameOnEachNode = 'Every node shows the same: use max, not sum'

const toOutcome = (status: number) =>
  status < 400 ? 'accepted' : status < 500 ? 'refused' : 'failed'

/** Returns a function that shows an inventory in place of the one before; undefined: none. */
function createInventoryGauges(registry: Registry): (inventory: Inventory | undefined) => void {
  const registers = [registry]
  const devices = new Gauge({
    name: 'cardwire_ds_devices',
    help: `Devices by version (those with the most devices, and other) and standing: blocked, unserved (version not registered), waiting for approval, silent, or active. ${sameOnEachNode}`,
    labelNames: ['version', 'standing'],
    registers,
  })
  const faults = new Gauge({
    name: 'cardwire_ds_device_faults',
    help: `Devices that are approved, neither blocked nor silent, and whose last sync reported a fault, by its kind (those of the most devices, and other) and by version. A device with two kinds counts twice. ${sameOnEachNode}`,
    labelNames: ['kind', 'version'],
    registers,
  })
  const keys = new Gauge({
    name: 'cardwire_ds_keys',
    help: `Valid keys of labels, keys of installations, and keys that sign. ${sameOnEachNode}`,
    labelNames: ['kind'],
    registers,
  })
  const created = new Gauge({
    name: 'cardwire_ds_key_created_timestamp_seconds',
    help: `When a key was created: the oldest of each kind, by label, version or use. ${sameOnEachNode}`,
    labelNames: ['kind', 'id'],
    registers,
  })
  const keystores = new Gauge({
    name: 'cardwire_ds_keystore_expiry_timestamp_seconds',
    help: `When the certificate of a keystore expires: those that expire first, by version. ${sameOnEachNode}`,
    labelNames: ['version'],
    registers,
  })
  const rollouts = new Gauge({
    name: 'cardwire_ds_rollouts',
    help: `Rollouts that are running, paused or halted. ${sameOnEachNode}`,
    labelNames: ['state'],
    registers,
  })
  const shares = new Gauge({
    name: 'cardwire_ds_rollout_share',
    help: `The share of the devices that a running or paused rollout reaches, from 0 to 1, by its version. ${sameOnEachNode}`,
    labelNames: ['version'],
    registers,
  })
  const ratios = new Gauge({
    name: 'cardwire_ds_rollout_test_ratio',
    help: `The ratio of the test of a running or paused rollout, by its version. ${sameOnEachNode}`,
    labelNames: ['version'],
    registers,
  })
  const counted = new Gauge({
    name: 'cardwire_ds_inventory_timestamp_seconds',
    help: 'When this node counted devices, faults, keys and rollouts last',
    registers,
  })
  return (inventory) => {
    const gauges = [devices, faults, keys, created, keystores, rollouts, shares, ratios, counted]
    for (const gauge of gauges) gauge.reset()
    if (inventory === undefined) return counted.set(0)
    for (const { version, standing, count } of inventory.devices) {
      devices.set({ version, standing }, count)
    }
    for (const { kind, version, count } of inventory.faults) faults.set({ kind, version }, count)
    for (const [kind, { count, oldest }] of Object.entries(inventory.keys)) {
      keys.set({ kind }, count)
      for (const { id, createdAt } of oldest) created.set({ kind, id }, createdAt / 1000)
    }
    for (const { version, expiresAt } of inventory.keystores) {
      keystores.set({ version }, expiresAt / 1000)
    }
    for (const [state, count] of Object.entries(inventory.rollouts.counts))
      rollouts.set({ state }, count)
    for (const { version, share, ratio } of inventory.rollouts.open) {
      shares.set({ version }, share)
      if (ratio !== undefined) ratios.set({ version }, ratio)
    }
    counted.set(inventory.countedAt / 1000)
  }
}
