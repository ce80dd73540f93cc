/** The code word: a secret that the page passes to the user's connector through the clipboard. */

/** 24 bytes are 192 bits, and 32 characters. */
const codeWordBytes = 24

/** A connector accepts no others: a shorter one could be guessed, and a longer text on the clipboard is no code word. */
const minLength = 16
const maxBytes = 4096

/** A new code word, from a cryptographic random source. It works once. */
export function newCodeWord(
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> = (bytes) =>
    crypto.getRandomValues(bytes),
): string {
  const base64 = btoa(String.fromCharCode(...random(new Uint8Array(codeWordBytes))))
  return base64.replaceAll('+', '-').replaceAll('/', '_')
}

export const isCodeWord = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length >= minLength &&
  new TextEncoder().encode(value).length <= maxBytes

/** Whether the code word is now on the clipboard, and if not, why. `describe` has the sentence for the user. */
export interface Copied {
  /** Whether the code word is on the clipboard. */
  readonly copied: boolean
  /** What happened, for developers and logs. */
  readonly description: string
}

interface Clipboard {
  writeText(text: string): Promise<void>
}

/** Puts the code word on the clipboard. Call it from a click, before you await anything. Never rejects. */
export async function copyCodeWord(
  codeWord: string,
  clipboard: Clipboard | undefined = (
    globalThis as { readonly navigator?: { readonly clipboard?: Clipboard } }
  ).navigator?.clipboard,
): Promise<Copied> {
  const instruction = 'select the code word and copy it yourself'
  if (!clipboard) {
    return {
      copied: false,
      description: `This browser does not give the page access to the clipboard: ${instruction}`,
    }
  }
  try {
    await clipboard.writeText(codeWord)
    return { copied: true, description: 'The code is on the clipboard' }
  } catch {
    return { copied: false, description: `The browser did not let the page copy: ${instruction}` }
  }
}
