/** Chooses the screen for a failure: one table with every reason of the library. */
import { CardwireError, type Reason } from '@cardwire/client'
import { BackEndError } from './back-end.ts'

/** A screen that waits for the user. */
export type WaitingScreen = 'permission' | 'missing' | 'consent' | 'no-agent' | 'trouble'

export interface ScreenContent {
  readonly screen: WaitingScreen
  /** Its texts, by the name of the element. */
  readonly texts: Readonly<Record<string, string>>
}

/** A screen of its own, or the heading above the description of the library. */
const screensByReason: Readonly<
  Record<Reason, { readonly screen: WaitingScreen } | { readonly title: string }>
> = {
  'permission-needed': { screen: 'permission' },
  'permission-pending': { screen: 'permission' },
  'permission-denied': { title: 'Your browser keeps this page from Cardwire' },
  'permission-impossible': { title: 'The page around this one has to let it through' },
  'page-insecure': { title: 'This page has to be opened over https' },
  'csp-blocked': { title: 'This page may not call Cardwire' },
  'not-running': { screen: 'missing' },
  'certificate-untrusted': { screen: 'missing' },
  'origin-refused': { title: 'This site is not on the list of Cardwire' },
  'consent-required': { screen: 'consent' },
  'no-agent': { screen: 'no-agent' },
  'too-many-codes': { screen: 'consent' },
  'code-word-refused': { screen: 'consent' },
  'token-missing': { title: 'Cardwire does not know which application this is' },
  'token-expired': { title: 'Cardwire does not know which application this is' },
  'token-refused': { title: 'Cardwire does not accept this application' },
  'signature-wrong': { title: 'The answer did not come from your Cardwire' },
  'configuration-invalid': { title: 'The settings of this page are wrong' },
  'answer-malformed': { title: 'Another program answered' },
  timeout: { title: 'Cardwire takes too long' },
  aborted: { title: 'The page stopped this' },
  refused: { title: 'Cardwire refused' },
}

/** What had happened when the error came. */
export interface Progress {
  /** Codes in a row that were copied, and not found. */
  readonly codesNotFound: number
  /** Whether the page has shown the readers since it last asked for consent. */
  readonly hadConsent: boolean
}

const consentTitle = 'Let this page use your card reader?'

/** After the first code that was not found, and the second; after the third comes another screen. */
const notFoundTexts = [
  'Cardwire did not find the code on your clipboard. Copy this new one, and nothing else until the page goes on.',
  'Cardwire did not find the second code either. It has to run for you, in the same desktop session as this browser. One try is left.',
] as const

/** Throws an error that is not of the library or the back end: it is a defect of the page. */
export function chooseScreen(
  error: unknown,
  progress: Progress = { codesNotFound: 0, hadConsent: false },
): ScreenContent {
  if (error instanceof BackEndError) {
    const title = 'The application does not answer'
    return { screen: 'trouble', texts: { title, description: error.message } }
  }
  if (!CardwireError.is(error)) throw error
  const { reason, description } = error
  const found = screensByReason[reason]
  if (reason === 'consent-required') return { screen: 'consent', texts: describeConsent(progress) }
  if (!('screen' in found)) return { screen: 'trouble', texts: { title: found.title, description } }
  const texts = found.screen === 'consent' ? { title: consentTitle, description } : { description }
  return { screen: found.screen, texts }
}

function describeConsent({ codesNotFound, hadConsent }: Progress): ScreenContent['texts'] {
  if (hadConsent) {
    return {
      title: 'Your consent for this page has ended',
      description:
        'It was taken back, or its time was over, so this page sees your card readers no more. To let it in again, copy a new code.',
    }
  }
  // Before a code was looked for, nothing has gone wrong: the screen needs no description.
  return { title: consentTitle, description: notFoundTexts[codesNotFound - 1] ?? '' }
}
