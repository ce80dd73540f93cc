/** Rows of a table as spreadsheets read them (RFC 4180). */

/**
 * A spreadsheet runs a cell that begins so as a formula, in some languages also by the wide forms; an apostrophe before it makes it text
 * (owasp.org/www-community/attacks/CSV_Injection).
 */
const formula = '[=+\\-@＝＋－＠]'

/** What comes before the first character of a cell without being shown as part of it. */
const margin = '[\\s"\\p{Cf}]*'

const startOfCell = new RegExp(`^(?:[\\t\\r\\n]|${margin}${formula})`, 'u')

/**
 * Many languages separate cells by semicolons, and programs guess what separates them. Where it is no comma, quotes after a comma are ordinary
 * characters: then a separator or the end of a line begins another cell in the middle of this one.
 */
const startInside = new RegExp(
  // A tab or the end of a line is no margin here, but begins another cell: each character is looked at once.
  `([,;|\\t\\r\\n](?:[^\\S\\t\\r\\n]|["\\p{Cf}])*)(?=${formula})`,
  'gu',
)

export const toCsvRow = (cells: readonly (string | number)[]): string =>
  `${cells.map(toCell).join(',')}\r\n`

const guardInside = new RegExp(
  `([,;|\\t\\r\\n](?:[^\\S\\t\\r\\n]|["\\p{Cf}])*)'(?=${formula})`,
  'gu',
)

/** A cell without the apostrophes that `toCsvRow` writes. */
export function removeGuards(cell: string): string {
  const text = cell.startsWith("'") && startOfCell.test(cell.slice(1)) ? cell.slice(1) : cell
  return text.replace(guardInside, '$1')
}

function toCell(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const inside = cell.replace(startInside, "$1'")
  const text = startOfCell.test(cell) ? `'${inside}` : inside
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
