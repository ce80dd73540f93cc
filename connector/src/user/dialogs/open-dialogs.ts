/** Opens what asks the user, over one queue of dialogs. */

import { findStartFolder, judgeChosenFolder } from '../../files/chosen-folder.ts'
import type { FolderContext } from '../../files/folder-rules.ts'
import { createJudgeFolder } from '../../files/judge-folder.ts'
import type { Desktop } from '../../system/desktop/desktop.ts'
import { createDialogQueue } from './dialog-queue.ts'
import type { AskForFolder } from './folder-request.ts'
import { createFolderService } from './folder-service.ts'
import type { AskForIdentity } from './identity-request.ts'
import { createIdentityService } from './identity-service.ts'
import type { AskForKeyUse } from './key-request.ts'
import { createKeyService } from './key-service.ts'
import { openPinDialogs, type PinDialogs } from './open-pin-dialogs.ts'
import type { UsePad } from './pin-request.ts'

export interface Dialogs extends Omit<PinDialogs, 'usePad'> {
  /** undefined: pads of readers are not used. */
  readonly usePad: UsePad | undefined
  readonly askForIdentity: AskForIdentity
  readonly askForFolder: AskForFolder
  readonly askForKeyUse: AskForKeyUse
}

/** `language`: the user's, a tag of BCP 47; `usesPads`: whether PINs are typed at pads of readers; `folders`: those that users cannot choose for pages. */
export function openDialogs(
  desktop: Pick<Desktop, 'askSecret' | 'showNotice' | 'askQuestion' | 'chooseFolder'>,
  { language, usesPads }: { readonly language: string; readonly usesPads: boolean },
  folders: FolderContext,
): Dialogs {
  const { askQuestion, chooseFolder } = desktop
  const queueDialog = createDialogQueue()
  const clock = () => performance.now()
  const judge = createJudgeFolder(folders)
  const pins = openPinDialogs(desktop, { queueDialog, language, clock })
  return {
    ...pins,
    usePad: usesPads ? pins.usePad : undefined,
    askForIdentity: createIdentityService({ askQuestion, queueDialog, language, clock }),
    askForKeyUse: createKeyService({ askQuestion, queueDialog, language, clock }),
    askForFolder: createFolderService({
      ...{ chooseFolder, askQuestion, queueDialog, language, clock },
      findStart: (segments) => findStartFolder(folders.home, segments),
      judgeFolder: (path) => judgeChosenFolder(path, judge),
    }),
  }
}
