/** Makes text that came from elsewhere safe to show: a terminal obeys the control characters in what is printed. */

/**
 * Control characters (ECMA-48 begins its commands with them), and those that reorder or break lines: with U+202E a text
 * reads backwards (Unicode TR 36 §2.7).
 */
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
const unprintableInLine = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/gu

const toEscape = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** One line: such characters are shown as JSON writes them, `\u001b`. */
export const toPrintableLine = (text: string): string => text.replaceAll(unprintable, toEscape)

/** The same, and lines stay lines. */
export const toPrintableText = (text: string): string =>
  text.replaceAll(unprintableInLine, toEscape)
