/** Forms with a file, byte for byte as browsers send them. */

export const boundary = '----cardwire0123456789'
/** What comes behind the file. */
export const end = `\r\n--${boundary}--\r\n`

export const encode = (text: string) => new TextEncoder().encode(text)

export const join = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

/** A form as browsers send it; its end is for the caller. */
export const createForm = (
  name: string,
  bytes: Uint8Array,
  fields: Readonly<Record<string, string>> = {},
): Uint8Array => {
  const texts = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return join(encode(texts.join('') + head), bytes)
}
