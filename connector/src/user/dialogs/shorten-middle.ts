/** Shortens long texts of others, such as paths and names of certificates, so that what stands below them stays in the window. */

/** Characters that are shown: three lines of a window. */
const maxLength = 120

/** The beginning and the end, which tell what it is. */
export function shortenMiddle(text: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  if (characters.length <= maxLength) return text
  const half = maxLength / 2
  return `${characters.slice(0, half).join('')}…${characters.slice(1 - half).join('')}`
}
