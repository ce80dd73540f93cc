/** Guards of signatures in PDFs: of what they sign, of what is changed after them, and of how long they take. */
import type { Guard } from '../guard.ts'

const folder = 'client/server/src/pdf'
const signing = ['client/test/pdf/refused-pdfs.test.ts'] as const
const hiding = ['client/test/pdf/hidden-objects.test.ts'] as const
const verification = ['client/test/pdf/verify-pdf.test.ts'] as const

const forged = (
  file: string,
  search: string,
  replace: string,
  tests = verification as Guard['tests'],
): Guard => ({
  ...{ rule: 'pdf-signature-forged', file: `${folder}/${file}`, search, replace },
  ...(tests && { tests }),
})
const changed = (
  file: string,
  search: string,
  replace: string,
  tests: NonNullable<Guard['tests']> = verification,
): Guard => ({
  ...{ rule: 'pdf-changed-later', file: `${folder}/${file}`, search, replace, tests },
})
const costly = (file: string, search: string, replace: string, tests: Guard['tests']): Guard => ({
  ...{ rule: 'costly-pdf', file: `${folder}/${file}`, search, replace },
  ...(tests && { tests }),
})

export const pdfGuards: readonly Guard[] = [
  forged('read-signature.ts', ' || contents.start < 0', ''),
  forged('read-signature.ts', 'if (zero !== 0 || ', 'if ('),
  forged('read-signature.ts', '  if (length > document.bytes.length) {', '  if (length < 0) {'),
  forged(
    'read-signature.ts',
    'start !== contents.start || end !== contents.end || !isHex(document.bytes, start, end)',
    'start > end',
  ),
  forged('read-signature.ts', ' || bytes.subarray(end).some((byte) => byte !== 0)', ''),
  forged('verify-pdf-signatures.ts', 'name === field.name && ', ''),
  forged('cross-references.ts', ' || skipBlanks(bytes, end + 5) !== bytes.length', '', signing),
  forged(
    'cross-references.ts',
    "  if (!hasText(bytes, 0, '%PDF-'))",
    '  if (bytes.length === 0)',
    signing,
  ),
  forged(
    'document.ts',
    'if (found.number === number && found.generation === generation) ',
    '',
    signing,
  ),
  changed('compare-revisions.ts', 'later.start < earlier.bytes.length || ', '', hiding),
  changed('compare-revisions.ts', ' || hidesObjects(earlier, later, budget)', '', hiding),
  changed('compare-revisions.ts', '          waiting.push([container, container])\n', '', hiding),
  changed('cross-references.ts', 'if (inTable.has(number) && ', 'if (!inTable && ', hiding),
  changed(
    'cross-references.ts',
    "if (entry.kind === 'free') free.push(number)",
    'if (free.length < 0) return',
    hiding,
  ),
  changed('cross-references.ts', 'if (count > 0 && first < free)', 'if (count < 0)', hiding),
  changed('hidden-objects.ts', ' || [earlier, later].some(hasNumbersAboveSize)', '', hiding),
  changed('hidden-objects.ts', '  if (place < start) return true\n', '', hiding),
  changed('hidden-objects.ts', 'return !packed || ', 'return packed !== undefined && ', hiding),
  changed('compare-revisions.ts', '    compareForms(earlier, later, comparison) &&\n', ''),
  changed('compare-revisions.ts', ' || !hasSameBytes(one.data, other.data)', ''),
  changed('compare-revisions.ts', 'return one.value === other.value', 'return true'),
  changed(
    'compare-revisions.ts',
    'isReference(annotation) && added.numbers.has(annotation.number)',
    'isReference(annotation)',
  ),
  changed('compare-revisions.ts', 'added.areVisible || ', ''),
  changed('compare-revisions.ts', '    if (!isHidden(later, other)) hasNewAppearance = true\n', ''),
  changed('added-fields.ts', ' && !names.has(readTextString(name))', ''),
  changed('added-fields.ts', " || !isNamed(dictionary.get('FT'), 'Sig')", ''),
  changed(
    'added-fields.ts',
    '    if (![...dictionary.keys()].every((key) => allowed.includes(key))) return undefined\n',
    '',
  ),
  changed(
    'verify-pdf-signatures.ts',
    "laterChanges: isLocked ? 'other' : changes",
    'laterChanges: changes',
  ),
  costly(
    'budget.ts',
    '    if (left[kind] < 0) throw',
    '    if (left[kind] < -Infinity) throw',
    signing,
  ),
  costly(
    'parse-object.ts',
    '  if (depth > maxDepth) throw',
    '  if (depth > 1000 * maxDepth) throw',
    signing,
  ),
  costly(
    'verify-pdf-signatures.ts',
    '  if (fields.length > maxSignatures)',
    '  if (fields.length > 1000 * maxSignatures)',
    verification,
  ),
]
