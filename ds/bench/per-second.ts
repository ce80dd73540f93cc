/** How often something can be done in a second, one after the other. */

/** Warms up for a fifth of the time, then counts. */
export async function measurePerSecond(seconds: number, act: () => unknown): Promise<number> {
  await countFor(seconds * 200, act)
  const start = performance.now()
  const count = await countFor(seconds * 1000, act)
  return count / ((performance.now() - start) / 1000)
}

async function countFor(ms: number, act: () => unknown): Promise<number> {
  let count = 0
  for (const end = performance.now() + ms; performance.now() < end; count += 1) await act()
  return count
}
