/** The editor of CONTEXT_CONFIG: the origins, one in a line, and what pages may do with cards. */
import { AllowedOrigin, type Configuration } from '@cardwire/protocol'
import { TextField } from '../frame/fields.tsx'
import type { Form } from '../frame/form.ts'
import { readTexts } from '../frame/texts.ts'
import { CardFields, showsCardError } from './card-fields.tsx'
import {
  type CardRows,
  isEmpty,
  readCardRows,
  toCardRows,
  toCards,
  toTypedCards,
} from './card-rows.ts'
import { describeFolders, describeGrants, describeLibraries } from './card-words.ts'
import { type Draft, explainLines, splitLines } from './draft.ts'

type ContextConfig = Extract<Configuration, { type: 'CONTEXT_CONFIG' }>['config']

export const readAllowlist = (form: Form): Draft =>
  createDraft(form.text('cors'), readCardRows(form))

export const toAllowlist = ({ cors, cards }: ContextConfig): Draft =>
  createDraft(cors.join('\n'), toCardRows(cards))

const storeOrigin = <T extends { readonly origin: string }>(entry: T): T => ({
  ...entry,
  origin: toStored(entry.origin),
})

/** An origin as the service stores it, so that a comparison shows only what changes; one that it refuses as it was typed. */
const toStored = (origin: string): string => AllowedOrigin.safeParse(origin).data ?? origin

function createDraft(cors: string, cards: CardRows): Draft {
  const { grants, libraries, folders } = toCards(cards)
  const texts = readTexts().configurations
  return {
    config: { cors: splitLines(cors), ...(!isEmpty(cards) && { cards: toCards(cards) }) },
    typed: [['cors', cors], ...toTypedCards(cards)],
    words: [
      { label: texts.allowlist.origins, text: splitLines(cors).map(toStored).join('\n') },
      { label: texts.cards.grants.title, text: describeGrants(grants.map(storeOrigin)) },
      { label: texts.cards.libraries.title, text: describeLibraries(libraries) },
      { label: texts.cards.folders.title, text: describeFolders(folders.map(storeOrigin)) },
    ],
    showsError: (path) => /^config\.cors(\[\d+\])?$/.test(path) || showsCardError(path),
    renderFields: (problem) => (
      <>
        <TextField
          name="cors"
          label={texts.allowlist.origins}
          hint={texts.allowlist.originsHint}
          value={cors}
          rows={10}
          error={explainLines(problem, 'config.cors')}
        />
        <CardFields rows={cards} problem={problem} />
      </>
    ),
  }
}
