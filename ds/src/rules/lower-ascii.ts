/** Texts in lower case as far as ASCII goes: as the columns of names are written, and as the database compares them. */
export const toLowerAscii = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
