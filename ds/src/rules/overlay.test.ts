/** Parts of a file with an overlay: whatever the part, they are those of the whole. */
import { expect, test } from 'vitest'
import { applyOverlay } from './overlay.ts'

const file = 'abcdefghij'
const overlay = { offset: 3, bytes: new TextEncoder().encode('XYZ') }
const whole = 'abcXYZghij'

test('applyOverlay makes of every part what it is of the whole', () => {
  for (let start = 0; start < file.length; start += 1) {
    for (let end = start; end <= file.length; end += 1) {
      const part = new TextEncoder().encode(file.slice(start, end))
      applyOverlay(part, start, overlay)
      expect(new TextDecoder().decode(part)).toBe(whole.slice(start, end))
    }
  }
})
