/** The code word: a secret that goes from the page to the connector by way of the person's clipboard. */

/** 24 bytes are 192 bits, and 32 characters. */
const codeWordBytes = 24

/** What a connector looks for on a clipboard at all: a shorter word could be guessed, a longer one is no word. */
const shortest = 16
const longest = 4096

/** A new code word; nobody can predict it, and it works once. */
export function newCodeWord(
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> = (bytes) =>
    crypto.getRandomValues(bytes),
): string {
  const base64 = btoa(String.fromCharCode(...random(new Uint8Array(codeWordBytes))))
  return base64.replaceAll('+', '-').replaceAll('/', '_')
}

export const isCodeWord = (word: unknown): word is string =>
  typeof word === 'string' &&
  word.length >= shortest &&
  new TextEncoder().encode(word).length <= longest

/** Whether the code word is on the clipboard now, and a sentence for the person: what to do if it is not. */
export interface Copied {
  readonly copied: boolean
  readonly description: string
}

interface Clipboard {
  writeText(text: string): Promise<void>
}

/** Puts the code word on the clipboard. To be called from a click, before anything is awaited. Never rejects. */
export async function copyCodeWord(
  codeWord: string,
  clipboard: Clipboard | undefined = (
    globalThis as { readonly navigator?: { readonly clipboard?: Clipboard } }
  ).navigator?.clipboard,
): Promise<Copied> {
  const byHand = 'select the code word and copy it yourself'
  if (!clipboard) {
    return { copied: false, description: `This browser gives the page no clipboard: ${byHand}` }
  }
  try {
    await clipboard.writeText(codeWord)
    return { copied: true, description: 'The code is on the clipboard' }
  } catch {
    return { copied: false, description: `The browser did not let the page copy: ${byHand}` }
  }
}
