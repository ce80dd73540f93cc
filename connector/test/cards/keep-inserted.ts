/** A card in the first reader of the card service, from the moment the service has seen it until it has seen it go. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { waitFor } from '../../../test/bed/wait-for.ts'

/** Resolves once the card service lists the card; removes it when the test has finished. */
export async function keepInserted(card: { remove(): Promise<void> }): Promise<void> {
  onTestFinished(async () => {
    await card.remove()
    // Else the service takes the next card for this one, and does not power it.
    await waitFor(async () => !(await hasCard()))
  })
  await waitFor(hasCard)
}

/** By its own listing: `opensc-tool --wait` misses a card that comes while it begins to wait. */
async function hasCard(): Promise<boolean> {
  const { stdout } = await promisify(execFile)('opensc-tool', ['--list-readers'])
  return /^0 +Yes/m.test(stdout)
}
