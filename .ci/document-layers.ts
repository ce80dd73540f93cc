/** The layers in the documents: tables and drawing have those that are checked (layers.ts), in the same order. */
import { type Layers, layersOf } from './layers.ts'

/** What is wrong with the table of a program's layers in a document: each row has the places of one layer. */
export function checkLayerTable(
  text: string,
  base: string,
  layers: Layers = layersOf[base] ?? [],
): readonly string[] {
  const [, rows = ''] = text.split(`| \`${base}\`, from the top |`)
  const [body = ''] = rows.split('\n\n')
  const cells = body.split('\n').flatMap((line) => /^\| (`.*?`) \|/.exec(line)?.[1] ?? [])
  const found = cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, place]) => place))
  const [expected = '', shown = ''] = [layers, found].map((table) =>
    table.map((places) => places.join(' ')).join(', '),
  )
  return expected === shown ? [] : [`the table of ${base} has "${shown}", expected "${expected}"`]
}

/** What the layers talk to, outside of their program: from, to, by what. */
const connections = [
  ['page', 'connector/src/api', 'https, port 25100'],
  ['page', 'connector/src/registry', 'https, port 51983'],
  ['connector/src/distribution', 'ds/src/routes', 'https'],
  ['connector/src/sandbox', 'readers', 'PC/SC, PKCS #11'],
  ['ds/src/db', 'database', 'SQL'],
] as const

/** What is wrong with the drawing in a document. */
export const checkDrawing = (text: string): readonly string[] =>
  text.includes(`\`\`\`mermaid\n${drawLayers()}\n\`\`\`\n`)
    ? []
    : [`the drawing of the layers is another one. Draw this:\n${drawLayers()}`]

/** The drawing of both programs, for mermaid. */
function drawLayers(): string {
  const programs = ['connector/src', 'ds/src'].map((base) => {
    const rows = (layersOf[base] ?? []).map(
      (row) => `    ${toId(base, row)}["${row.join('<br>')}"]`,
    )
    const ids = (layersOf[base] ?? []).map((row) => toId(base, row))
    return [`  subgraph ${base}`, ...rows, `    ${ids.join(' --> ')}`, '  end']
  })
  const links = connections.map(
    ([from, to, by]) => `  ${findId(from)} -- "${by}" --> ${findId(to)}`,
  )
  return [
    'flowchart TB',
    '  page(["page with the client library"])',
    ...programs.flat(),
    '  readers[["card readers"]]',
    '  database[("database")]',
    ...links,
  ].join('\n')
}

const toId = (base: string, [first = '']: readonly string[]) => `${base}/${first}`

/** The layer that has a place; a name that is no place stands for itself. */
function findId(name: string): string {
  const [base] = Object.keys(layersOf).filter((each) => name.startsWith(`${each}/`))
  const place = name.slice((base ?? '').length + 1)
  const row = base === undefined ? undefined : layersOf[base]?.find((each) => each.includes(place))
  return base !== undefined && row !== undefined ? toId(base, row) : name
}
