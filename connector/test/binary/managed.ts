/** Starts the compiled connector with its real service, on any runtime, for the suites of both. */

import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type Connector, createHome, startConnector } from '../../../test/bed/connector.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import type { Runtime } from '../../../test/bed/service-runtimes.ts'

/** The version of the binary. */
export const version = '4.0.0'

type Settings = Readonly<Record<string, string>>

/** What is there while a test runs. */
export interface Managed {
  readonly service: DistributionService
  readonly installationKey: string
  /** Another one for each test. */
  readonly home: string
  /** What is done when the test has ended, the last first. */
  readonly closing: (() => unknown)[]
  /** By which a connector finds its service, and may register. */
  settings(): Settings
  start(settings?: Settings): Promise<Connector>
  /** Starts one, and has it synchronize. */
  startSynchronized(settings?: Settings): Promise<Connector>
  /** Runs a command of the binary to its end. */
  cardwire(
    args: readonly string[],
    settings?: Settings,
  ): { readonly status: number | null; readonly stdout: string }
  /** Ends the service; it is back when the test has ended, if not before. */
  pause(): Promise<void>
}

/** One service for all tests of a file, with the version of the binary; a home for each test. */
export function withService(runtime: Runtime): Managed {
  let service: DistributionService
  let installationKey: string
  let home: string
  const closing: (() => unknown)[] = []

  beforeAll(async () => {
    service = await startDistributionService(runtime)
    installationKey = (await service.registerVersion(version)).installationApiKey
  })
  beforeEach(async () => {
    home = await createHome()
  })
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  })
  afterAll(() => service?.stop())

  const settings = () => ({
    CARDWIRE_DS_URL: service.url,
    CARDWIRE_INSTALLATION_KEY: installationKey,
  })
  const cardwire: Managed['cardwire'] = (args, more = {}) =>
    spawnSync(connectorProgram, args, {
      env: createEnvironment(home, { CARDWIRE_DS_URL: service.url, ...more }),
      encoding: 'utf8',
    })
  const start: Managed['start'] = async (more = {}) => {
    const connector = await startConnector({ ...settings(), ...more }, home)
    closing.push(connector.stop)
    return connector
  }
  return {
    get service() {
      return service
    },
    get installationKey() {
      return installationKey
    },
    get home() {
      return home
    },
    closing,
    settings,
    start,
    cardwire,
    async startSynchronized(more) {
      const connector = await start(more)
      const { json } = await connector.request('/v3/sync', { method: 'POST' })
      expect(json.data).toMatchObject({ standing: 'good' })
      return connector
    },
    async pause() {
      closing.push(() => service.resume())
      await service.pause()
    },
  }
}
