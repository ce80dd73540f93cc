/** The letters of Helvetica, which every PDF reader has: their names and widths (Adobe's metrics of the font, version 2.000). */

export interface Glyph {
  readonly name: string
  /** In thousandths of the font's size. */
  readonly width: number
}

/** Names of the characters that are no letters with an accent, by their width; a letter's name is itself. */
const plain: Readonly<Record<number, string>> = {
  191: "'quotesingle",
  222: 'i j l ‘quoteleft ’quoteright ‚quotesinglbase łlslash',
  260: '|bar ¦brokenbar',
  278: '\u00a0space !exclam ,comma .period /slash :colon ;semicolon I [bracketleft \\backslash ]bracketright f t ·periodcentered ıdotlessi',
  333: '(parenleft )parenright -hyphen r `grave ¡exclamdown ‹guilsinglleft ›guilsinglright „quotedblbase “quotedblleft ”quotedblright ¹onesuperior ²twosuperior ³threesuperior ´acute ¨dieresis ¯macron ¸cedilla',
  334: '{braceleft }braceright',
  355: '"quotedbl',
  365: 'ºordmasculine',
  370: 'ªordfeminine',
  389: '*asterisk',
  400: '°degree',
  469: '^asciicircum',
  500: 'J c k s v x y z',
  537: '¶paragraph',
  549: '≠notequal ≤lessequal ≥greaterequal',
  556: '#numbersign $dollar 0zero 1one 2two 3three 4four 5five 6six 7seven 8eight 9nine ?question L _underscore a b d e g h n o p q u ¢cent £sterling ¥yen §section «guillemotleft »guillemotright –endash †dagger ‡daggerdbl €Euro đdcroat ŁLslash ðeth þthorn µmu ¤currency ƒflorin',
  584: '+plus <less =equal >greater ~asciitilde ±plusminus ×multiply ÷divide −minus ¬logicalnot',
  611: 'F T Z ßgermandbls øoslash ¿questiondown',
  667: '&ampersand A B E K P S V X Y ÞThorn',
  722: 'C D H N R U w ÐEth ĐDcroat',
  737: '©copyright ®registered',
  778: 'G O Q ØOslash',
  833: 'M m',
  834: '¼onequarter ½onehalf ¾threequarters',
  889: '%percent æae',
  944: 'W œoe',
  1000: '—emdash …ellipsis ‰perthousand ÆAE ŒOE ™trademark',
  1015: '@at',
}

const capitals = 'ÀÁÂÃÄÅĀĂĄÇĆČĎÈÉÊËĒĖĘĚĞĢÌÍÎÏĪĮĶĹĻĽÑŃŅŇÒÓÔÕÖŌŐŔŖŘŚŞŠȘŢȚŤÙÚÛÜŪŮŰŲÝŸŹŻŽ'
const accented = `${capitals}${capitals.toLowerCase()}İ`

const accents: Readonly<Record<string, string>> = {
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u0302': 'circumflex',
  '\u0303': 'tilde',
  '\u0304': 'macron',
  '\u0306': 'breve',
  '\u0307': 'dotaccent',
  '\u0308': 'dieresis',
  '\u030a': 'ring',
  '\u030b': 'hungarumlaut',
  '\u030c': 'caron',
  '\u0326': 'commaaccent',
  '\u0327': 'commaaccent',
  '\u0328': 'ogonek',
}

/** Letters whose cedilla is one; below others it is a comma. */
const withCedilla = 'CcSs'
/** Where a letter with an accent is not as wide as the letter. */
const ownWidths: Readonly<Record<string, number>> = { ť: 317, ľ: 299, ď: 643 }
/** What an `i` with an accent above it is made from. */
const dotlessWidth = 278

function makeGlyphs(): ReadonlyMap<string, Glyph> {
  const glyphs = new Map<string, Glyph>([[' ', { name: 'space', width: 278 }]])
  for (const [width, names] of Object.entries(plain)) {
    for (const entry of names.split(' ')) {
      const [character = '', ...rest] = entry
      glyphs.set(character, { name: rest.join('') || character, width: Number(width) })
    }
  }
  for (const character of accented) {
    const [letter = '', mark = ''] = character.normalize('NFD')
    const isCedilla = mark === '\u0327' && withCedilla.includes(letter)
    const accent = isCedilla ? 'cedilla' : (accents[mark] ?? '')
    const isDotless = letter === 'i' && accent !== 'ogonek'
    const width =
      ownWidths[character] ?? (isDotless ? dotlessWidth : (glyphs.get(letter)?.width ?? 0))
    glyphs.set(character, { name: `${letter}${accent}`, width })
  }
  return glyphs
}

/** By their characters: those of the languages that are written in Latin letters, from Portuguese to Turkish. */
export const helvetica: ReadonlyMap<string, Glyph> = makeGlyphs()
