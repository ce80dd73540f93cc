/**
 * How long a test, a hook and a condition may take, in milliseconds. They only end what hangs: a machine that is slow, or does much else, is not
 * wrong.
 */
export const timeLimits = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // Less than a test, so that its failure says what did not hold.
  expect: { poll: { timeout: 50_000 } },
}
