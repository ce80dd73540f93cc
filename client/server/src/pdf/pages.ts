/** The pages of a PDF (ISO 32000-1, 7.7.3), and how one of them is shown. */
import type { PdfDocument } from './document.ts'
import {
  isArray,
  isDictionary,
  isReference,
  type PdfDictionary,
  type PdfObject,
  type PdfReference,
} from './objects.ts'
import { invalidSetting, malformedPdf, tooLargePdf } from './pdf-error.ts'

export interface Page {
  readonly reference: PdfReference
  readonly dictionary: PdfDictionary
  /** Left, bottom, right and top of what is shown, in points of the page's own coordinates. */
  readonly box: Box
  /** Clockwise degrees by which it is turned when it is shown: 0, 90, 180 or 270. */
  readonly rotation: number
}

export type Box = readonly [left: number, bottom: number, right: number, top: number]

const maxNodes = 200_000
const maxDepth = 64

type Inherited = ReadonlyMap<string, PdfObject>
const inheritedNames = ['MediaBox', 'CropBox', 'Rotate'] as const

/** The page with this number; the first has 1. Throws `settings-invalid` where there are fewer. */
export function findPage(document: PdfDocument, wanted: number): Page {
  const seen = new Set<number>()
  let before = 0
  const visit = (
    object: PdfObject | undefined,
    above: Inherited,
    depth: number,
  ): Page | undefined => {
    if (!isReference(object)) throw malformedPdf('one of its pages is no separate object')
    if (seen.has(object.number)) throw malformedPdf('a page of it is in it twice')
    seen.add(object.number)
    if (seen.size > maxNodes) throw tooLargePdf(`it has more than ${maxNodes} pages`)
    if (depth > maxDepth) throw malformedPdf(`its pages are nested more than ${maxDepth} times`)
    const dictionary = document.resolve(object)
    if (!isDictionary(dictionary)) throw malformedPdf('a page of it is missing')
    const own = inheritedNames.flatMap((name) => {
      const value = document.resolve(dictionary.get(name))
      return value === null ? [] : [[name, value] as const]
    })
    const inherited = new Map([...above, ...own])
    const kids = document.resolve(dictionary.get('Kids'))
    if (!isArray(kids)) {
      before += 1
      return before === wanted ? toPage(document, object, dictionary, inherited) : undefined
    }
    for (const kid of kids) {
      const found = visit(kid, inherited, depth + 1)
      if (found) return found
    }
    return undefined
  }
  const page = visit(document.catalog.get('Pages'), new Map(), 0)
  if (page) return page
  if (before === 0) throw malformedPdf('it has no page')
  throw invalidSetting('appearance.page', `1 to ${before}, the pages of the PDF`)
}

function toPage(
  document: PdfDocument,
  reference: PdfReference,
  dictionary: PdfDictionary,
  inherited: Inherited,
): Page {
  // US Letter, which readers take where a page has none.
  const media = readBox(document, inherited.get('MediaBox')) ?? [0, 0, 612, 792]
  const crop = readBox(document, inherited.get('CropBox')) ?? media
  const box: Box = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ]
  const turned = inherited.get('Rotate')
  const rotation = typeof turned === 'number' ? ((turned % 360) + 360) % 360 : 0
  return { reference, dictionary, box, rotation: rotation % 90 === 0 ? rotation : 0 }
}

/** Any two opposite corners. */
function readBox(document: PdfDocument, object: PdfObject | undefined): Box | undefined {
  if (!isArray(object)) return undefined
  const [a, b, c, d] = object.map((side) => document.resolve(side))
  if (typeof a !== 'number' || typeof b !== 'number') return undefined
  if (typeof c !== 'number' || typeof d !== 'number') return undefined
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
}

/** A rectangle on the page as it is shown, in points from its lower left corner. */
export interface PageRectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The same rectangle in the page's own coordinates; undefined where it does not lie on the page. */
export function toOwnCoordinates(
  { box: [left, bottom, right, top], rotation }: Page,
  { x, y, width, height }: PageRectangle,
): Box | undefined {
  const isTurned = rotation === 90 || rotation === 270
  const [shownWidth, shownHeight] = isTurned
    ? [top - bottom, right - left]
    : [right - left, top - bottom]
  if (x + width > shownWidth || y + height > shownHeight) return undefined
  switch (rotation) {
    case 90:
      return [right - y - height, bottom + x, right - y, bottom + x + width]
    case 180:
      return [right - x - width, top - y - height, right - x, top - y]
    case 270:
      return [left + y, top - x - width, left + y + height, top - x]
    default:
      return [left + x, bottom + y, left + x + width, bottom + y + height]
  }
}
