/** What a page shows for each state of its connection: a title, a sentence, and what the user can press. */
import type { Copied } from './code-word.ts'
import type { ConnectionState, StateOf } from './connection-state.ts'
import type { CardwireError } from './error.ts'
import type { StepTexts } from './languages/steps/en.ts'

/** The texts for a state, and its button. */
export interface ConnectionText {
  /** The language of the texts (ISO 639-1). */
  readonly language: string
  /** Empty when the site can use the readers. */
  readonly title: string
  /** What happened and what to do now; empty when there is nothing to say. */
  readonly text: string
  /** The code to show, so that the user can copy it. */
  readonly codeWord: string | undefined
  /** The button. Call `run` from its click. */
  readonly action: { readonly label: string; readonly run: () => void } | undefined
  /** The link to the installer. */
  readonly link: { readonly label: string; readonly href: string } | undefined
}

type Describe = (outcome: CardwireError | Copied) => string

/** The texts of a language for a state. */
export function toConnectionText(
  state: ConnectionState,
  language: string,
  steps: StepTexts,
  describe: Describe,
): ConnectionText {
  const nothing = { language, text: '', codeWord: undefined, action: undefined, link: undefined }
  const toRetry = (title: string, { error, retry }: StateOf<'failed' | 'token-unavailable'>) => ({
    ...nothing,
    title,
    text: describe(error),
    action: { label: steps.retry, run: retry },
  })
  switch (state.status) {
    case 'starting':
      return { ...nothing, title: steps.looking }
    case 'permission-needed':
      return {
        ...nothing,
        title: steps.permissionTitle,
        text: steps.permissionText,
        action: { label: steps.connect, run: state.connect },
      }
    case 'permission-pending':
      return { ...nothing, title: steps.permissionTitle, text: steps.promptText }
    case 'not-running':
    case 'not-responding':
    case 'token-unavailable':
    case 'failed': {
      const shown = toRetry(steps[titles[state.status]], { ...state, status: 'failed' })
      const href = state.status === 'not-running' ? state.installerUrl : undefined
      return { ...shown, link: href === undefined ? undefined : { label: steps.install, href } }
    }
    case 'consent-required':
      return {
        ...nothing,
        title: steps.consentTitle,
        text: describeConsent(state, steps, describe),
        codeWord: state.codeWord,
        action: {
          label: state.copied ? steps.proceed : steps.copy,
          run: () => void state.copyAndAllow(),
        },
      }
    case 'consent-pending':
      return { ...nothing, title: steps.consentTitle, text: steps.checking }
    case 'ready':
      return { ...nothing, title: '', text: state.stale ? steps.stale : '' }
  }
}

const titles = {
  'not-running': 'notRunningTitle',
  'not-responding': 'notRespondingTitle',
  'token-unavailable': 'unavailableTitle',
  failed: 'failedTitle',
} as const

function describeConsent(
  { error, copied, codesNotFound }: StateOf<'consent-required'>,
  steps: StepTexts,
  describe: Describe,
): string {
  if (copied) return describe(copied)
  if (error.kind !== 'consent-required') return describe(error)
  return codesNotFound > 0 ? steps.codeNotFound : steps.consentText
}
