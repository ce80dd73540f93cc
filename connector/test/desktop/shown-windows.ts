/** Every window that a user of Linux can meet, with what is in it: for pictures. */

import { toMessage } from '../../src/distribution/policy/verdict.ts'
import { catalogs, type Language } from '../../src/languages/catalogs.ts'
import type { Desktop } from '../../src/system/desktop/desktop.ts'
import { describeFolders } from '../../src/user/dialogs/folder-texts.ts'
import { describeIdentity } from '../../src/user/dialogs/identity-texts.ts'
import { describeKeyUse } from '../../src/user/dialogs/key-texts.ts'
import type { PinRequest } from '../../src/user/dialogs/pin-request.ts'
import { describe, describeAttempt, describePad } from '../../src/user/dialogs/pin-texts.ts'

export interface ShownWindow {
  /** A pattern that its title contains. */
  readonly title: string
  /** A pinentry has questions and a field, and not the rest. */
  readonly byPinentry: boolean
  /** Else a key closes it. */
  readonly hasSignal: boolean
  show(desktop: Desktop, signal: AbortSignal): Promise<unknown>
}

const shop = 'https://shop.example'
/** 253 characters, the longest host of RFC 1035. */
export const longOrigin = `https://${['w', 'b', 'c', 'd']
  .map((letter) => letter.repeat(63))
  .join('.')
  .slice(0, 253)}:65535`

const dialogMs = 30_000
const reader = 'Gemalto PC Twin Reader 00 00'

/** For each language by name; `home` is a folder that exists. */
export function listWindows(
  language: Language,
  home: string,
): Readonly<Record<string, ShownWindow>> {
  const texts = catalogs[language].dialogs
  const pin = (request: Partial<PinRequest>, error?: string): ShownWindow => {
    const whole = toRequest(request)
    const question = {
      ...{ title: 'Cardwire', text: describe(whole, texts), prompt: texts.pin.prompt, error },
      ...{ submit: texts.pin.submit[whole.act], cancel: texts.cancel },
    }
    return toWindow((desktop, signal) => desktop.askSecret(question, signal))
  }
  const pad = (request: Partial<PinRequest>): ShownWindow => {
    const text = describePad(toRequest(request), texts)
    const notice = { title: 'Cardwire', text, cancel: texts.cancel }
    return toWindow((desktop, signal) => desktop.showNotice(notice, signal))
  }
  const ask = (question: Parameters<Desktop['askQuestion']>[0]): ShownWindow =>
    toWindow((desktop, signal) => desktop.askQuestion(question, signal), question.title)
  const attempt = (reason: 'last' | 'refused' | 'early', request: Partial<PinRequest> = {}) =>
    ask(describeAttempt(toRequest(request), { reason, triesLeft: 2 }, texts))
  const identity = (request: Partial<Parameters<typeof describeIdentity>[0]>) =>
    ask(describeIdentity({ ...identityOfShop, ...request }, language))
  const key = (request: Partial<Parameters<typeof describeKeyUse>[0]>) =>
    ask(describeKeyUse({ ...keyOfShop, ...request }, language))
  const folder = describeFolders(shop, language)
  const longFolder = describeFolders(longOrigin, language)
  const choose = (title: string): ShownWindow => ({
    ...toWindow(
      (desktop, signal) => desktop.chooseFolder({ title, start: home, language }, signal),
      title,
    ),
    byPinentry: false,
  })
  const verdict = (action: 'recommend' | 'require' | 'stop', offersUpdates = true) =>
    dialog(toMessage(toVerdict(action), { offersUpdates, language }))
  const { update } = texts
  const result = (text: string) => dialog({ title: update.title, text, close: texts.close })
  const path = `${home}/Documents/Contoso`
  return {
    'pin-check': pin({ act: 'check' }),
    'pin-sign-in': pin({ act: 'authenticate', module: 'beid' }),
    'pin-sign': pin({ act: 'sign', module: 'openpgp' }),
    'pin-sign-in-last': pin({ act: 'authenticate', triesLeft: 1 }),
    'pin-sign-many': pin({ act: 'sign', count: 12 }),
    'pin-sign-kept': pin({ act: 'sign', kept: { signatures: 100, idleMs: 60_000 } }),
    'pin-program': pin({ act: 'sign', origin: undefined, module: undefined, card: 'My token' }),
    'pin-wrong-form': pin({ act: 'check' }, texts.pin.wrongForm(4, 12, true)),
    'pin-long-origin': pin(
      { act: 'authenticate', origin: longOrigin },
      texts.pin.wrongForm(6, 8, false),
    ),
    'pad-sign-in': pad({ act: 'authenticate', module: 'beid' }),
    'pad-sign-many': pad({ act: 'sign', count: 3 }),
    'pad-long-origin': pad({ act: 'check', origin: longOrigin }),
    'attempt-last': attempt('last'),
    'attempt-refused': attempt('refused', { act: 'check' }),
    'attempt-early': attempt('early', { act: 'sign' }),
    'attempt-long-origin': attempt('last', { origin: longOrigin }),
    'key-sign': key({ act: 'sign' }),
    'key-sign-in': key({ act: 'authenticate' }),
    'key-check': key({ act: 'check' }),
    'key-long-origin': key({ act: 'authenticate', origin: longOrigin }),
    'identity-all': identity({}),
    'identity-address': identity({ data: ['address'] }),
    'identity-program': identity({ origin: undefined, data: ['biometric', 'picture'] }),
    'identity-payment': identity({ module: 'emv', data: ['payment'] }),
    'identity-long-origin': identity({ origin: longOrigin }),
    'folder-choice': choose(folder.title),
    'folder-choice-long-origin': choose(longFolder.title),
    'folder-allow': ask(folder.confirm(path)),
    'folder-allow-long-origin': ask(longFolder.confirm(path)),
    'folder-unsuitable': ask(folder.retry(home)),
    'update-offer': verdict('recommend'),
    'update-offer-administrator': verdict('recommend', false),
    'version-too-old': verdict('require'),
    'version-too-old-administrator': verdict('require', false),
    'version-blocked': verdict('stop'),
    'update-question': ask({
      ...{ title: update.title, text: update.question('4.2.0') },
      ...{ accept: update.accept, refuse: texts.cancel },
    }),
    'update-question-older': ask({
      ...{ title: update.title, text: `${update.older('4.2.0')}. ${update.question('4.1.0')}` },
      ...{ accept: update.accept, refuse: texts.cancel },
    }),
    'update-question-unchecked': ask({
      ...{ title: update.title, text: `${update.withoutDigest}. ${update.question('4.2.0')}` },
      ...{ accept: update.accept, refuse: texts.cancel },
    }),
    'update-installed': result(update.installed('4.2.0')),
    'update-unanswered': result(update.unanswered('Cannot reach https://ds.example: no answer')),
    'update-by-administrator': result(update.needsAdministrator('sudo dpkg -i /tmp/cardwire.deb')),
  }
}

/** What a desktop says without a window. */
export function listNotifications(language: Language) {
  const { notifications, update } = catalogs[language].dialogs
  const title = 'Cardwire'
  return {
    consent: { title, text: notifications.consent(shop) },
    'file-written': { title, text: notifications.fileWritten(shop, 'invoice.pdf') },
    'file-read': { title, text: notifications.fileRead(shop, 'invoice.pdf') },
    downloading: { title: update.title, text: update.downloading('4.2.0') },
    'long-origin': { title, text: notifications.consent(longOrigin) },
  }
}

const toRequest = (request: Partial<PinRequest>): PinRequest => ({
  ...{ origin: shop, act: 'authenticate', reader, card: 'PIV card', module: 'piv', triesLeft: 3 },
  ...{ pin: { min: 4, max: 12, alphabet: 'digits' } },
  ...{ language: undefined, timeoutMs: 120_000, signal: new AbortController().signal },
  ...request,
})

const identityOfShop: Parameters<typeof describeIdentity>[0] = {
  ...{ origin: shop, module: 'beid', data: ['biometric', 'address', 'picture'] },
  ...{ card: 'Belgian identity card', reader },
}

const keyOfShop: Parameters<typeof describeKeyUse>[0] = {
  ...{ origin: shop, act: 'sign', subject: 'An Janssens', issuer: 'Contoso Staff CA 2' },
  language: undefined,
}

const toVerdict = (action: 'recommend' | 'require' | 'stop') =>
  ({
    ...{ action, version: '4.1.0', offer: { version: '4.2.0', url: 'https://ds.example/4.2.0' } },
  }) as Parameters<typeof toMessage>[0]

const toWindow = (show: ShownWindow['show'], title = 'Cardwire'): ShownWindow => ({
  ...{ title, byPinentry: true, hasSignal: true, show },
})

const dialog = (message: Parameters<Desktop['dialog']['show']>[0]): ShownWindow => ({
  ...toWindow((desktop) => desktop.dialog.show(message, dialogMs), message.title),
  ...{ byPinentry: false, hasSignal: false },
})
