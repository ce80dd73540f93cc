/** The suites of the compiled connector and its service, for each runtime of the service those that depend on it. */
import { type ConnectorSuiteName, connectorRunsOn, type Leg } from '../../../../test/bed/legs.ts'
import type { Runtime } from '../../../../test/bed/service-runtimes.ts'
import { type Managed, withService } from '../managed.ts'
import { countersSuite } from './counters.suite.ts'
import { keystoreSuite } from './keystore.suite.ts'
import { policySuite } from './policy.suite.ts'
import { registrationSuite } from './registration.suite.ts'
import { syncSuite } from './sync.suite.ts'
import { updateSuite } from './update.suite.ts'

const suites: readonly (readonly [ConnectorSuiteName, (managed: Managed) => void])[] = [
  ['registration', registrationSuite],
  ['sync', syncSuite],
  ['policy', policySuite],
  ['keystore', keystoreSuite],
  ['update', updateSuite],
  ['counters', countersSuite],
]

export function serviceSuite(leg: Leg, runtime: Runtime): void {
  const managed = withService(runtime)
  for (const [name, declare] of suites) if (connectorRunsOn(leg, name)) declare(managed)
}
