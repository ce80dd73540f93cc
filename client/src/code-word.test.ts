/** The code word: long, unpredictable, and copied or not without ever throwing. */
import { describe, expect, test } from 'vitest'
import { copyCodeWord, isCodeWord, newCodeWord } from './code-word.ts'

test('newCodeWord has 192 bits of the random source, in characters of base64url', () => {
  const bytes: number[] = []
  const word = newCodeWord((into) => {
    bytes.push(into.length)
    return into.fill(0xfb)
  })
  expect(bytes).toEqual([24])
  expect(word).toBe('-_v7'.repeat(8))
  expect(newCodeWord()).toMatch(/^[\w-]{32}$/)
  expect(newCodeWord()).not.toBe(newCodeWord())
})

test.each([
  ['fifteen characters', 'x'.repeat(15), false],
  ['sixteen', 'x'.repeat(16), true],
  ['4096 bytes', 'x'.repeat(4096), true],
  ['more bytes than that', 'é'.repeat(2049), false],
  ['nothing', undefined, false],
])('a word of %s', (_, word, good) => {
  expect(isCodeWord(word)).toBe(good)
})

describe('copyCodeWord', () => {
  test('writes to the clipboard synchronously, because the browser demands it of a click', () => {
    const written: string[] = []
    void copyCodeWord('word', { writeText: async (text) => void written.push(text) })
    expect(written).toEqual(['word'])
  })

  test('resolves with copied and a sentence', async () => {
    expect(await copyCodeWord('word', { writeText: async () => undefined })).toMatchObject({
      copied: true,
    })
  })

  test.each([
    ['there is no clipboard', undefined, /does not give the page access to the clipboard/],
    [
      'the browser will not',
      { writeText: () => Promise.reject(new Error('NotAllowed')) },
      /did not let/,
    ],
  ])('says so when %s', async (_, clipboard, why) => {
    const answer = await copyCodeWord('word', clipboard)
    expect(answer).toMatchObject({ copied: false, description: expect.stringMatching(why) })
  })
})
