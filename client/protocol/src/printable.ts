/** Makes text that came from elsewhere safe to show: a terminal obeys the control characters in what is printed. */

/**
 * Control characters (ECMA-48 begins its commands with them); those that reorder or break lines: with U+202E a text reads
 * backwards (Unicode TR 36 §2.7); those that nobody sees, so that two names look alike; and halves of surrogate pairs.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu
const unprintableInLine = /[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu

/** One escape for each unit of UTF-16. */
const toEscape = (character: string) =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

/** One line: such characters are shown as JSON writes them, `\u001b`. */
export const toPrintableLine = (text: string): string => text.replaceAll(unprintable, toEscape)

/** One line for each element: a line end in one of them, such as the name of a reader, makes no other line. */
export const toPrintableLines = (lines: readonly string[]): string =>
  lines.map(toPrintableLine).join('\n')

/** The same for text that has lines; those of others are made by `toPrintableLines`. */
export const toPrintableText = (text: string): string =>
  text.replaceAll(unprintableInLine, toEscape)
