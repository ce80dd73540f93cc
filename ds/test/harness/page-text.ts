/** Reads hidden fields, the rows of tables and the words in the HTML of a page. */

const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#39;': "'",
}

const decode = (text: string) =>
  text.replaceAll(/&(?:quot|amp|lt|gt|#39);/g, (one) => entities[one] ?? one)

/** The value of a hidden field; empty where there is none. */
export const readHidden = (text: string, name: string): string =>
  decode(new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '')

/** All hidden fields, as a browser sends them; of several with one name the last. */
export const readHiddenFields = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, decode(value)],
    ),
  )

/** The rows of its tables, each as the words of its cells with one space between. */
export const readRows = (text: string): readonly string[] =>
  [...text.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    decode(row.replaceAll(/<[^>]*>/g, ' '))
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )

/** The words of its main part, without the tags. */
export const readWords = (text: string): string =>
  decode(
    (/<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '')
      .replaceAll(/<\/(?:p|li|h\d|div)>/g, ' ')
      .replaceAll(/<[^>]*>/g, ''),
  ).replaceAll(/\s+/g, ' ')
