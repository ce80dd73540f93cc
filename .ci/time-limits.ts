/** How long a test, a hook and a condition may take, in milliseconds: a machine that does much else is slow, and not wrong. */
export const timeLimits = {
  // A Worker is bundled and started, a Deno binary warms up.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Less than a test, so that its failure says what did not hold.
  expect: { poll: { timeout: 50_000 } },
}
