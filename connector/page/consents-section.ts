/** Allowed sites, since when and to what, with a button that takes it back. */
import { announce, find, make, whileBusy } from './elements.ts'
import type { Words } from './languages.ts'
import type { PageServer } from './page-server.ts'
import type { ConsentView, View } from './view.ts'

/** Of each button: what stands on it, what it is called, and what is said when it is done. */
const names = {
  consent: ['revoke', 'revokeOf', 'revoked'],
  identity: ['revokeIdentity', 'revokeIdentityOf', 'identityRevoked'],
  folders: ['revokeFolders', 'revokeFoldersOf', 'foldersRevoked'],
} as const

export function createConsentsSection(words: Words, server: PageServer): (view: View) => void {
  const [list, title] = [find('consents'), find('consents-title')]
  const [none, unread] = [find('no-consents'), find('consents-unread')]
  let shown = ''

  const createItem = ({ origin, identity, folders, managedFolders, ...times }: ConsentView) => {
    const periods = words.texts.consentTimes(
      words.formatTime(times.issuedAt),
      words.formatTime(times.expiresAt),
      words.formatTime(times.usedAt),
    )
    const takeBack = (what: keyof typeof names) => {
      const [text, label, done] = names[what]
      const button = make('button', {
        text: words.texts[text],
        label: words.texts[label](origin),
        press: () =>
          void whileBusy(button, async () => {
            await server.revoke(origin, what)
            announce(words.texts[done](origin))
            // The button goes with what it was for.
            title.focus()
          }),
      })
      return button
    }
    return make(
      'li',
      { data: { origin } },
      make('h3', { text: origin }),
      make('p', { class: 'soft', text: periods }),
      identity.length === 0
        ? undefined
        : make('p', { text: words.texts.identity(identity.map(words.nameCard).join(', ')) }),
      folders.length === 0
        ? undefined
        : make('p', { text: words.texts.folders(folders.join(', ')) }),
      managedFolders.length === 0
        ? undefined
        : make('p', {
            text: words.texts.managedFolders(managedFolders.join(', ')),
          }),
      make(
        'p',
        { class: 'actions' },
        takeBack('consent'),
        identity.length === 0 ? undefined : takeBack('identity'),
        folders.length === 0 ? undefined : takeBack('folders'),
      ),
    )
  }

  return ({ consents }) => {
    // Made anew only when they have changed: a button that has the focus keeps it.
    const now = JSON.stringify(consents ?? 'unread')
    if (now === shown) return
    shown = now
    list.replaceChildren(...(consents ?? []).map(createItem))
    none.hidden = consents?.length !== 0
    unread.hidden = consents !== undefined
  }
}
