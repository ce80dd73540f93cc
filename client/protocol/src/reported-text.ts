/** Texts that devices report. A report is never refused for its words: what is too long or cannot be shown is replaced. */
import * as z from 'zod/mini'
import { shorten } from './shorten.ts'

/** Control characters, which are six bytes in JSON; halves of surrogate pairs; the separators that break lines. */
const replaced = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu
const replacement = '\ufffd'

/** One line of at most `maxBytes` in JSON. */
export const toReportedText = (text: string, maxBytes: number): string =>
  shorten(text.replaceAll(/[\t\r\n]+/g, ' ').replaceAll(replaced, replacement), maxBytes)

/** A text of at most `max` characters, of which as much is taken as fits into `max` bytes of JSON. */
export const reportedText = (max: number) =>
  z.string().check(
    z.maxLength(max),
    z.overwrite((text) => toReportedText(text, max)),
  )
