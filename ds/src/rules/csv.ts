/** Rows of a table as spreadsheets read them (RFC 4180). */

/**
 * What begins so is a formula to a spreadsheet, which runs it; an apostrophe before it makes it a text
 * (owasp.org/www-community/attacks/CSV_Injection).
 */
const formula = /^[=+\-@\t\r\n]/

export const csvRow = (cells: readonly (string | number)[]): string =>
  `${cells.map(cellOf).join(',')}\r\n`

function cellOf(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const text = formula.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
