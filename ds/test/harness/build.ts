/** Bundles the service once for all tests: what they start is what `npm start` starts. */
import { execFileSync } from 'node:child_process'
import { root } from './service.ts'

export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build', '-w', 'ds'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
