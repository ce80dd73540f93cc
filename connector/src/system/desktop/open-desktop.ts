/** Opens the desktop of the user of this process, by the platform. */

import { toPrintableLine } from '@cardwire/protocol/printable'
import type { Desktop } from './desktop.ts'
import { createDialog, createOpenLink, type OpenUrl, type ShowPrompt } from './dialog.ts'
import { rejectEarlyDecision, rejectEarlySecret, type WindowClock } from './early-answers.ts'
import { withPlainTitle } from './folder-choice.ts'
import { createLinuxClipboard } from './linux-clipboard.ts'
import { createLinuxOpener, createLinuxPrompt } from './linux-dialog.ts'
import { createLinuxFolderChoice } from './linux-folder-choice.ts'
import { withUtf8Locale } from './linux-locale.ts'
import { createLinuxNotice } from './linux-notice.ts'
import { createLinuxNotifier } from './linux-notifier.ts'
import { createLinuxQuestion } from './linux-question.ts'
import { createLinuxSecretEntry } from './linux-secret-entry.ts'
import {
  createMacosClipboard,
  createMacosFolderChoice,
  createMacosNotice,
  createMacosNotifier,
  createMacosOpener,
  createMacosPrompt,
  createMacosQuestion,
  createMacosSecretEntry,
} from './macos.ts'
import { withPlainNotice } from './notice.ts'
import { createPrograms } from './programs.ts'
import { withPlainQuestion } from './question.ts'
import { withPlainTexts } from './secret-entry.ts'
import {
  createWindowsClipboard,
  createWindowsFolderChoice,
  createWindowsNotice,
  createWindowsNotifier,
  createWindowsOpener,
  createWindowsPrompt,
  createWindowsQuestion,
  createWindowsSecretEntry,
} from './windows.ts'
import { createHelper } from './windows-helper.ts'

export interface DesktopEnvironment {
  readonly platform: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The command that starts this binary's role `desktop`; used on Windows alone. */
  readonly helper: readonly string[]
  /** Default: that of this process. */
  readonly clock?: WindowClock
  /** What the button of a dialog does with its address; a browser opens it unless it is given. */
  readonly openOffer?: OpenUrl
}

/** Nothing is searched or started before its first use. */
export function openDesktop(place: DesktopEnvironment): Desktop {
  const { clipboard, notifier, prompt, showNotice, askQuestion, chooseFolder, askSecret, open } =
    openPlatformDesktop(place)
  return {
    clipboard,
    notifier: {
      show: ({ title, text }) =>
        notifier.show({ title: toPrintableLine(title), text: toPrintableLine(text) }),
    },
    dialog: createDialog(prompt, place.openOffer ?? open),
    showNotice: withPlainNotice(showNotice),
    askQuestion: withPlainQuestion(askQuestion),
    chooseFolder: withPlainTitle(chooseFolder),
    askSecret: withPlainTexts(askSecret),
    openLink: createOpenLink(open),
  }
}

type PlatformDesktop = Pick<
  Desktop,
  'clipboard' | 'notifier' | 'showNotice' | 'askQuestion' | 'chooseFolder' | 'askSecret'
> & {
  readonly prompt: ShowPrompt
  readonly open: OpenUrl
}

function openPlatformDesktop({
  platform,
  environment,
  helper: command,
  clock = () => performance.now(),
}: DesktopEnvironment): PlatformDesktop {
  if (platform === 'win32') {
    const helper = createHelper(command, environment)
    return {
      clipboard: createWindowsClipboard(helper),
      notifier: createWindowsNotifier(helper),
      prompt: createWindowsPrompt(helper),
      showNotice: createWindowsNotice(helper),
      askQuestion: (...question) =>
        rejectEarlyDecision(clock, () => createWindowsQuestion(helper)(...question)),
      chooseFolder: createWindowsFolderChoice(helper),
      askSecret: createWindowsSecretEntry(helper),
      open: createWindowsOpener(helper),
    }
  }
  const programs = createPrograms(environment)
  if (platform === 'darwin') {
    return {
      clipboard: createMacosClipboard(programs),
      notifier: createMacosNotifier(programs),
      prompt: createMacosPrompt(programs),
      showNotice: createMacosNotice(programs),
      askQuestion: (...question) =>
        rejectEarlyDecision(clock, () => createMacosQuestion(programs)(...question)),
      chooseFolder: createMacosFolderChoice(programs),
      askSecret: (...question) =>
        rejectEarlySecret(clock, () => createMacosSecretEntry(programs)(...question)),
      open: createMacosOpener(programs),
    }
  }
  const windowPrograms = withUtf8Locale(programs)
  return {
    clipboard: createLinuxClipboard(environment, programs),
    notifier: createLinuxNotifier(environment),
    prompt: createLinuxPrompt(environment, windowPrograms),
    showNotice: createLinuxNotice(environment, windowPrograms),
    askQuestion: createLinuxQuestion(environment, windowPrograms, clock),
    chooseFolder: createLinuxFolderChoice(environment, windowPrograms),
    askSecret: createLinuxSecretEntry(environment, windowPrograms, clock),
    open: createLinuxOpener(programs),
  }
}
