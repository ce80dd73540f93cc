/** The service suite on Deno with node:sqlite. */
import { runtimes } from '../../test/bed/service-runtimes.ts'
import { serviceSuite } from './suites/service.suite.ts'

serviceSuite('Deno with SQLite', runtimes.Deno)
