/** The desktop of the person whose process this is, by the platform. */
import type { Desktop } from './desktop.ts'
import { type Ask, createDialog, createOpenLink, type Open } from './dialog.ts'
import { linuxClipboard } from './linux-clipboard.ts'
import { linuxAsk, linuxOpen } from './linux-dialog.ts'
import { linuxNotifier } from './linux-notifier.ts'
import { macosAsk, macosClipboard, macosNotifier, macosOpen } from './macos.ts'
import { programsOf } from './programs.ts'
import { windowsAsk, windowsClipboard, windowsNotifier, windowsOpen } from './windows.ts'
import { startHelper } from './windows-helper.ts'

export interface Place {
  readonly platform: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The command that starts this binary's role `desktop`; used on Windows alone. */
  readonly helper: readonly string[]
}

/** Nothing is looked up or started before it is asked for. */
export function openDesktop(place: Place): Desktop {
  const { ask, open, ...others } = partsOf(place)
  return { ...others, dialog: createDialog(ask, open), openLink: createOpenLink(open) }
}

type Parts = Pick<Desktop, 'clipboard' | 'notifier'> & { readonly ask: Ask; readonly open: Open }

function partsOf({ platform, environment, helper: command }: Place): Parts {
  if (platform === 'win32') {
    const helper = startHelper(command, environment)
    return {
      clipboard: windowsClipboard(helper),
      notifier: windowsNotifier(helper),
      ask: windowsAsk(helper),
      open: windowsOpen(helper),
    }
  }
  const programs = programsOf(environment)
  if (platform === 'darwin') {
    return {
      clipboard: macosClipboard(programs),
      notifier: macosNotifier(programs),
      ask: macosAsk(programs),
      open: macosOpen(programs),
    }
  }
  return {
    clipboard: linuxClipboard(environment, programs),
    notifier: linuxNotifier(programs),
    ask: linuxAsk(environment, programs),
    open: linuxOpen(programs),
  }
}
