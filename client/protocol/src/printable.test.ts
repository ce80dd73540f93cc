/** Text that came from elsewhere is shown, and no terminal obeys it. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { toPrintableLine, toPrintableText } from './printable.ts'

test.each([
  ['an escape sequence', '\u001b[2J\u001b]0;title\u0007', '\\u001b[2J\\u001b]0;title\\u0007'],
  ['the control characters of ISO 6429', 'a\u009b31mb\u007f', 'a\\u009b31mb\\u007f'],
  ['a second line', 'one\r\n✓ two', 'one\\u000d\\u000a✓ two'],
  ['what reverses the order', 'a\u202egpj.exe\u2028b', 'a\\u202egpj.exe\\u2028b'],
  [
    'what nobody sees',
    'ca\u200brd\u2060w\ufeffi\u00adre\u3164',
    'ca\\u200brd\\u2060w\\ufeffi\\u00adre\\u3164',
  ],
  ['hidden letters beyond the first plane', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ['halves of surrogate pairs', 'a\ud83cb\udca1', 'a\\ud83cb\\udca1'],
  ['other scripts', 'Łódź 北京 🂡 é', 'Łódź 北京 🂡 é'],
])('toPrintableLine shows %s', (_, text, shown) => {
  proves('service-controls-terminal')
  expect(toPrintableLine(text)).toBe(shown)
})

test('toPrintableText leaves lines as they are', () => {
  expect(toPrintableText('one\n\u001b[1Atwo\u202e')).toBe('one\n\\u001b[1Atwo\\u202e')
})
