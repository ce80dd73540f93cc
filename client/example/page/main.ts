/** The page of the example: finds the person's connector, asks for consent, and shows the readers as they change. */
import {
  type CardwireClient,
  CardwireError,
  copyCodeWord,
  initialize,
  installerUrl,
  newCodeWord,
} from '@cardwire/client'
import { fetchSettings, fetchToken } from './back-end.ts'
import { nextScreen } from './next-screen.ts'
import { watchReaders } from './readers.ts'
import { pointDownloadsTo, pressed, returned, say, show } from './screens.ts'
import { openVirtualCard } from './virtual-card.ts'

const { configuration, virtualCard } = await fetchSettings()
const follow = virtualCard ? openVirtualCard() : () => {}
pointDownloadsTo(installerUrl(configuration))

interface Attempt {
  readonly run: () => Promise<CardwireClient>
  /** Whether it has a code looked for on the clipboard. */
  readonly byCode?: boolean
}

/** `mayPrompt`: whether the browser may ask the person; only after a click, so that they know what for. */
const connect = async (mayPrompt: boolean): Promise<CardwireClient> =>
  initialize(
    { ...configuration, jwt: await fetchToken() },
    {
      mayPrompt,
      onTokenExpired: fetchToken,
      onPermissionPrompt: () => say('Your browser asks at the top of the window: choose Allow.'),
    },
  )

let attempt: Attempt = { run: () => connect(false) }
for (;;) {
  let looking = attempt.byCode
  try {
    const client = await attempt.run()
    looking = false
    await watchReaders(client, follow)
  } catch (error) {
    attempt = hasMoved(error) ? { run: () => connect(true) } : await overcome(error, looking)
  }
}

/** A connector that was there, and is there no more: started again it has another port, so look before saying so. */
function hasMoved(error: unknown): boolean {
  return CardwireError.is(error) && error.code === '900' && error.reason === 'not-running'
}

/** Shows what is in the way, and resolves with what to try once the person has done their part. */
async function overcome(error: unknown, looked?: boolean): Promise<Attempt> {
  const { screen, texts } = nextScreen(error, looked)
  if (screen === 'consent' && CardwireError.is(error) && error.client) {
    return askForConsent(error.client, texts)
  }
  show(screen, texts)
  await Promise.race([pressed(screen), ...(screen === 'missing' ? [returned()] : [])])
  say('Looking for Cardwire on this computer…')
  return { run: () => connect(true) }
}

/** A new code word for each attempt; the clipboard takes it in the very click. */
async function askForConsent(
  client: CardwireClient,
  texts: Readonly<Record<string, string>>,
): Promise<Attempt> {
  const word = newCodeWord()
  show('consent', { ...texts, word, go: 'Copy the code and go on' })
  const { copied, description } = await pressed('consent', () => copyCodeWord(word))
  if (!copied) {
    show('consent', { description, go: 'I have copied it' })
    await pressed('consent')
  }
  say('Cardwire looks for the code on your clipboard…')
  return { run: () => client.getConsent(word), byCode: true }
}
