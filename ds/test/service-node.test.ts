/** The service suite on Node with better-sqlite3. */
import { node } from './harness/node.ts'
import { serviceSuite } from './suites/service.suite.ts'

serviceSuite(node)
