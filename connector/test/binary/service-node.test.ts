/** The compiled connector and its service on Node with SQLite. */
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { serviceSuite } from './suites/service.suite.ts'

serviceSuite(runtimes.Node)
