/** What a page shows its user when a call failed: what happened and what to do now, in four languages. */
import type { Copied } from './code-word.ts'
import type { ConnectionState } from './connection-state.ts'
import { type ConnectionText, toConnectionText } from './connection-text.ts'
import type { CardwireError } from './error.ts'
import { german } from './languages/de.ts'
import { english, type Texts } from './languages/en.ts'
import { french } from './languages/fr.ts'
import { dutch } from './languages/nl.ts'
import { germanRejections } from './languages/rejections/de.ts'
import { englishRejections, type RejectionTexts } from './languages/rejections/en.ts'
import { frenchRejections } from './languages/rejections/fr.ts'
import { dutchRejections } from './languages/rejections/nl.ts'
import { germanSteps } from './languages/steps/de.ts'
import { englishSteps } from './languages/steps/en.ts'
import { frenchSteps } from './languages/steps/fr.ts'
import { dutchSteps } from './languages/steps/nl.ts'

const stepCatalogs = { en: englishSteps, nl: dutchSteps, fr: frenchSteps, de: germanSteps } as const

const rejectionCatalogs: Readonly<Record<'en' | 'nl' | 'fr' | 'de', RejectionTexts>> = {
  ...{ en: englishRejections, nl: dutchRejections, fr: frenchRejections, de: germanRejections },
}

export type { ConnectionText } from './connection-text.ts'

/** A language that `describe` has texts for (ISO 639-1). */
export type Language = 'en' | 'nl' | 'fr' | 'de'

const catalogs: Readonly<Record<Language, Texts>> = {
  ...{ en: english, nl: dutch, fr: french, de: german },
}

/** The language of the text. */
export interface DescribeOptions {
  /**
   * A language tag (BCP 47), such as `nl-BE`. Default: the `lang` of the page, then the languages of the browser, then English if `describe`
   * has texts in none of them.
   */
  readonly language?: string | undefined
}

/**
 * Sentences for the user in front of the page: what happened, and what to do now. There is one for each `error.kind`.
 * `error.description` is the text for developers and logs. It also describes what `copyCodeWord` resolves with.
 */
export function describe(
  outcome: CardwireError | Copied,
  { language }: DescribeOptions = {},
): string {
  const texts = catalogs[chooseLanguage(language)]
  if ('copied' in outcome) return outcome.copied ? texts.codeCopied : texts.codeNotCopied
  const { kind, triesLeft } = outcome
  if (kind === 'pin-wrong' && triesLeft !== undefined) {
    return triesLeft > 0 ? texts.pinWrongWithAttempts(triesLeft) : texts['pin-blocked']
  }
  // An error of a newer copy of the library may have another kind.
  return texts[Object.hasOwn(texts, kind) ? kind : 'unknown']
}

/** The title, the sentence, the button and the link for a state of a connection from `@cardwire/client/connection`. */
export function describeConnection(
  state: ConnectionState,
  { language }: DescribeOptions = {},
): ConnectionText {
  const chosen = chooseLanguage(language)
  return toConnectionText(state, chosen, stepCatalogs[chosen], (outcome) =>
    describe(outcome, { language: chosen }),
  )
}

/** What has to happen before a card can be used, and while the user is asked for the PIN (`pending`). */
export type CardStep = 'card-service-down' | 'no-reader' | 'no-card' | 'unsupported' | 'pending'

/** The sentence for a step on the way to a card, such as “Insert your card.” */
export const describeCard = (step: CardStep, { language }: DescribeOptions = {}): string =>
  stepCatalogs[chooseLanguage(language)][step]

/**
 * The sentence for a user whose card your back end doesn't accept, by the `reason` of its `AuthenticationError` or `SignatureError`, such as
 * `certificate-revoked`. A reason that isn't about the card gets a general sentence.
 */
export function describeRejection(reason: string, { language }: DescribeOptions = {}): string {
  const texts = rejectionCatalogs[chooseLanguage(language)]
  return texts[Object.hasOwn(texts, reason) ? (reason as keyof RejectionTexts) : 'other']
}

/** The first of these that `describe` has texts for. */
function chooseLanguage(given: string | undefined): Language {
  const { document, navigator } = globalThis as {
    readonly document?: { readonly documentElement?: { readonly lang?: string } }
    readonly navigator?: { readonly languages?: readonly string[] }
  }
  const wanted = given
    ? [given]
    : [document?.documentElement?.lang ?? '', ...(navigator?.languages ?? [])]
  return wanted.map(toLanguage).find((language) => language !== undefined) ?? 'en'
}

/** The language of a tag (RFC 5646 §2.2.1). */
function toLanguage(tag: string): Language | undefined {
  const [language = ''] = tag.toLowerCase().split('-')
  return isLanguage(language) ? language : undefined
}

const isLanguage = (text: string): text is Language => Object.hasOwn(catalogs, text)
