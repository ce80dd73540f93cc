/** Rows of a table as spreadsheets read them (RFC 4180). */

/**
 * A spreadsheet runs a cell that begins so as a formula; an apostrophe before it makes it text
 * (owasp.org/www-community/attacks/CSV_Injection).
 */
const formula = /^[=+\-@\t\r\n]/

export const toCsvRow = (cells: readonly (string | number)[]): string =>
  `${cells.map(toCell).join(',')}\r\n`

function toCell(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const text = formula.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
