/** A package for Windows with a slot, in the attributes of its signature that the signature does not cover (docs/decisions/0075). */
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { toStreamName } from '../../build/sign-windows.ts'
import { attributeHead, createSlotValues, findMsiSlot } from '../../src/system/msi-slot.ts'
import { createEmptySlot } from '../empty-slot.ts'
import type { PackageFacts, Slot } from '../package-facts.ts'

/** Signs a package and gives it a slot; returns where that is. undefined: nobody signs, and it has none. */
export function signMsi(
  file: string,
  { signWindows, report }: Pick<PackageFacts, 'signWindows' | 'report'>,
): Slot | undefined {
  if (signWindows) {
    signWindows(file)
    return addMsiSlot(file)
  }
  report(
    `unsigned: ${basename(file)} has no signature for Windows, and no slot for the values of a service`,
  )
  return undefined
}

/** Gives a signed package a slot; returns where it is. Throws when there is no place for it. */
function addMsiSlot(file: string): Slot {
  for (let added = 0; added < blobs; added += 1) addBlob(file)
  const bytes = readFileSync(file)
  const slot = createEmptySlot()
  const values = createSlotValues(slot)
  const at = findBlobs(bytes, values.length)
  bytes.set(values, at)
  writeFileSync(file, bytes)
  const offset = findMsiSlot(bytes)
  if (offset === undefined) throw new Error(`Cannot find the slot of "${file}"`)
  return { offset, length: slot.length }
}

/** Each is of 1 kB, and the next one comes behind it, in the same attribute: together they are as long as a slot needs. */
const blobs = 4
const blobHead = Buffer.from('\x0c\x82\x04\x00---BEGIN_BLOB---', 'latin1')
const blobEnd = '---END_BLOB---'
const blobBytes = 4 + 0x400

function addBlob(file: string): void {
  // Of the directory too there is a digest, where whoever signed wanted that.
  const signsNames = readFileSync(file).includes(toStreamName('MsiDigitalSignatureEx'))
  const made = `${file}.slot`
  const options = ['-addUnauthenticatedBlob', ...(signsNames ? ['-add-msi-dse'] : [])]
  execFileSync('osslsigncode', ['add', ...options, '-in', file, '-out', made], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  renameSync(made, file)
}

/** Where the values of the attribute begin. Throws unless they are in one piece: a file may have its parts in any order. */
function findBlobs(bytes: Buffer, length: number): number {
  const at = bytes.indexOf(attributeHead) + attributeHead.length
  const values = bytes.subarray(at, at + length)
  const isAlone = at >= attributeHead.length && bytes.indexOf(attributeHead, at) === -1
  const isWhole = Array.from({ length: blobs }, (_, index) => index * blobBytes).every(
    (begin) =>
      values.subarray(begin, begin + blobHead.length).equals(blobHead) &&
      values.subarray(begin, begin + blobBytes).includes(blobEnd),
  )
  if (isAlone && isWhole) return at
  throw new Error('Cannot make the slot: the signature has no place for it in one piece')
}
