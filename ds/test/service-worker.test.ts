/** The service suite on workerd with D1 and R2. */
import { runtimes } from '../../test/bed/service-runtimes.ts'
import { serviceSuite } from './suites/service.suite.ts'

serviceSuite('workerd with D1', runtimes.workerd, { refusesEarly: false, holds: false })
