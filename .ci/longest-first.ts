/** The order of test files: the longest first, or they would run when everything else has ended. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Ends of paths. These files are short, so Vitest would run them last: their tests are in suites, or wait for windows. */
export const longestFiles = [
  'connector/test/binary/service-node.test.ts',
  'connector/test/binary/cards/deployed-clients.test.ts',
  'connector/test/binary/deployed-clients.test.ts',
  'ds/test/service-worker.test.ts',
  'ds/test/service-postgres.test.ts',
  'ds/test/service-postgres-worker.test.ts',
  'ds/test/service-deno.test.ts',
  'ds/test/service-node.test.ts',
  'client/test/journeys/service.test.ts',
  'connector/test/binary/cards/token-libraries.test.ts',
  'connector/test/binary/cards/deployed-payment.test.ts',
] as const

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) =>
      longestFiles.some((path) => moduleId.endsWith(`/${path}`))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
