/** Texts for windows, of which some read `<` as markup, and some break no line. */
import { toPrintableLine, toPrintableText } from '@cardwire/protocol/printable'
import { wrapText } from './wrap-text.ts'

export const toPlainLine = (line: string): string => withoutMarkup(toPrintableLine(line))
export const toPlainText = (text: string): string => withoutMarkup(wrapText(toPrintableText(text)))

const withoutMarkup = (text: string): string => text.replaceAll('<', '‹').replaceAll('>', '›')
