/** What a page shows its user when a call failed: what happened and what to do now, in four languages. */
import type { Copied } from './code-word.ts'
import type { ConnectorProblem } from './connector-problem.ts'
import type { CardwireError } from './error.ts'
import { german } from './languages/de.ts'
import { english, type Texts } from './languages/en.ts'
import { french } from './languages/fr.ts'
import { dutch } from './languages/nl.ts'
import type { Reason } from './reason.ts'

const catalogs = { en: english, nl: dutch, fr: french, de: german } as const

/** A language that `describe` has texts for (ISO 639-1). */
export type Language = keyof typeof catalogs

/** The language of the text. */
export interface DescribeOptions {
  /**
   * A language tag (BCP 47), such as `nl-BE`. Default: the `lang` of the page, then the languages of the browser, then English if `describe`
   * has texts in none of them.
   */
  readonly language?: string | undefined
}

/** The texts that need no number. */
type TextName = Exclude<keyof Texts, 'pinWrongWithAttempts'>

const textsOfReasons: Readonly<Record<Exclude<Reason, 'refused'>, TextName>> = {
  'not-running': 'notRunning',
  'not-responding': 'notResponding',
  'certificate-untrusted': 'certificateUntrusted',
  'origin-refused': 'originRefused',
  'permission-needed': 'permissionNeeded',
  'permission-pending': 'permissionPending',
  'permission-denied': 'permissionDenied',
  'permission-impossible': 'siteEmbedded',
  'page-insecure': 'siteInsecure',
  'csp-blocked': 'siteFault',
  'configuration-invalid': 'siteFault',
  'consent-required': 'consentRequired',
  'no-agent': 'codesNotFound',
  'too-many-codes': 'codesTooMany',
  'code-word-refused': 'codeRefused',
  'token-unavailable': 'siteUnavailable',
  'token-missing': 'siteUnidentified',
  'token-expired': 'sessionExpired',
  'token-refused': 'siteUnidentified',
  'signature-wrong': 'answerUnverified',
  timeout: 'timeout',
  aborted: 'aborted',
  'answer-malformed': 'answerMalformed',
}

const textsOfProblems: Readonly<Record<ConnectorProblem, TextName>> = {
  // Only the site can do something about these.
  'body-malformed': 'siteFault',
  'body-too-large': 'siteFault',
  'content-type-unsupported': 'siteFault',
  'input-invalid': 'siteFault',
  'header-too-large': 'siteFault',
  'route-unknown': 'siteFault',
  'module-unknown': 'siteFault',
  'host-refused': 'siteFault',
  'page-unnamed': 'siteFault',
  'csrf-header-missing': 'siteFault',
  'management-refused': 'siteFault',
  'command-refused': 'siteFault',
  'token-refused': 'siteUnidentified',
  'origin-refused': 'originRefused',
  'consent-required': 'consentRequired',
  // The connector and its computer.
  'too-many-requests': 'busy',
  internal: 'failed',
  'caller-refused': 'otherUser',
  'agent-unknown': 'agentUnknown',
  'grant-missing': 'grantMissing',
  'policy-expired': 'policyExpired',
  'device-blocked': 'deviceBlocked',
  'certificate-refused': 'certificatesKept',
  'logs-kept': 'logsKept',
  'store-unavailable': 'storeUnavailable',
  'dialog-unavailable': 'dialogUnavailable',
  // Readers and cards.
  'pcsc-unavailable': 'readersUnavailable',
  'reader-unknown': 'readerUnknown',
  'card-absent': 'cardAbsent',
  'card-changed': 'cardChanged',
  'card-unsupported': 'cardUnsupported',
  'card-mute': 'cardMute',
  'card-busy': 'cardBusy',
  'card-session-unknown': 'cardReleased',
  'key-unknown': 'keyUnknown',
  'key-unsupported': 'keyUnsupported',
  // PINs and the user's data.
  'pin-busy': 'dialogOpen',
  'pin-wrong': 'pinWrong',
  'pin-blocked': 'pinBlocked',
  'pin-cancelled': 'pinCanceled',
  'pin-timeout': 'pinTimeout',
  'pin-invalid': 'pinInvalid',
  'identity-refused': 'identityRefused',
  // Files and printers.
  'file-type-unknown': 'folderUnknown',
  'file-type-unmapped': 'folderGone',
  'file-type-refused': 'folderRefused',
  'file-type-managed': 'folderManaged',
  'file-path-refused': 'nameRefused',
  'file-unknown': 'fileUnknown',
  'file-taken': 'fileTaken',
  'file-too-large': 'fileTooLarge',
  'disk-failed': 'diskFailed',
  'disk-full': 'diskFull',
  'printer-unknown': 'printerUnknown',
  'printing-unavailable': 'printingUnavailable',
  'printing-refused': 'printingRefused',
}

/**
 * Sentences for the user in front of the page: what happened, and what to do now. `error.description` is the text for developers and logs.
 * A problem of a newer connector gets the text of an unknown failure. It also describes what `copyCodeWord` resolves with.
 */
export function describe(
  outcome: CardwireError | Copied,
  { language }: DescribeOptions = {},
): string {
  const texts = catalogs[chooseLanguage(language)]
  if ('copied' in outcome) return outcome.copied ? texts.codeCopied : texts.codeNotCopied
  const { reason, problem, triesLeft } = outcome
  if (reason !== 'refused') return texts[textsOfReasons[reason] ?? 'failed']
  if (problem === 'pin-wrong' && triesLeft !== undefined) {
    return triesLeft > 0 ? texts.pinWrongWithAttempts(triesLeft) : texts.pinBlocked
  }
  return texts[isConnectorProblem(problem) ? textsOfProblems[problem] : 'failed']
}

const isConnectorProblem = (problem: string | undefined): problem is ConnectorProblem =>
  problem !== undefined && Object.hasOwn(textsOfProblems, problem)

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
