/** For each alert rule, measurements by which it fires, and others by which it doesn't. */

/** Samples in promtool's notation: a first value, then `+STEPxCOUNT`. */
export type Series = Readonly<Record<string, string>>

export interface AlertCase {
  readonly alert: string
  /** Between two samples: long rules need few. */
  readonly interval: '1m' | '1h'
  /** When to look, since the first sample. */
  readonly at: string
  readonly fires: Series
  readonly holds: Series
  /** How many alerts fire; usually one, however many nodes there are. */
  readonly count?: number
}

const day = 86_400
const year = 365 * day

/** The same gauge on two nodes. */
const onTwoNodes = (name: string, labels: string, values: string): Series => ({
  [`${name}{instance="a"${labels}}`]: values,
  [`${name}{instance="b"${labels}}`]: values,
})

const up = (a: string, b: string): Series => ({
  'up{job="cardwire-ds",instance="a"}': a,
  'up{job="cardwire-ds",instance="b"}': b,
})

/** All requests take so long, as a histogram with one bucket below a limit. */
const createHistogram = (name: string, below: string, isSlow: boolean): Series => ({
  [`${name}_bucket{instance="a",le="${below}"}`]: isSlow ? '0x60' : '0+100x60',
  [`${name}_bucket{instance="a",le="2.5"}`]: '0+100x60',
  [`${name}_bucket{instance="a",le="+Inf"}`]: '0+100x60',
})

const syncs = 'cardwire_ds_synchronization_duration_seconds'
const devices = 'cardwire_ds_devices'
const faults = 'cardwire_ds_device_faults'
const created = 'cardwire_ds_key_created_timestamp_seconds'
const expiry = 'cardwire_ds_keystore_expiry_timestamp_seconds'
const databaseFaults = 'cardwire_ds_database_faults_total'
const rollouts = 'cardwire_ds_rollouts'
const tokens = 'cardwire_ds_tokens_issued_total'
const minutes = { interval: '1m', at: '1h' } as const

export const alertCases: readonly AlertCase[] = [
  { alert: 'CardwireNoNode', ...minutes, fires: up('0x60', '0x60'), holds: up('0x60', '1x60') },
  { alert: 'CardwireDown', ...minutes, fires: up('0x60', '1x60'), holds: up('1x60', '1x60') },
  {
    alert: 'CardwireRequestsFail',
    ...minutes,
    fires: {
      'cardwire_ds_requests_total{instance="a",status="200"}': '0+100x60',
      'cardwire_ds_requests_total{instance="b",status="503"}': '0+2x60',
    },
    holds: {
      'cardwire_ds_requests_total{instance="a",status="200"}': '0+1000x60',
      'cardwire_ds_requests_total{instance="b",status="503"}': '0+2x60',
    },
  },
  {
    alert: 'CardwireRequestsSlow',
    ...minutes,
    fires: createHistogram('cardwire_ds_request_duration_seconds', '1', true),
    holds: createHistogram('cardwire_ds_request_duration_seconds', '1', false),
  },
  {
    alert: 'CardwireSynchronizationsSlow',
    ...minutes,
    fires: createHistogram(syncs, '0.5', true),
    holds: createHistogram(syncs, '0.5', false),
  },
  {
    alert: 'CardwireSynchronizationsRefused',
    interval: '1m',
    at: '3h',
    fires: {
      [`${syncs}_count{instance="a",outcome="accepted"}`]: '0+80x180',
      [`${syncs}_count{instance="b",outcome="refused"}`]: '0+20x180',
    },
    holds: {
      [`${syncs}_count{instance="a",outcome="accepted"}`]: '0+95x180',
      [`${syncs}_count{instance="b",outcome="refused"}`]: '0+5x180',
    },
  },
  {
    alert: 'CardwireRegistrationsRefused',
    ...minutes,
    fires: {
      'cardwire_ds_registrations_refused_total{instance="a",reason="api-key-refused"}': '0+0.2x60',
      'cardwire_ds_registrations_refused_total{instance="b",reason="api-key-refused"}': '0+0.2x60',
    },
    holds: {
      'cardwire_ds_registrations_refused_total{instance="a",reason="api-key-refused"}': '0+0.2x60',
      'cardwire_ds_registrations_refused_total{instance="b",reason="too-many-requests"}':
        '0+0.2x60',
    },
  },
  {
    alert: 'CardwireDevicesSilent',
    interval: '1h',
    at: '2d',
    fires: {
      ...onTwoNodes(devices, ',version="4.0.0",standing="silent"', '30x48'),
      ...onTwoNodes(devices, ',version="4.0.0",standing="active"', '70x48'),
    },
    holds: {
      ...onTwoNodes(devices, ',version="4.0.0",standing="silent"', '10x48'),
      ...onTwoNodes(devices, ',version="4.0.0",standing="active"', '90x48'),
    },
  },
  {
    alert: 'CardwireDevicesFaulty',
    interval: '1m',
    at: '2h',
    fires: {
      ...onTwoNodes(faults, ',version="4.0.0",kind="readers-unavailable"', '12x120'),
      ...onTwoNodes(devices, ',version="4.0.0",standing="active"', '100x120'),
    },
    holds: {
      ...onTwoNodes(faults, ',version="4.0.0",kind="readers-unavailable"', '12x120'),
      ...onTwoNodes(faults, ',version="3.9.0",kind="readers-unavailable"', '9x120'),
      ...onTwoNodes(devices, ',version="4.0.0",standing="active"', '1000x120'),
      ...onTwoNodes(devices, ',version="3.9.0",standing="active"', '10x120'),
    },
  },
  {
    alert: 'CardwireFaultsRise',
    interval: '1h',
    at: '26h',
    fires: {
      // One kind has more than doubled, one is new.
      ...onTwoNodes(faults, ',version="4.0.0",kind="readers-unavailable"', '20x20 60x10'),
      ...onTwoNodes(faults, ',version="4.1.0",kind="policy-expired"', '_x20 15x10'),
      ...onTwoNodes('cardwire_ds_inventory_timestamp_seconds', '', '0+3600x30'),
    },
    holds: {
      ...onTwoNodes(faults, ',version="4.0.0",kind="readers-unavailable"', '20x20 45x10'),
      ...onTwoNodes(faults, ',version="4.1.0",kind="policy-expired"', '_x20 9x10'),
      ...onTwoNodes('cardwire_ds_inventory_timestamp_seconds', '', '0+3600x30'),
    },
    count: 2,
  },
  {
    alert: 'CardwireDevicesPending',
    interval: '1h',
    at: '2d',
    fires: onTwoNodes(devices, ',version="4.0.0",standing="waiting"', '1x48'),
    holds: onTwoNodes(devices, ',version="4.0.0",standing="waiting"', '1x20 0x28'),
  },
  {
    alert: 'CardwireNoTokens',
    interval: '1m',
    at: '25h',
    fires: { [`${tokens}{instance="a",kind="application"}`]: '0+1x120 120x1400' },
    holds: { [`${tokens}{instance="a",kind="application"}`]: '0+1x1520' },
  },
  {
    alert: 'CardwireApiKeyOld',
    ...minutes,
    fires: onTwoNodes(created, ',kind="label",id="shop"', `-${year}x60`),
    holds: onTwoNodes(created, ',kind="label",id="shop"', `-${year - day}x60`),
  },
  {
    alert: 'CardwireSigningKeyOld',
    ...minutes,
    fires: onTwoNodes(created, ',kind="signing",id="reply"', `-${year}x60`),
    holds: onTwoNodes(created, ',kind="signing",id="reply"', `-${year - day}x60`),
  },
  {
    alert: 'CardwireKeystoreExpires',
    ...minutes,
    fires: onTwoNodes(expiry, ',version="4.0.0"', `${30 * day}x60`),
    holds: onTwoNodes(expiry, ',version="4.0.0"', `${31 * day}x60`),
  },
  {
    alert: 'CardwireRolloutHalted',
    ...minutes,
    fires: { 'cardwire_ds_rollout_halts_total{instance="a"}': '0x40 1x20' },
    holds: { 'cardwire_ds_rollout_halts_total{instance="a"}': '1x60' },
  },
  {
    alert: 'CardwireRolloutsHalted',
    interval: '1h',
    at: '8d',
    fires: onTwoNodes(rollouts, ',state="halted"', '1x192'),
    holds: onTwoNodes(rollouts, ',state="paused"', '1x192'),
  },
  {
    alert: 'CardwireRolloutsPaused',
    interval: '1h',
    at: '8d',
    fires: onTwoNodes(rollouts, ',state="paused"', '1x192'),
    holds: onTwoNodes(rollouts, ',state="paused"', '1x100 0x10 1x82'),
  },
  {
    alert: 'CardwireRolloutFails',
    ...minutes,
    fires: onTwoNodes('cardwire_ds_rollout_test_ratio', ',version="4.1.0"', '5x60'),
    holds: onTwoNodes('cardwire_ds_rollout_test_ratio', ',version="4.1.0"', '4x60'),
  },
  {
    alert: 'CardwireRolloutStays',
    interval: '1h',
    at: '15d',
    fires: onTwoNodes('cardwire_ds_rollout_share', ',version="4.1.0"', '0.1x360'),
    holds: onTwoNodes('cardwire_ds_rollout_share', ',version="4.1.0"', '0.1x300 0.2x60'),
  },
  {
    alert: 'CardwireWaitsDrop',
    ...minutes,
    fires: { 'cardwire_ds_waits{instance="a"}': '200x50 50x10' },
    holds: { 'cardwire_ds_waits{instance="a"}': '200x50 150x10' },
  },
  {
    alert: 'CardwireWaitsFull',
    ...minutes,
    fires: { 'cardwire_ds_waits_answered_total{instance="a",reason="full"}': '0x50 1x10' },
    holds: { 'cardwire_ds_waits_answered_total{instance="a",reason="news"}': '0x50 1x10' },
  },
  {
    alert: 'CardwireDatabaseFails',
    ...minutes,
    fires: { [`${databaseFaults}{instance="a",reason="unreachable"}`]: '0x30 0+1x30' },
    holds: { [`${databaseFaults}{instance="a",reason="busy"}`]: '0x30 4x30' },
  },
  {
    alert: 'CardwireDatabaseFull',
    ...minutes,
    fires: { [`${databaseFaults}{instance="a",reason="full"}`]: '0x55 1x5' },
    holds: { [`${databaseFaults}{instance="a",reason="busy"}`]: '0x55 1x5' },
  },
  {
    alert: 'CardwireDatabaseSlow',
    ...minutes,
    fires: createHistogram('cardwire_ds_database_duration_seconds', '0.1', true),
    holds: createHistogram('cardwire_ds_database_duration_seconds', '0.1', false),
  },
  {
    alert: 'CardwireWebhooksFail',
    interval: '1m',
    at: '2h',
    fires: {
      'cardwire_ds_webhook_deliveries_total{instance="a",outcome="delivered"}': '0+1x120',
      'cardwire_ds_webhook_deliveries_total{instance="b",outcome="failed"}': '0+2x120',
    },
    holds: {
      'cardwire_ds_webhook_deliveries_total{instance="a",outcome="delivered"}': '0+2x120',
      'cardwire_ds_webhook_deliveries_total{instance="b",outcome="failed"}': '0+1x120',
    },
  },
  {
    alert: 'CardwireInventoryOld',
    interval: '1m',
    at: '2h',
    fires: { 'cardwire_ds_inventory_timestamp_seconds{instance="a"}': '60x120' },
    holds: { 'cardwire_ds_inventory_timestamp_seconds{instance="a"}': '0+60x120' },
  },
  {
    alert: 'CardwireRestarts',
    ...minutes,
    fires: {
      'process_start_time_seconds{job="cardwire-ds",instance="a"}': '1x10 2x10 3x10 4x10 5x20',
    },
    holds: { 'process_start_time_seconds{job="cardwire-ds",instance="a"}': '1x30 2x30' },
  },
]
