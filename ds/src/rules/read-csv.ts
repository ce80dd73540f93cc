/** Reads the rows of a CSV file (RFC 4180) part by part, with commas, semicolons or tabs between the cells, as spreadsheets save and copy them. */
import { removeGuards } from './csv.ts'

export interface CsvRow {
  /** Where it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** The file cannot be read further. */
export class CsvError extends Error {}

/** A row with all that the export writes of a device has less. */
const maxRowLength = 65_536

export interface CsvReader {
  /** The rows that end in this part. */
  push(text: string): readonly CsvRow[]
  /** The last row, if it has no line break. */
  end(): readonly CsvRow[]
}

export function createCsvReader(): CsvReader {
  let separator: string | undefined
  let [waiting, cell, isQuoted, isClosed] = ['', '', false, false]
  let cells: string[] = []
  let [line, start, length] = [1, 1, 0]

  const endCell = () => {
    cells.push(removeGuards(cell))
    ;[cell, isQuoted, isClosed] = ['', false, false]
  }

  function endRow(): CsvRow[] {
    endCell()
    const row = { line: start, cells }
    ;[cells, start, length] = [[], line, 0]
    // An empty line is no row.
    return row.cells.some((one) => one !== '') ? [row] : []
  }

  function take(char: string): CsvRow[] {
    if (char === '\n') line += 1
    length += 1
    if (length > maxRowLength) throw new CsvError(`the row in line ${start} is too long`)
    if (isQuoted && !isClosed) {
      if (char === '"') isClosed = true
      else cell += char
      return []
    }
    if (char === '"' && isClosed) {
      cell += char
      isClosed = false
    } else if (char === '"' && cell === '') isQuoted = true
    else if (char === separator) endCell()
    else if (char === '\n') return endRow()
    else if (char !== '\r') cell += char
    return []
  }

  function read(text: string): readonly CsvRow[] {
    const rows: CsvRow[] = []
    for (const char of text) rows.push(...take(char))
    return rows
  }

  return {
    push(text) {
      if (separator !== undefined) return read(text)
      waiting += text
      const isWhole = /[^\r\n][^\n]*\n/.test(waiting)
      if (!isWhole && waiting.length < maxRowLength) return []
      separator = findSeparator(waiting)
      return read(waiting)
    },
    end() {
      const before = separator === undefined ? waiting : ''
      separator ??= findSeparator(waiting)
      const rows = read(before)
      if (isQuoted && !isClosed) throw new CsvError(`a quote in line ${start} is not closed`)
      return [...rows, ...endRow()]
    },
  }
}

/** A tab where the first line that is not empty has one, because no name of a column has; else the more frequent one of the others. */
function findSeparator(text: string): string {
  const [firstLine = ''] = /[^\r\n].*/.exec(text) ?? []
  const count = (separator: string) => firstLine.split(separator).length
  if (count('\t') > 1) return '\t'
  return count(';') > count(',') ? ';' : ','
}
