/** Reads and writes the few documents of S3's API that are needed: flat, without attributes that matter. */

/** The contents of all elements of this name, as they stand; the name is never from outside. */
export const readElements = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g'))].map(
    ([, content = '']) => content,
  )

/** The text of the first element of this name. */
export function readElement(xml: string, name: string): string | undefined {
  const [content] = readElements(xml, name)
  return content === undefined ? undefined : unescapeText(content)
}

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

const unescapeText = (text: string): string =>
  text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (all, hex, decimal, name) => {
    if (name) return characters[name] ?? all
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all
  })

/** A key in a list that was asked for with `encoding-type=url`: a slash, and a space as a plus, are as in a form. */
export function readKey(xml: string, isEncoded: boolean): string | undefined {
  const text = readElement(xml, 'Key')
  if (text === undefined || !isEncoded) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** What completes an upload: its parts in their order, by entity tag. */
export const writeParts = (etags: readonly string[]): string =>
  `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${etags
    .map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
    .join('')}</CompleteMultipartUpload>`
