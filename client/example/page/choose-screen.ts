/** Chooses the screen for a failure: one table with every reason of the library. */
import { CardwireError, type Reason } from '@cardwire/client'
import { BackEndError } from './back-end.ts'

/** A screen that waits for the person. */
export type WaitingScreen = 'permission' | 'missing' | 'consent' | 'trouble'

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
  'no-agent': { screen: 'consent' },
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

const codeNotFoundText =
  'Cardwire did not find the code on your clipboard. Does it run in the same desktop session as this browser?'

/** `codeWasSought`: whether the connector has just looked for a code. Throws an error that is not of the library or the back end: it is a defect of the page. */
export function chooseScreen(error: unknown, codeWasSought = false): ScreenContent {
  if (error instanceof BackEndError) {
    const title = 'The application does not answer'
    return { screen: 'trouble', texts: { title, description: error.message } }
  }
  if (!CardwireError.is(error)) throw error
  const { reason, description } = error
  const found = screensByReason[reason]
  // Before a code was looked for, nothing has gone wrong: the screen needs no description.
  if (reason === 'consent-required' || (reason === 'no-agent' && codeWasSought)) {
    return { screen: 'consent', texts: { description: codeWasSought ? codeNotFoundText : '' } }
  }
  return 'screen' in found
    ? { screen: found.screen, texts: { description } }
    : { screen: 'trouble', texts: { title: found.title, description } }
}
