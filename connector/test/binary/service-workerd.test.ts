/** The compiled connector and its service on workerd with D1 and R2. */
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { serviceSuite } from './suites/service.suite.ts'

serviceSuite(runtimes.workerd)
