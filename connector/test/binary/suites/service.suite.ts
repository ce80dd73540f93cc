/** The suites of the compiled connector and its service, for each runtime of the service. */
import type { Runtime } from '../../../../test/bed/service-runtimes.ts'
import { withService } from '../managed.ts'
import { countersSuite } from './counters.suite.ts'
import { keystoreSuite } from './keystore.suite.ts'
import { policySuite } from './policy.suite.ts'
import { registrationSuite } from './registration.suite.ts'
import { syncSuite } from './sync.suite.ts'
import { updateSuite } from './update.suite.ts'

export function serviceSuite(runtime: Runtime): void {
  const managed = withService(runtime)
  registrationSuite(managed)
  syncSuite(managed)
  policySuite(managed)
  keystoreSuite(managed)
  updateSuite(managed)
  countersSuite(managed)
}
