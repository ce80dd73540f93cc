/** The arguments of the programs that take pictures: `--language LL --to FOLDER [NAME …]`. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** By ISO 639, with the tag of BCP 47 that a browser sends. */
const tags = { en: 'en-GB', nl: 'nl-BE', fr: 'fr-BE', de: 'de-DE' } as const
export type PictureLanguage = keyof typeof tags

export interface PictureOptions {
  /** Default: English. */
  readonly language: PictureLanguage
  readonly tag: string
  /** The folder, which exists; default: docs/screenshots. */
  readonly to: string
  /** The pictures that are wanted, by name; none: all that the program takes by itself. */
  readonly wanted: readonly string[]
}

const isLanguage = (text: string): text is PictureLanguage => Object.hasOwn(tags, text)

export function readPictureOptions(args?: readonly string[]): PictureOptions {
  const { values, positionals } = parseArgs({
    ...(args && { args: [...args] }),
    allowPositionals: true,
    options: {
      language: { type: 'string', default: 'en' },
      to: {
        type: 'string',
        default: fileURLToPath(new URL('../../docs/screenshots', import.meta.url)),
      },
    },
  })
  const { language, to } = values
  if (!isLanguage(language)) {
    throw new Error(`There are no texts in "${language}": ${Object.keys(tags).join(', ')}`)
  }
  mkdirSync(to, { recursive: true })
  return { language, tag: tags[language], to, wanted: positionals }
}
