/** The connector's tests run on Bun, which its binary is made of: `bun --bun vitest run --config connector/vitest.config.ts`. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { count, retry } from '../.ci/count.ts'
import { leftOut } from '../.ci/left-out.ts'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['connector/{src,test,build}/**/*.test.ts'],
    // The binary is asked from Node, whose TLS verifies our own chain where Bun's does not.
    exclude: ['connector/test/binary/**', '**/node_modules/**', ...leftOut],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    retry,
    chaiConfig: { truncateThreshold: 0 },
    reporters: ['default', count],
  },
})
