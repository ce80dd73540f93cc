/** The service suite on workerd with D1 and R2. */
import { worker } from './harness/worker.ts'
import { serviceSuite } from './suites/service.suite.ts'

serviceSuite(worker)
