/** The service suite on Deno with node:sqlite. */
import { deno } from './harness/deno.ts'
import { serviceSuite } from './suites/service.suite.ts'

serviceSuite(deno)
