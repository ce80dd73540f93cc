/** Shortens texts of others, such as paths and names of readers and certificates, so that what stands below them stays in the window. */
import { toPrintableLine } from '@cardwire/protocol/printable'

/** Bytes in UTF-8 that are shown: three lines of a window, and the longest name of a reader in PC/SC. */
const maxBytes = 128

/** One line: the beginning and the end, which tell what it is. What has many marks, or is shown as an escape, counts as what it is then. */
export function shortenMiddle(text: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) =>
    toPrintableLine(segment),
  )
  const whole = characters.join('')
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  const end = takeHalf(characters.toReversed()).toReversed()
  return `${takeHalf(characters).join('')}…${end.join('')}`
}

function takeHalf(characters: readonly string[]): readonly string[] {
  let left = maxBytes / 2
  const first = characters.findIndex((character) => {
    left -= Buffer.byteLength(character)
    return left < 0
  })
  return characters.slice(0, first)
}
