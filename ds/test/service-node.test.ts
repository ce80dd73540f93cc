/** The service suite on Node with better-sqlite3. */
import { runtimes } from '../../test/bed/service-runtimes.ts'
import { serviceSuite } from './suites/service.suite.ts'

serviceSuite('Node with SQLite', runtimes.Node)
