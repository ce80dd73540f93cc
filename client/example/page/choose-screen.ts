/** Chooses the screen for a failure, by its kind. */
import { CardwireError, type CardwireErrorKind } from '@cardwire/client'
import { BackEndError } from './back-end.ts'
import { describeError } from './describe-error.ts'

/** A screen that waits for the user. */
export type WaitingScreen = 'permission' | 'missing' | 'consent' | 'no-agent' | 'trouble'

export interface ScreenContent {
  readonly screen: WaitingScreen
  /** Its texts, by the name of the element. */
  readonly texts: Readonly<Record<string, string>>
}

/** A separate screen, or the heading above the sentence of the library. */
const screensByKind: Readonly<
  Partial<
    Record<CardwireErrorKind, { readonly screen: WaitingScreen } | { readonly title: string }>
  >
> = {
  'permission-needed': { screen: 'permission' },
  'permission-pending': { screen: 'permission' },
  'permission-denied': { title: 'Your browser is blocking access to Cardwire' },
  'permission-impossible': { title: 'The page that embeds this one must allow access' },
  'page-insecure': { title: 'Open this page over https' },
  'csp-blocked': { title: 'The policy of this page blocks Cardwire' },
  'not-running': { screen: 'missing' },
  'certificate-untrusted': { screen: 'missing' },
  'not-responding': { title: 'Cardwire isn’t responding' },
  'origin-refused': { title: 'This site isn’t allowed to use Cardwire' },
  'consent-required': { screen: 'consent' },
  'no-agent': { screen: 'no-agent' },
  'too-many-codes': { screen: 'consent' },
  'code-word-refused': { screen: 'consent' },
  'token-unavailable': { title: 'The application isn’t responding' },
  'token-missing': { title: 'Your session has expired' },
  'token-expired': { title: 'Your session has expired' },
  'token-refused': { title: 'Cardwire doesn’t accept this application' },
  'signature-wrong': { title: 'The response didn’t come from your Cardwire' },
  'configuration-invalid': { title: 'This page isn’t set up correctly' },
  'answer-malformed': { title: 'Another program responded' },
  timeout: { title: 'Cardwire took too long to respond' },
  aborted: { title: 'Canceled' },
}
const otherFailure = { title: 'Cardwire refused the request' } as const

/** What had happened when the error came. */
export interface Progress {
  /** Codes in a row that were copied, and not found. */
  readonly codesNotFound: number
  /** Whether the page has shown the readers since it last asked for consent. */
  readonly hadConsent: boolean
}

const consentTitle = 'Allow this site to use your card reader?'

/** After the first code that was not found, and the second; after the third comes another screen. */
const notFoundTexts = [
  'Cardwire couldn’t find the code on your clipboard. Copy this new code, and don’t copy anything else until the page continues.',
  'Cardwire couldn’t find the second code either. Make sure Cardwire is running in the same desktop session as this browser. You have one attempt left.',
] as const

/** Throws an error that is not of the library or the back end: it is a defect of the page. */
export function chooseScreen(
  error: unknown,
  progress: Progress = { codesNotFound: 0, hadConsent: false },
): ScreenContent {
  if (error instanceof BackEndError) {
    const title = 'The application isn’t responding'
    return { screen: 'trouble', texts: { title, description: describeError(error) } }
  }
  if (!CardwireError.is(error)) throw error
  const { kind } = error
  const found = screensByKind[kind] ?? otherFailure
  if (kind === 'consent-required') return { screen: 'consent', texts: describeConsent(progress) }
  const description = describeError(error)
  if (!('screen' in found)) return { screen: 'trouble', texts: { title: found.title, description } }
  const texts = found.screen === 'consent' ? { title: consentTitle, description } : { description }
  return { screen: found.screen, texts }
}

function describeConsent({ codesNotFound, hadConsent }: Progress): ScreenContent['texts'] {
  if (hadConsent) {
    return {
      title: 'This site no longer has access',
      description:
        'Access was revoked or has expired, so this site can no longer see your card readers. To allow it again, copy a new code.',
    }
  }
  // Before a code was looked for, nothing has gone wrong: the screen needs no description.
  return { title: consentTitle, description: notFoundTexts[codesNotFound - 1] ?? '' }
}
