/** Bundles the service once for all tests, unless `npm test` has: they start the same bundle as `npm start`. */
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { root } from '../../../test/bed/repository.ts'

export function setup(): void {
  if (process.env['TEST_SERVICE_BUILT']) return
  execFileSync('npm', ['run', '--silent', 'build', '-w', 'ds'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
