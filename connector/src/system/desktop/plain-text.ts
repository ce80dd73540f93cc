/** Texts for windows that read `<` as markup. */
import { toPrintableLine, toPrintableText } from '../../printable.ts'

export const toPlainLine = (line: string): string => withoutMarkup(toPrintableLine(line))
export const toPlainText = (text: string): string => withoutMarkup(toPrintableText(text))

const withoutMarkup = (text: string): string => text.replaceAll('<', '‹').replaceAll('>', '›')
