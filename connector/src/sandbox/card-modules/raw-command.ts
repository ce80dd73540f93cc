/** Which commands a page may send to a card by itself: none with a PIN, and none beyond the applications that are granted to it. */

/** Why it may not be sent: the application is not granted, or no page sends such a command. */
export interface RawRefusal {
  readonly kind: 'application' | 'command'
  /** The end of a sentence that begins with "Cannot send the command". */
  readonly reason: string
  /** That the administrator would have to grant, upper-case hex. */
  readonly aid?: string
}

/** Header, length, 255 bytes of data, length of the answer (ISO/IEC 7816-3 §12.1.3). */
const lengths = { min: 4, max: 261 } as const

/**
 * VERIFY, CHANGE REFERENCE DATA, DISABLE and ENABLE VERIFICATION REQUIREMENT, RESET RETRY COUNTER with the variants that have
 * BER-TLV in them (ISO/IEC 7816-4 §7.5), MANAGE CHANNEL (§7.1.2), ENVELOPE, which has another command in it (§7.6.2).
 */
const refusedInstructions: Readonly<Record<number, string>> = {
  [0x20]: 'it has a PIN',
  [0x21]: 'it has a PIN',
  [0x24]: 'it has a PIN',
  [0x25]: 'it has a PIN',
  [0x26]: 'it has a PIN',
  [0x27]: 'it has a PIN',
  [0x28]: 'it has a PIN',
  [0x29]: 'it has a PIN',
  [0x2c]: 'it has a PIN',
  [0x2d]: 'it has a PIN',
  [0x70]: 'it opens a logical channel',
  [0xc2]: 'it has another command in it',
  [0xc3]: 'it has another command in it',
}
const select = { ins: 0xa4, byName: 0x04 } as const
/** MANAGE SECURITY ENVIRONMENT that begins PACE, whose password may be a PIN (BSI TR-03110-3 §B.14.1). */
const pace = { ins: 0x22, p1: 0xc1, p2: 0xa4 } as const
/** The master file: some cards go there whatever P1 says. */
const masterFile = 0x3f00
/** Of SELECT: a folder or a file of the folder that is selected, or by a path from there (§7.1.1, table 39). */
const selectsWithin: ReadonlySet<number> = new Set([0x01, 0x02, 0x09])
/** Of P2: which of several applications, where 0 is the first (table 40). */
const occurrence = 0x03

/** What a command does, as far as rules need it. */
export const selectsApplication = (command: Uint8Array): boolean =>
  command[1] === select.ins && command[2] === select.byName

/** The application that a SELECT names, upper-case hex. */
export const readName = (command: Uint8Array): string =>
  Buffer.from(command.subarray(5, 5 + (command[4] ?? 0)))
    .toString('hex')
    .toUpperCase()

/** undefined: it may be sent. `aids`: those that are granted, upper-case hex; `isSelected`: one of them is. */
export function refuseCommand(
  command: Uint8Array,
  aids: readonly string[],
  isSelected: boolean,
): RawRefusal | undefined {
  const [cla = 0, ins = 0, p1, p2] = command
  if (!isShort(command)) return refuse('expected a short APDU')
  if (!isBasicChannel(cla)) return refuse('its class is that of a logical channel or of the reader')
  const refused = refusedInstructions[ins]
  if (refused !== undefined) return refuse(refused)
  if (ins === pace.ins && p1 === pace.p1 && p2 === pace.p2)
    return refuse('it begins a check of a PIN')
  if (ins === select.ins) return refuseSelect(command, aids, isSelected)
  return isSelected ? undefined : notSelected
}

/** The four cases of a short APDU, each whole. */
function isShort(command: Uint8Array): boolean {
  const { length } = command
  if (length < lengths.min || length > lengths.max) return false
  const third = command[4]
  if (third === undefined || length === 5) return true
  return third > 0 && (length === 5 + third || length === 6 + third)
}

/** The first interindustry class with channel 0, chained or not (§5.4.1), or a maker's with channel 0 (GlobalPlatform 2.3.1, table 11-11). */
const isBasicChannel = (cla: number): boolean =>
  (cla & 0x03) === 0 && (cla < 0x20 || (cla >= 0x80 && cla < 0xc0))

function refuseSelect(
  command: Uint8Array,
  aids: readonly string[],
  isSelected: boolean,
): RawRefusal | undefined {
  const [cla, , p1 = 0, p2 = 0] = command
  // In parts or in a maker's class it would be another one than it seems.
  if (cla !== 0x00) return refuse('SELECT is sent whole and with class 00')
  if (p1 !== select.byName) {
    if (!selectsWithin.has(p1) || !staysWithin(command))
      return refuse('SELECT may not leave the application')
    return isSelected ? undefined : notSelected
  }
  const name = readName(command)
  if (command.length > 5 && aids.includes(name)) {
    return (p2 & occurrence) === 0 ? undefined : refuse('SELECT is only for the first application')
  }
  return { kind: 'application', reason: `application "${name}" is not granted`, aid: name }
}

/** Whether its data are identifiers of files, none of them that of the master file. */
function staysWithin(command: Uint8Array): boolean {
  const way = Buffer.from(command.subarray(5, 5 + (command[4] ?? 0)))
  if (command.length === 5 || way.length < 2 || way.length % 2 > 0) return false
  for (let at = 0; at < way.length; at += 2) if (way.readUInt16BE(at) === masterFile) return false
  return true
}

const refuse = (reason: string): RawRefusal => ({ kind: 'command', reason })
const notSelected = refuse('no granted application is selected yet')
