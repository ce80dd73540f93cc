/** The version, what the organization says about it, and the installation of another one. */
import { announce, find, make, whileBusy } from './elements.ts'
import type { Words } from './languages.ts'
import type { PageServer } from './page-server.ts'
import type { UpdateView, View } from './view.ts'

const stateTexts = {
  unmanaged: 'updateUnmanaged',
  unknown: 'updateUnknown',
  current: 'updateCurrent',
  recommended: 'updateRecommended',
  required: 'updateRequired',
  forbidden: 'updateForbidden',
} as const

export function createVersionSection(words: Words, server: PageServer): (view: View) => void {
  const place = find('version')
  let before = ''
  return ({ version, update }) => {
    const now = JSON.stringify([version, update])
    if (now === before) return
    before = now
    place.replaceChildren(
      make('p', { text: words.texts.version(version) }),
      make('p', { text: words.texts[stateTexts[update.state]] }),
      ...createOffer(words, server, update),
    )
  }
}

function createOffer(
  words: Words,
  server: PageServer,
  { state, offer, isMuted }: UpdateView,
): readonly HTMLElement[] {
  if (['unmanaged', 'unknown', 'current'].includes(state)) return []
  if (!offer) return [make('p', { text: words.texts[isMuted ? 'updateMuted' : 'updateMissing'] })]
  const result = make('p')
  const output = make('pre', { class: 'soft', lang: 'en' })
  const show = (name: 'installing' | 'installed' | 'notInstalled' | 'failed', text = '') => {
    result.textContent = words.texts[name]
    output.textContent = text
    announce(words.texts[name])
  }
  const install = async () => {
    show('installing')
    const { isInstalled, output } = await server.update()
    show(isInstalled ? 'installed' : 'notInstalled', output)
  }
  const button = make('button', {
    class: 'primary',
    text: words.texts.install(offer.version),
    press: () => void whileBusy(button, install).catch(() => show('failed')),
  })
  return [
    make('p', { text: words.texts.updateHow }),
    make('p', { class: 'actions' }, button),
    result,
    output,
  ]
}
